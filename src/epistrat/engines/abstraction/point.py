"""Concrete states seen through an abstraction."""

from __future__ import annotations

from fractions import Fraction

from epistrat.engines.abstraction.layout import names_of
from epistrat.engines.abstraction.predicates import Opaque, Predicate
from epistrat.engines.abstraction.space import AbstractSpace
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.solvers.bdd import Bdd


class Points:
    """The abstract state of each concrete one, as a function that is true there only."""

    def __init__(self, space: AbstractSpace, evaluator: Evaluator) -> None:
        self._space = space
        self._evaluator = evaluator
        self._system: System = space.system
        self._known: dict[State, Bdd] = {}
        self._domains = {variable.key: variable.domain for variable in self._system.variables}

    def of(self, state: State) -> Bdd:
        """The abstract state that the state belongs to."""
        found = self._known.get(state)
        if found is None:
            found = self._known[state] = self._abstract(state)
        return found

    def _abstract(self, state: State) -> Bdd:
        algebra, layout = self._space.algebra, self._space.layout
        values: list[tuple[int, bool]] = []
        for key, pairs in layout.finite.items():
            code = list(names_of(self._domains[key])).index(state[self._system.position[key]])
            values += [(bit, bool(code >> place & 1)) for place, (bit, _) in enumerate(pairs)]
        values += [(pair[0], self.holds(predicate, state)) for predicate, pair in layout.predicates.items()]
        result = algebra.true
        for bit, value in sorted(values, reverse=True):
            result = (algebra.var[bit] if value else ~algebra.var[bit]) & result
        return result

    def holds(self, predicate: Predicate, state: State) -> bool:
        """Whether a predicate is true in a state."""
        if isinstance(predicate, Opaque):
            value = self._evaluator.value(predicate.expr, state)
            return value in predicate.domain if predicate.domain is not None else bool(value)
        total = Fraction(0)
        for key, factor in predicate.form.factors:
            number = state[self._system.position[key]]
            assert isinstance(number, (int, Fraction))
            total += factor * number
        return total < predicate.bound if predicate.strict else total <= predicate.bound
