"""Invariants from examples: guessed on explored states, kept if they are inductive together.

Guesses are bounds on variables, on sums and differences of two, also under the condition that one or two finite variables have some
values; and the linear equations that all explored states satisfy.  A solver strikes out those that do not hold initially, or not after
some step from a state that satisfies all the rest, until nothing more is struck out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

import z3

from epistrat.encoding.smt.system import SmtSystem
from epistrat.engines.abstraction.predicates import is_numeric
from epistrat.model.agent import Variable
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import PATIENT, Patience
from epistrat.terms import Boolean, Enumeration, Expr, Key, Terms
from epistrat.terms.linear import Linear

_MOST_NUMBERS = 8  # pairs of them are compared
_WORK = 1_000_000  # for one query
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
        first = [Fraction(states[0][self._system.position[key]]) for key in keys]
        rows = [
            [Fraction(state[self._system.position[k]]) - f for k, f in zip(keys, first, strict=True)]
            for state in states[1:]
        ]
        for vector in _null_space(rows, len(keys)):
            form = Linear.of(dict(zip(keys, vector, strict=True)), Fraction(0)).scaled()
            constant = self._value(form, states[0])
            if len(form.factors) > 1:
                body = self._terms.compare("=", form.expression(self._terms), self._terms.number(constant))
                yield self._when(condition, body)


def _null_space(rows: Iterable[list[Fraction]], width: int) -> list[list[Fraction]]:
    """A basis of the vectors that are orthogonal to all rows."""
    pivots: dict[int, list[Fraction]] = {}
    for row in rows:
        row = list(row)
        for place, pivot in pivots.items():
            if row[place]:
                factor = row[place]
                row = [value - factor * other for value, other in zip(row, pivot, strict=True)]
        place = next((index for index, value in enumerate(row) if value), -1)
        if place < 0:
            continue
        row = [value / row[place] for value in row]
        for other, pivot in list(pivots.items()):
            if pivot[place]:
                factor = pivot[place]
                pivots[other] = [value - factor * new for value, new in zip(pivot, row, strict=True)]
        pivots[place] = row
        if len(pivots) == width:
            return []
    basis = []
    for free in range(width):
        if free not in pivots:
            vector = [Fraction(0)] * width
            vector[free] = Fraction(1)
            for place, pivot in pivots.items():
                vector[place] = -pivot[free]
            basis.append(vector)
    return basis


def inductive(smt: SmtSystem, guesses: Sequence[Expr], known: Sequence[Expr], budget: Budget) -> list[Expr]:
    """The guesses that hold initially and together survive every step; ``known`` are invariants that may be used."""
    evaluator = Evaluator(smt.system)
    session = smt.session(budget, _WORK)
    left = list(guesses)
    terms = Terms()
    with session.scope():
        session.add(smt.initial(0))
        while left:
            answer = session.check(terms.negate(terms.conjunction(left)))
            if answer.unsat:
                break
            if answer.unknown:
                return []
            state = smt.state(session.model, 0)
            left = [guess for guess in left if evaluator.holds(guess, state)]
    session.add(smt.domains(0), smt.step(0, 1), *known)
    while left:
        with session.scope():
            session.add(*left)
            answer = session.check((terms.negate(terms.conjunction(left)), 1))
            if answer.unsat:
                return left
            if answer.unknown:
                return []
            state = smt.state(session.model, 1)
            left = [guess for guess in left if evaluator.holds(guess, state)]
    return []


def without_redundant(smt: SmtSystem, invariants: Sequence[Expr], budget: Budget) -> list[Expr]:
    """The invariants that the ones before them do not imply; simple ones should come first."""
    session = smt.session(budget, _WORK)
    session.add(smt.domains(0))
    terms = Terms()
    kept: list[Expr] = []
    for invariant in invariants:
        if not session.check(terms.negate(invariant)).unsat:
            kept.append(invariant)
            session.add(invariant)
    return kept


def proved(smt: SmtSystem, invariant: Expr, budget: Budget) -> bool:
    """Whether a fresh solver shows that a condition holds initially and survives every step."""
    terms = Terms()
    session = smt.session(budget, _WORK * 5)
    with session.scope():
        session.add(smt.initial(0), terms.negate(invariant))
        if not session.check().unsat:
            return False
    session.add(smt.domains(0), invariant, smt.step(0, 1), z3.Not(smt.condition(invariant, 1)))
    return session.check().unsat
