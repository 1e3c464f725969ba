"""Guesses at invariants from explored states; `epistrat.proving.induction` keeps those that are inductive together.

Guesses are bounds on variables, on sums and differences of two, also under the condition that one or two finite variables have some
values; and the linear equations that all explored states satisfy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

from epistrat.engines.abstraction.predicates import is_numeric
from epistrat.model.agent import Variable
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.proving.affine import equations
from epistrat.solvers.patience import PATIENT, Patience
from epistrat.terms import Boolean, Enumeration, Expr, Key, Terms
from epistrat.terms.linear import Linear

_MOST_NUMBERS = 8  # pairs of them are compared
_SAMPLE = 400  # explored states that a guess must fit
_MOST_PAIRS = 16  # values of two finite variables together


class Guesses:
    """Candidates for invariants of one system."""

    def __init__(
        self, system: System, keys: frozenset[Key], states: Sequence[State], patience: Patience = PATIENT
    ) -> None:
        self._system = system
        self._states = states[: patience.most(_SAMPLE)]
        self._terms = Terms()
        relevant = [variable for variable in system.variables if variable.key in keys]
        self._numbers = [variable for variable in relevant if is_numeric(variable.domain)]
        self._numbers = self._numbers[: patience.most(_MOST_NUMBERS)]
        self._most_pairs = patience.most(_MOST_PAIRS)
        self._names = [variable for variable in relevant if not is_numeric(variable.domain)]

    def all(self) -> list[Expr]:
        """Equations and bounds; none where no state was found to guess from."""
        if not self._states:
            return []
        found: dict[Expr, None] = dict.fromkeys(self._equations(self._states, None))
        found.update(dict.fromkeys(self._bounds(self._states, None)))
        for condition, states in self._cases():
            found.update(dict.fromkeys(self._bounds(states, condition)))
            found.update(dict.fromkeys(self._equations(states, condition)))
        return list(found)

    def _cases(self) -> Iterator[tuple[Expr, list[State]]]:
        """The states by the value of each finite variable, and by the values of each two of different agents."""
        tests = [list(self._tests(variable)) for variable in self._names]
        tests = [listed for listed in tests if listed]
        for listed in tests:
            for condition, _, states in listed:
                yield condition, states
        for one, other in combinations(tests, 2):
            if len(one) * len(other) > self._most_pairs:
                continue
            for (left, agent, states), (right, second, also) in product(one, other):
                both = set(also).intersection(states) if agent != second else ()
                if both:
                    yield self._terms.conjunction((left, right)), list(both)

    def _tests(self, variable: Variable) -> Iterator[tuple[Expr, str, list[State]]]:
        place = self._system.position[variable.key]
        if isinstance(variable.domain, (Boolean, Enumeration)):
            for value in variable.domain:
                states = [state for state in self._states if state[place] == value]
                if states:
                    yield self._terms.equals(variable.reference, value), variable.owner, states

    def _forms(self) -> Iterator[Linear]:
        one = Fraction(1)
        single = [Linear(((variable.key, one),)) for variable in self._numbers]
        yield from single
        for left, right in combinations(single, 2):
            yield left - right
            yield left + right

    def _value(self, form: Linear, state: State) -> Fraction:
        total = form.constant
        for key, factor in form.factors:
            number = state[self._system.position[key]]
            assert isinstance(number, (int, Fraction))
            total += factor * number
        return total

    def _bounds(self, states: Sequence[State], condition: Expr | None) -> Iterator[Expr]:
        for form in self._forms():
            values = [self._value(form, state) for state in states]
            for sign in (1, -1):
                bound = max(sign * value for value in values)
                body = self._terms.compare(
                    "<=", form.times(Fraction(sign)).expression(self._terms), self._terms.number(bound)
                )
                yield self._when(condition, body)

    def _when(self, condition: Expr | None, body: Expr) -> Expr:
        return body if condition is None else self._terms.disjunction((self._terms.negate(condition), body))

    def _equations(self, states: Sequence[State], condition: Expr | None) -> Iterator[Expr]:
        """The linear equations that hold in all of the states, by elimination."""
        if len(states) < 2 or not self._numbers:
            return
        keys = [variable.key for variable in self._numbers]
        places = [self._system.position[key] for key in keys]
        for factors, _ in equations([[Fraction(state[place]) for place in places] for state in states]):
            form = Linear.of(dict(zip(keys, factors, strict=True)), Fraction(0)).scaled()
            if len(form.factors) > 1:
                bound = self._terms.number(self._value(form, states[0]))
                yield self._when(condition, self._terms.compare("=", form.expression(self._terms), bound))
