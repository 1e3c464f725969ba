"""What a group can choose, where it leads, and what the others can force: fixpoints of *Opp*.

``Opp(Z)`` are the states where every choice of the group has an outcome in Z.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from epistrat.engines.witness.space import S, WitnessSpace
from epistrat.evidence import Choice
from epistrat.logic.formula import Coalition, Finally, Formula, Globally, Group, Next, Truth, Until
from epistrat.model.state import State
from epistrat.records import dataclass


@dataclass(frozen=True)
class Stage(Generic[S]):
    """One removal of the nested fixpoint: from ``present``, the states that can avoid ``avoided`` were removed."""

    removed: S
    avoided: S


@dataclass(frozen=True)
class Forced(Generic[S]):
    """What the others can force: the set, and for each fairness condition the layers of coming to it; the stages of removal."""

    states: S
    layers: tuple[tuple[S, ...], ...]
    stages: tuple[Stage[S], ...]


class Arena(Generic[S]):
    """What groups can choose in one space, and what the others can force.  ``limit`` bounds what is listed."""

    def __init__(self, space: WitnessSpace[S], limit: int) -> None:
        self._space = space
        self._limit = limit
        self._stepper = space.stepper
        self._nothing = space.minus(space.worlds, space.worlds)
        self._play = space.play
        self._free: dict[Group, Forced[S]] = {}
        self._actor = {agent.name: index for index, agent in enumerate(space.system.agents)}

    # Sets

    def _goal(self, arg: Formula) -> tuple[S, S]:
        """Where the goal may stay open, and where it is met."""
        hold, goal = hold_and_goal(arg)
        return self._space.satisfying(hold), self._space.satisfying(goal)

    def _outside(self, states: S) -> S:
        return self._space.minus(self._space.worlds, states)

    def fair_forced(self, group: Group) -> Forced[S]:
        """Where the others can force a fair run."""
        if group not in self._free:
            self._free[group] = self._force(group, self._space.worlds, self._nothing)
        return self._free[group]

    def _force(self, group: Group, live: S, bad: S) -> Forced[S]:
        """Where the others can force a fair run that stays in ``live``, or comes to ``bad`` through it."""
        space = self._space
        current = space.join(live, bad)
        stages: list[Stage[S]] = []
        while True:
            before = len(stages)
            layers: list[tuple[S, ...]] = []
            for goal in space.fairness:
                found = self._layers(group, space.meet(live, current), bad, goal)
                layers.append(found)
                kept = space.join(bad, space.meet(current, space.opposed(group, found[-1])))
                removed = space.minus(current, kept)
                if not space.is_empty(removed):
                    stages.append(Stage(removed, found[-1]))
                current = space.minus(current, removed)
            if len(stages) == before:
                return Forced(current, tuple(layers), tuple(stages))

    def _layers(self, group: Group, through: S, bad: S, goal: S) -> tuple[S, ...]:
        """Where the others can force, in 0, 1, 2, ... steps through a set, to come to ``bad`` or to the goal in that set."""
        space, met = self._space, self._space.join(bad, self._space.meet(through, goal))
        return tuple(space.growing(met, lambda near: space.meet(through, space.opposed(group, near))))

    def lost(self, claim: Coalition) -> S | None:
        """Where the group cannot enforce the claim even with perfect information; None under fairness."""
        space, group = self._space, claim.group
        if space.fairness:
            return None
        if isinstance(claim.arg, Next):
            return space.opposed(group, self._outside(space.satisfying(claim.arg.arg)))
        hold, goal = self._goal(claim.arg)
        if isinstance(claim.arg, Globally):
            return self._grown(self._outside(hold), lambda bad: space.opposed(group, bad))
        won = self._grown(goal, lambda good: space.minus(hold, space.opposed(group, self._outside(good))))
        return self._outside(won)

    def _grown(self, states: S, more: Callable[[S], S]) -> S:
        """The least set that contains the states and whatever ``more`` says follows."""
        *_, whole = self._space.growing(states, more)
        return whole

    # Choices

    def _outcomes(self, group: Group, state: State, choice: Choice) -> list[State] | None:
        """Where the group's choice can lead; None if there are too many ways."""
        steps = self._play.steps(state, dict(zip(group.members, choice, strict=True)), self._limit)
        return None if steps is None else list(dict.fromkeys(step.target for step in steps))

    def _can_act(self, state: State) -> bool:
        """Whether the protocols allow a joint action."""
        return self._play.can_act(state)


def hold_and_goal(arg: Formula) -> tuple[Formula, Formula]:
    """What must hold while a coalition's goal is open, and what meets it."""
    match arg:
        case Next(goal) | Finally(goal):
            return Truth(True), goal
        case Globally(hold):
            return hold, Truth(False)
        case Until(hold, goal):
            return hold, goal
        case _:
            raise TypeError(f"not a coalition's goal: {type(arg).__name__}")
