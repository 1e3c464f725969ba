"""Guesses at invariants from reachable states: linear equations, and bounds of variables, sums and differences.

States are collected by unrolling a few steps.  The equations are a basis of all linear equations that the collected states satisfy;
a state within reach that violates one of them joins the collection, until there is none.  The same is done for the states that
satisfy a condition on a Boolean or a name, so that equations may depend on one.  Guesses are only guesses: `induction` sorts them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import combinations

import z3

from epistrat.encoding.transitions import Transitions
from epistrat.model.fold import fold
from epistrat.proving.affine import equations
from epistrat.proving.contract import Undecided, Valuation
from epistrat.proving.unrolling import Unrolling
from epistrat.solvers.smt.session import RESOURCES
from epistrat.terms import TRUE, Boolean, Bounded, Enumeration, Expr, Key, Sort, variables

_DEPTH = 4  # steps unrolled to collect states
_MOST_NUMBERS = 10  # variables for which equations and bounds are guessed
_MOST_STARTING = 5  # variables for which the bounds of initial states are computed
_MOST_CASES = 14  # conditions under which states are looked at apart
_MOST_NAMES = 6  # values of an enumeration that become cases
_MOST_LITERALS = 48  # Booleans and names between which implications are guessed
_WORK = 250_000  # for one state
_ROUNDS = 30  # of equations that a reachable state refutes


class Templates:
    """Guesses for one system."""

    def __init__(self, system: Transitions, unrolling: Unrolling) -> None:
        self._system = system
        self._terms = system.terms
        self._unrolling = unrolling
        self._numbers = [one.key for one in system.variables if one.domain.sort is Sort.NUMBER]
        self._samples: list[Valuation] = []
        self._patience = unrolling.budget.patience

    def guesses(self) -> list[Expr]:
        """Conditions that hold in the states that were looked at."""
        if not self._numbers or len(self._numbers) > self._patience.most(_MOST_NUMBERS):
            return []
        cases = self._cases(self._patience.most(_MOST_CASES))
        with suppress(Undecided):
            self._collect(cases)
        found: dict[Expr, None] = {}
        for case in cases:
            for guess in [*self._refined_equations(case), *self._bounds(case)]:
                found[guess] = None
        if len(self._numbers) <= self._patience.most(_MOST_STARTING):
            found.update(dict.fromkeys(self._initial_bounds()))
        return list(found)

    def implications(self) -> list[Expr]:
        """Conditions "if this Boolean or name, then that one" that hold in the states that were looked at."""
        most = self._patience.most(_MOST_LITERALS)
        literals = [one for one in self._cases(most) if one != TRUE]
        if not self._samples or len(literals) >= most:
            return []
        seen = {
            one: {place for place, state in enumerate(self._samples) if self._holds(one, state)} for one in literals
        }
        found = {
            self._when(one, other): None
            for one in literals
            for other in literals
            if one is not other and variables(one) != variables(other) and seen[one] <= seen[other]
        }
        return list(found)

    def _holds(self, condition: Expr, state: Valuation) -> bool:
        return fold(self._terms, condition, state) == TRUE

    def _cases(self, most: int) -> list[Expr]:
        """No condition, a Boolean, or a name."""
        terms = self._terms
        cases: list[Expr] = [TRUE]
        for one in self._system.variables:
            reference = terms.variable(*one.key, one.domain.sort)
            match one.domain:
                case Boolean():
                    cases += [reference, terms.negate(reference)]
                case Enumeration(values) if len(values) <= self._patience.most(_MOST_NAMES):
                    cases += [terms.compare("=", reference, terms.name(name)) for name in values]
                case Bounded(low, high) if high - low < 2:
                    cases += [terms.compare("=", reference, terms.number(value)) for value in range(low, high + 1)]
        return cases[:most]

    # Collecting

    def _collect(self, cases: Sequence[Expr]) -> None:
        for depth in range(self._patience.most(_DEPTH) + 1):
            self._unrolling.extend(depth)
            for case in cases:
                self._sample([self._unrolling.at(case, depth)], depth)

    def _sample(self, assumptions: list[object], depth: int) -> bool:
        if not self._unrolling.solve(assumptions, _WORK, steps=depth):
            return False
        self._samples.extend(self._unrolling.trace(depth).states)
        return True

    def _where(self, case: Expr) -> list[Valuation]:
        return [one for one in self._samples if self._holds(case, one)]

    # Equations

    def _refined_equations(self, case: Expr) -> list[Expr]:
        for _ in range(self._patience.most(_ROUNDS)):
            equations = list(self._equations(case))
            if not equations or not self._violated(equations):
                return equations
        return []

    def _violated(self, equations: Sequence[Expr]) -> bool:
        """Whether a state within reach violates one of the equations; it joins the collection."""
        wrong = self._terms.negate(self._terms.conjunction(equations))
        for depth in range(self._patience.most(_DEPTH) + 1):
            with suppress(Undecided):
                if self._sample([self._unrolling.at(wrong, depth)], depth):
                    return True
        return False

    def _equations(self, case: Expr) -> Iterator[Expr]:
        points = [[Fraction(one[key]) for key in self._numbers] for one in self._where(case)]
        for factors, bound in equations(points):
            left = self._sum(zip(self._numbers, factors, strict=True))
            yield self._when(case, self._terms.compare("=", left, self._terms.number(bound)))

    def _sum(self, parts: Iterable[tuple[Key, Fraction]]) -> Expr:
        terms = self._terms
        total: Expr | None = None
        for key, factor in parts:
            if not factor:
                continue
            variable = terms.variable(*key, Sort.NUMBER)
            part = variable if factor == 1 else terms.arith("*", terms.number(factor), variable)
            total = part if total is None else terms.arith("+", total, part)
        return terms.number(0) if total is None else total

    def _when(self, case: Expr, condition: Expr) -> Expr:
        return self._terms.disjunction((self._terms.negate(case), condition))

    # Bounds

    def _bounds(self, case: Expr) -> Iterator[Expr]:
        states = self._where(case)
        if not states:
            yield self._terms.negate(case)
            return
        terms = self._terms
        for left in self._measured():
            values = [self._value(left, one) for one in states]
            total = self._sum(left)
            yield self._when(case, terms.compare("<=", terms.number(min(values)), total))
            yield self._when(case, terms.compare("<=", total, terms.number(max(values))))

    def _initial_bounds(self) -> Iterator[Expr]:
        """The largest and smallest values in initial states, where there are some."""
        unrolling, terms = self._unrolling, self._terms
        optimiser = z3.Optimize(ctx=unrolling.terms.context)
        optimiser.set("rlimit", RESOURCES * self._patience.work(_WORK))
        optimiser.add(*[unrolling.terms.within(one.key, 0) for one in self._system.variables])
        optimiser.add(*[unrolling.at(condition, 0) for condition in self._system.initial])
        for left in self._measured():
            total = self._sum(left)
            measured = z3.Sum([int(factor) * unrolling.terms.constant(key, 0) for key, factor in left])
            for largest in (True, False):
                optimiser.push()
                aim = optimiser.maximize(measured) if largest else optimiser.minimize(measured)
                if optimiser.check() == z3.sat:
                    value = optimiser.upper(aim) if largest else optimiser.lower(aim)
                    if z3.is_int_value(value) or z3.is_rational_value(value):
                        bound = terms.number(Fraction(str(value)))
                        yield terms.compare("<=", total, bound) if largest else terms.compare("<=", bound, total)
                optimiser.pop()

    def _measured(self) -> Iterator[list[tuple[Key, Fraction]]]:
        """Variables, differences and sums."""
        for key in self._numbers:
            yield [(key, Fraction(1))]
        for one, other in combinations(self._numbers, 2):
            yield [(one, Fraction(1)), (other, Fraction(-1))]
            yield [(one, Fraction(1)), (other, Fraction(1))]

    @staticmethod
    def _value(parts: list[tuple[Key, Fraction]], state: Valuation) -> Fraction:
        return sum((factor * Fraction(state[key]) for key, factor in parts), Fraction(0))
