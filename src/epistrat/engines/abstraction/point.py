"""Concrete states seen through an abstraction."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from epistrat.encoding.part import cube
from epistrat.engines.abstraction.layout import values_of
from epistrat.engines.abstraction.predicates import Opaque, Predicate, Threshold
from epistrat.engines.abstraction.space import AbstractSpace
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.solvers.bdd import Bdd

_LOOK = 2
"""Work of finding out whether a predicate is true in a state."""


class Points:
    """The abstract state of each concrete one, as a function that is true there only."""

    def __init__(self, space: AbstractSpace, evaluator: Evaluator) -> None:
        self._space = space
        self._evaluator = evaluator
        self._system: System = space.system
        self._known: dict[tuple[tuple[int, bool], ...], Bdd] = {}
        self._tests: dict[Threshold, tuple[list[tuple[int, int]], int]] = {}
        self._domains = {variable.key: variable.domain for variable in self._system.variables}

    def of(self, state: State) -> Bdd:
        """The abstract state that the state belongs to."""
        layout = self._space.layout
        values: list[tuple[int, bool]] = []
        for key, pairs in layout.finite.items():
            code = list(values_of(self._domains[key])).index(state[self._system.position[key]])
            values += [(bit, bool(code >> place & 1)) for place, (bit, _) in enumerate(pairs)]
        values += [(pair[0], self.holds(predicate, state)) for predicate, pair in layout.predicates.items()]
        self._space.budget.spend(_LOOK * len(values))
        found = self._known.get(tuple(values))
        if found is None:
            found = self._known[tuple(values)] = cube(self._space.algebra, values)
        return found

    def holds(self, predicate: Predicate, state: State) -> bool:
        """Whether a predicate is true in a state."""
        if isinstance(predicate, Opaque):
            value = self._evaluator.value(predicate.expr, state)
            return value in predicate.domain if predicate.domain is not None else bool(value)
        factors, bound = self._tests.get(predicate) or self._test(predicate)
        total: int | Fraction = 0
        for place, factor in factors:
            number = state[place]
            assert isinstance(number, (int, Fraction))
            total += factor * number
        return total < bound if predicate.strict else total <= bound

    def _test(self, predicate: Threshold) -> tuple[list[tuple[int, int]], int]:
        """Places in a state and factors, and a bound for their sum: all of them whole numbers, with which Python counts fastest."""
        scale = lcm(*(factor.denominator for _, factor in predicate.form.factors), predicate.bound.denominator)
        found = [(self._system.position[key], int(factor * scale)) for key, factor in predicate.form.factors]
        self._tests[predicate] = found, int(predicate.bound * scale)
        return self._tests[predicate]
