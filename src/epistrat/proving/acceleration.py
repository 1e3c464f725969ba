"""Loops taken any number of times in one step.

A *macro* is a short sequence of steps with fixed inputs whose effect is to add constants to some numbers and to leave everything else as it
is.  Its guard is a conjunction of literals, among them that every value lies in its variable's domain, in the middle of a round too.
If the guard is convex in the numbers that change, what holds before the first and before the last round holds before every round in
between.  So k rounds lead from s to s + k·c iff the guard holds in s and in s + (k-1)·c.

What this rests on is not taken for granted.  That every literal is convex is checked by its form (`convex`), and that the guard makes a
round possible, with the effect that is claimed, is proved by a solver from the parts of the system (`Macros._proved`).  What fails is
no macro.

The accelerated system has these leaps as additional steps.  It reaches exactly the same states, but in fewer steps, and what can be
reached in few leaps is often an infinite set of a simple form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

import z3

from epistrat import terms as t
from epistrat.encoding.fits import Fits, NotEncodable
from epistrat.encoding.transitions import Transitions, primed_key
from epistrat.model.fold import fold
from epistrat.proving.contract import Trace, Undecided, Valuation
from epistrat.proving.finite import equality
from epistrat.proving.unrolling import Unrolling
from epistrat.records import dataclass, replace
from epistrat.solvers.budget import Budget
from epistrat.terms import FALSE, TRUE, Expr, Key, Sort, Terms, variables
from epistrat.terms.linear import linear_form
from epistrat.terms.substitute import substitute

_MOST_SINGLE = 24  # macros of one step
_MOST_DOUBLE = 10  # macros of two steps
_WORK = 500_000  # for one query about a loop


@dataclass(frozen=True)
class Macro:
    """``inputs`` of the steps of one round; ``guard`` and ``adds`` of the round as a whole."""

    inputs: tuple[Valuation, ...]
    guard: tuple[Expr, ...]
    adds: tuple[tuple[Key, Fraction], ...]


@dataclass(frozen=True)
class Step:
    """A step with fixed inputs: what must hold, and the new values of all variables in terms of the old ones."""

    guard: tuple[Expr, ...]
    values: Mapping[Key, Expr]


class Macros:
    """Finds the macros of one system."""

    def __init__(
        self, system: Transitions, pool: Sequence[Expr], budget: Budget, beside: Unrolling | None = None
    ) -> None:
        self._beside = beside
        self._system = system
        self._terms = system.terms
        self._pool = pool
        self._budget = budget
        self._sorts = {one.key: one.domain.sort for one in system.variables}
        self._fits = Fits(system.terms, system.domains)
        self._here: Unrolling | None = None

    def find(self) -> list[Macro]:
        """Macros of one and of two steps."""
        inputs = {one.key for one in self._system.inputs}
        if any(
            part.writes is None and not (part.defines and inputs.issuperset(part.defines))
            for part in self._system.parts
        ):
            return []
        most = self._budget.patience.most
        found = list(self._of_length(1, most(_MOST_SINGLE)))
        return [*found, *self._of_length(2, most(_MOST_DOUBLE))]

    def _of_length(self, length: int, most: int) -> Iterator[Macro]:
        """Go through the ways to make so many steps; each solution is generalised to all that take the same turns."""
        unrolling = Unrolling(self._system, self._budget, from_start=False, beside=self._beside)
        unrolling.extend(2 * length)
        unrolling.session.add(*[unrolling.at(one) for one in self._pool])
        steady = self._steady(unrolling, length)
        if length > 1:
            same = [one.key for one in self._system.variables if one.domain.sort is not Sort.NUMBER]
            for key in same:
                pairs = zip(unrolling.terms.constants(key, 0), unrolling.terms.constants(key, length), strict=True)
                unrolling.session.add(*[one == other for one, other in pairs])
        with suppress(Undecided):
            for _ in range(most):
                if steady and not unrolling.solve(steady, _WORK, steps=2 * length):
                    steady = []
                if not steady and not unrolling.solve([], _WORK, steps=length):
                    return
                trace = unrolling.trace(length)
                region, macro = self._generalised(trace)
                if macro is not None:
                    region = list(macro.guard)
                taken = [
                    unrolling.at(equality(self._system, key, value), frame)
                    for frame, values in enumerate(trace.inputs)
                    for key, value in values.items()
                ]
                unrolling.session.add(
                    unrolling.terms.any([z3.Not(one) for one in [*taken, *[unrolling.at(one) for one in region]]])
                )
                if macro is not None:
                    yield macro

    def _steady(self, unrolling: Unrolling, length: int) -> list[Any]:
        """A second round with the same inputs adds the same to all numbers: such rounds are looked for first.

        A variable that follows another one by a step adds a constant only from the second step on.
        """
        terms = unrolling.terms
        same = [
            now == then
            for one in self._system.inputs
            for frame in range(length)
            for now, then in zip(terms.constants(one.key, frame), terms.constants(one.key, frame + length), strict=True)
        ]
        for one in self._system.variables:
            rounds = [terms.constants(one.key, frame) for frame in (0, length, 2 * length)]
            for first, second, third in zip(*rounds, strict=True):
                number = one.domain.sort is Sort.NUMBER
                same.append(second - first == third - second if number else z3.And(first == second, second == third))
        return [terms.all(same)]

    def _generalised(self, trace: Trace) -> tuple[list[Expr], Macro | None]:
        """The literals that make the trace take the turns it takes; and the macro, if it only adds constants."""
        terms = self._terms
        values = self._identity()
        guard: list[Expr] = []
        rounds: list[Mapping[Key, Expr]] = [values]
        for state, inputs in zip(trace.states, trace.inputs, strict=False):
            step = self.step(state, inputs)
            now = self._replacing(values)
            inside = literals(terms, self._inside(step.values), state)
            guard += [substitute(terms, literal, now) for literal in (*step.guard, *inside)]
            values = {key: substitute(terms, value, now) for key, value in step.values.items()}
            rounds.append(values)
        first, last = trace.states[0], trace.states[-1]
        adds: list[tuple[Key, Fraction]] = []
        whole = True
        for key, value in values.items():
            old = terms.variable(*key, self._sorts[key])
            if value == old:
                continue
            if self._sorts[key] is Sort.NUMBER:
                constant, fixed = self._constant_difference(value, old, first)
                guard += fixed
                whole = whole and constant is not None
                adds += [(key, constant)] if constant else []
                continue
            same = terms.compare("=", old, value)
            kept = first[key] == last[key]
            guard += literals(terms, same if kept else terms.negate(same), first)
            whole = whole and kept
        guard = list(dict.fromkeys(one for one in guard if one != TRUE))
        if not whole or not adds or not all(convex(one, {key for key, _ in adds}) for one in guard):
            return guard, None
        return guard, self._proved(Macro(tuple(trace.inputs), tuple(guard), tuple(adds)), rounds)

    def _identity(self) -> dict[Key, Expr]:
        return {key: self._terms.variable(*key, sort) for key, sort in self._sorts.items()}

    def _replacing(self, values: Mapping[Key, Expr]) -> dict[Expr, Expr]:
        """Every variable with the value that takes its place."""
        return {self._terms.variable(*key, self._sorts[key]): value for key, value in values.items()}

    def _inside(self, values: Mapping[Key, Expr]) -> Expr:
        """All values lie in the domains of their variables."""
        same = self._identity()
        try:
            fits = [self._fits.exactly(key, value) for key, value in values.items() if value != same[key]]
        except NotEncodable:
            return FALSE
        return self._terms.conjunction(fits)

    def _proved(self, macro: Macro, rounds: Sequence[Mapping[Key, Expr]]) -> Macro | None:
        """The macro, if in every state of the pool its guard makes the round possible with its effect; None if that is not shown.

        ``rounds`` are the values at the beginning, after the first step, and so on.  A macro of one step loses the literals that it does
        not need.  States between two rounds are reachable from the first one, so the pool holds there too.
        """
        if self._here is None:
            self._here = Unrolling(self._system, self._budget, from_start=False, beside=self._beside)
            self._here.session.add(*[self._here.at(one) for one in self._pool])
        here, impossible = self._here, self._terms.negate(self._possible(macro, rounds))

        def enough(guard: Sequence[Expr]) -> bool:
            with suppress(Undecided):
                return not here.solve([here.at(one) for one in (impossible, *guard)], _WORK, steps=0)
            return False

        guard = list(macro.guard)
        if not enough(guard):
            return None
        for literal in macro.guard if len(macro.inputs) == 1 else ():
            fewer = [other for other in guard if other is not literal]
            if enough(fewer):
                guard = fewer
        return replace(macro, guard=tuple(guard))

    def _possible(self, macro: Macro, rounds: Sequence[Mapping[Key, Expr]]) -> Expr:
        """Where the steps of a round are steps of the system, stay in the domains, and add what the macro says."""
        terms, adds = self._terms, dict(macro.adds)
        conditions: list[Expr] = []
        for inputs, now, then in zip(macro.inputs, rounds[:-1], rounds[1:], strict=True):
            known = self._replacing(now)
            known |= {terms.variable(*primed_key(key), self._sorts[key]): value for key, value in then.items()}
            conditions += [substitute(terms, fold(terms, part.relation, inputs), known) for part in self._system.parts]
            conditions.append(self._inside(then))
        for key, value in self._identity().items():
            wanted = terms.arith("+", value, terms.number(adds[key])) if key in adds else value
            conditions.append(terms.compare("=", rounds[-1][key], wanted))
        return terms.conjunction(conditions)

    def _constant_difference(self, value: Expr, old: Expr, state: Valuation) -> tuple[Fraction | None, list[Expr]]:
        """What is added to a number in the state, and the conditions under which that is so; None if the value is not linear."""
        terms = self._terms
        form = linear_form(terms.arith("-", value, old))
        if form is None:
            return None, [terms.compare("=", value, terms.number(constant(terms, value, state)))]
        if not form.factors:
            return Fraction(form.constant), []
        difference = terms.arith("-", value, old)
        added = Fraction(constant(terms, difference, state))
        return added, [terms.compare("=", difference, terms.number(added))]

    def step(self, state: Valuation, inputs: Valuation) -> Step:
        """What makes the step with these inputs possible in the state, and what it does."""
        terms = self._terms
        guard: list[Expr] = []
        values: dict[Key, Expr] = {}
        for part in self._system.parts:
            if part.writes is None:
                guard += literals(terms, fold(terms, part.relation, inputs), state)
                continue
            (key,) = part.defines
            values[key] = terms.variable(*key, self._sorts[key])
            for when, value in part.writes:
                condition = fold(terms, when, inputs)
                if fold(terms, condition, state) == TRUE:
                    guard += literals(terms, condition, state)
                    values[key] = fold(terms, value, inputs)
                    break
                guard += literals(terms, terms.negate(condition), state)
        return Step(tuple(guard), values)


def literals(terms: Terms, condition: Expr, state: Valuation) -> list[Expr]:
    """Convex literals that are true in the state and together imply the condition, which is true there too."""
    found: list[Expr] = []
    stack = [(condition, True)]
    while stack:
        current, positive = stack.pop()
        match current:
            case t.Const():
                continue
            case t.Not(arg):
                stack.append((arg, not positive))
            case t.And(args) | t.Or(args):
                if isinstance(current, t.And) is positive:
                    stack.extend((arg, positive) for arg in args)
                else:
                    stack.append((next(arg for arg in args if _value(terms, arg, state) is positive), positive))
            case t.AtLeast(number, args):
                deciding = [arg for arg in args if _value(terms, arg, state) is positive]
                needed = number if positive else len(args) - number + 1
                stack.extend((arg, positive) for arg in deciding[:needed])
            case t.Xor(left, right):
                stack.extend((side, _value(terms, side, state)) for side in (left, right))
            case t.Compare(t.Comparison.EQUAL, left, right) if left.sort is Sort.BOOLEAN:
                stack.extend((side, _value(terms, side, state)) for side in (left, right))
            case t.Compare(t.Comparison.EQUAL, left, right) if left.sort is Sort.NUMBER and not positive:
                less = terms.compare("<", left, right)
                found.append(less if _value(terms, less, state) else terms.compare("<", right, left))
            case t.Compare(op, left, right) if not positive and left.sort is Sort.NUMBER:
                found.append(terms.compare("<=" if op is t.Comparison.LESS else "<", right, left))
            case _:
                found.append(current if positive else terms.negate(current))
    return list(dict.fromkeys(found))


def _value(terms: Terms, condition: Expr, state: Valuation) -> bool:
    return fold(terms, condition, state) == TRUE


def convex(literal: Expr, changing: set[Key]) -> bool:
    """Whether a literal that holds at two points holds between them, where only these numbers change: it is linear in them."""
    if not variables(literal) & changing:
        return True
    if not isinstance(literal, t.Compare) or literal.left.sort is not Sort.NUMBER:
        return False
    return linear_form(literal.left) is not None and linear_form(literal.right) is not None


def constant(terms: Terms, value: Expr, state: Valuation) -> bool | int | str | Fraction:
    """The value of an expression in a state."""
    result = fold(terms, value, state)
    assert isinstance(result, t.Const)
    return result.value
