"""Derivations from the labels of an abstraction: what it proves about each part of a formula, as facts a prover can check again.

The abstract states that are reached are the invariant.  For each part about time, strategies or common knowledge, in the states where
its label says that it is true (or false), the reason is read off as for a single claim; what only one truth value matters for, by the
place of the part in the formula, is left out.  Knowledge needs no fact of its own: the prover gets copies of the state.
"""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.engines.abstraction.arguments import Arguments, TooLong
from epistrat.engines.abstraction.descent import Stage
from epistrat.engines.abstraction.force import Anything, Everything, Members, Others, Player
from epistrat.engines.abstraction.label import AbstractLabels
from epistrat.evidence import Derivation, Descent, Fact, Place, Region, RuleStrategy
from epistrat.evidence.obligations import Aim, Player as Steps, aim_of
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, operands, subformulae
from epistrat.model.conditions import is_condition
from epistrat.solvers.bdd import Bdd
from epistrat.terms import Terms

_FACTS = (logic.ForAll, logic.Exists, logic.Coalition, logic.Common)


class Deriving:
    """Derivations from the labels of one abstraction."""

    def __init__(self, labels: AbstractLabels) -> None:
        self._labels = labels
        self._space = labels.space
        self._algebra = labels.space.algebra
        self._arguments = Arguments(labels)
        self._terms = Terms()

    def derivation(self, formula: Formula, holds: bool) -> Derivation | None:
        """Why the formula has this truth where its label says so; None where that cannot be written down."""
        space = self._space
        if space.on_grids:  # no prover can be told that reals move on a grid
            return None
        try:
            reached = self._arguments.condition(space.reached)
            invariant = self._terms.conjunction((reached, *space.basis.invariants))
            return Derivation(invariant, tuple(self._facts(formula, holds)))
        except TooLong:
            return None

    def _facts(self, formula: Formula, holds: bool) -> Iterator[Fact]:
        wanted = _wanted(formula, holds)
        for part in subformulae(formula):
            for truth in (True, False):
                if isinstance(part, _FACTS) and (part, truth) in wanted:
                    label = self._labels.label(part)
                    states = (label.yes if truth else label.no) & self._space.reached
                    if states != self._algebra.false:
                        fact = self._fact(part, truth, states)
                        if fact is not None:
                            yield fact

    def _fact(self, part: Formula, holds: bool, states: Bdd) -> Fact | None:
        where = self._arguments.condition(states, self._space.reached)
        if isinstance(part, logic.Common):
            return Fact(part, True, where, Region(where)) if holds else None
        aim = aim_of(part, holds)
        if aim is None:
            return None
        player = _player(part, aim.player)
        strategy: RuleStrategy | None = None
        if aim.lasting:
            if isinstance(player, Members):
                strategy = self._arguments.rules(player.group, [Stage(states, states, ())])
            return Fact(part, holds, where, Region(where), strategy)
        goal = self._sure(aim.goal)
        stages = self._arguments.stages(player, self._sure(aim.hold), goal)
        if isinstance(player, Members):
            strategy = self._arguments.rules(player.group, stages)
        return Fact(part, holds, where, Descent(tuple(self._places(aim, goal, stages))), strategy)

    def _places(self, aim: Aim, goal: Bdd, stages: list[Stage]) -> Iterator[Place]:
        """The stages; before them, where no condition says that the goal is met, the states where it is."""
        care = self._space.reached
        if not is_condition(aim.goal):
            width = max((len(stage.key) for stage in stages), default=1)
            yield Place(self._arguments.condition(goal & care, care), (self._terms.number(-1),) * width)
        for stage in stages:
            yield Place(self._arguments.condition(stage.states), self._arguments.measures(stage, stages))

    def _sure(self, formula: Formula) -> Bdd:
        return self._labels.label(formula).yes & self._space.reached


def _player(part: Formula, steps: Steps) -> Player:
    """Who serves a claim, as a player on the abstraction."""
    match part, steps:
        case logic.Coalition(group), Steps.GROUP:
            return Members(group)
        case logic.Coalition(group), _:
            return Others(group)
        case _, Steps.ALL:
            return Everything()
        case _:
            return Anything()


def _wanted(formula: Formula, holds: bool) -> set[tuple[Formula, bool]]:
    """Which truth of which part may matter for this truth of the formula."""
    found: set[tuple[Formula, bool]] = set()
    stack = [(formula, holds)]
    while stack:
        part, truth = stack.pop()
        if (part, truth) in found:
            continue
        found.add((part, truth))
        match part:
            case logic.Not(inner):
                stack.append((inner, not truth))
            case logic.Implies(left, right):
                stack += [(left, not truth), (right, truth)]
            case logic.Iff() | logic.Xor():
                stack += [(one, value) for one in operands(part) for value in (True, False)]
            case _:
                stack += [(one, truth) for one in operands(part)]
    return found
