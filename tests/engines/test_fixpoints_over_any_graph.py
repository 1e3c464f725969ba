"""Fixpoints need a graph only: here one over predicates, written by hand, with no system or encoding behind it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from epistrat.encoding.part import Part
from epistrat.engines.fixpoints.graph import StateGraph
from epistrat.engines.fixpoints.label import Labelling
from epistrat.logic.formula import Exists, Finally, ForAll, Formula, Globally, Knows, Next, Not, Prop, Until
from epistrat.solvers.bdd import Algebra, Bdd, open_algebra

STEPS = {(False, False): (True, False), (True, False): (True, True), (True, True): (True, True)}
"""Values of the predicates p and q before and after a step; p and q are two bits."""
p, q = Prop("p"), Prop("q")


class Predicates(StateGraph):
    """Sets over the two predicates; agent A sees p only."""

    def __init__(self) -> None:
        self._algebra = open_algebra(2)

    @property
    def algebra(self) -> Algebra:
        return self._algebra

    def _state(self, values: tuple[bool, bool]) -> Bdd:
        one, other = (var if value else ~var for var, value in zip(self.algebra.var, values, strict=True))
        return one & other

    @property
    def initial(self) -> Bdd:
        return self._state((False, False))

    @property
    def reachable(self) -> Bdd:
        return self._state((False, False)) | self._state((True, False)) | self._state((True, True))

    @property
    def state_bits(self) -> int:
        return 0b11

    def pre(self, target: Bdd, within: Bdd | None = None) -> Bdd:
        return self._move(target, backwards=True) & (self.reachable if within is None else within)

    def post(self, source: Bdd) -> Bdd:
        return self._move(source, backwards=False)

    def _move(self, states: Bdd, backwards: bool) -> Bdd:
        result = self.algebra.false
        for old, new in STEPS.items():
            here, there = (new, old) if backwards else (old, new)
            if self._state(here) & states != self.algebra.false:
                result = result | self._state(there)
        return result

    def sees(self, agents: tuple[str, ...]) -> int:
        return 0b01 if agents else 0

    def condition(self, formula: Formula) -> Part | None:
        names: dict[Formula, int] = {p: 0, q: 1}
        return Part(self.algebra.var[names[formula]], 1 << names[formula]) if formula in names else None

    def tick(self) -> None:
        pass

    def iteration(self, what: str) -> Callable[[Bdd], None]:
        return lambda _: None


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        (ForAll(Finally(q)), True),
        (ForAll(Globally(Not(q))), False),
        (Exists(Next(p)), True),
        (Exists(Until(Not(q), q)), True),
        (Knows("A", Not(q)), True),
        (ForAll(Next(Knows("A", Not(q)))), False),
        (ForAll(Finally(ForAll(Globally(q), star=True)), star=True), True),
    ],
)
def test_time_and_knowledge_over_predicates(formula: Formula, holds: bool) -> None:
    graph = Predicates()
    labels = Labelling(graph, graph.reachable)
    assert graph.algebra.implies(graph.initial, labels.label(formula)) is holds
