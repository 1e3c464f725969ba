"""Runs of the concrete system along the stages of an abstract descent, beyond what was explored."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from epistrat.engines.abstraction.descent import Stage
from epistrat.engines.abstraction.enumerate import Rank
from epistrat.engines.abstraction.point import Points
from epistrat.engines.abstraction.space import AbstractSpace
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper
from epistrat.solvers.bdd import Bdd
from epistrat.terms.linear import Linear

MOST_STEPS = 400  # of a concrete run along a descent
Measures: TypeAlias = tuple[Fraction, ...]


class Walker:
    """Goes from stage to stage until a goal is met."""

    def __init__(self, stepper: Stepper, space: AbstractSpace, stages: Sequence[Stage], goal: Bdd) -> None:
        self._stepper = stepper
        self._space = space
        self._points = Points(space, stepper.evaluator)
        self._stages = stages
        self._goal = goal

    def walk(self, state: State) -> tuple[list[State], list[Joint]] | None:
        """A run from the state to the goal; None where it would be too long."""
        states, actions = [state], list[Joint]()
        while not self._met(states[-1]):
            step = self._step(states[-1])
            if step is None or len(actions) == self._space.budget.patience.most(MOST_STEPS):
                return None
            actions.append(step[0])
            states.append(step[1])
        return states, actions

    def _met(self, state: State) -> bool:
        return bool(self._space.algebra.implies(self._points.of(state), self._goal))

    def _step(self, state: State) -> tuple[Joint, State] | None:
        """A step to the goal, or one after which the measures are smaller."""
        old = self._measures(state)
        if old is None:
            return None
        for joint in self._stepper.joint_actions(state):
            for target in self._stepper.outcomes(state, joint):
                self._space.budget.check()
                new = None if self._met(target) else self._measures(target)
                if self._met(target) or (new is not None and _smaller(new, old)):
                    return joint, target
        return None

    def _measures(self, state: State) -> Measures | None:
        """The key of the state's stage, as numbers; None if it is in none."""
        point = self._points.of(state)
        for stage in self._stages:
            if self._space.algebra.implies(point, stage.states):
                return tuple(
                    [self._value(part.form, state) if isinstance(part, Rank) else Fraction(part) for part in stage.key]
                )
        return None

    def _value(self, form: Linear, state: State) -> Fraction:
        numbers = ((factor, state[self._space.system.position[key]]) for key, factor in form.factors)
        return form.constant + sum((factor * Fraction(number) for factor, number in numbers), Fraction(0))


def _smaller(new: Measures, old: Measures) -> bool:
    """One number fell by 1 or more and was not below 0, and none of those before it rose."""
    for now, before in zip(new, old, strict=False):
        if before >= 0 and now <= before - 1:
            return True
        if now > before:
            return False
    return False
