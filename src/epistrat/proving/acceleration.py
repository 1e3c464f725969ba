"""Loops taken any number of times in one step.

A *macro* is a short sequence of steps with fixed inputs whose effect is to add constants to some numbers and to leave everything else as it
is.  Its guard is a conjunction of literals, each of them convex: what holds before the first and before the last round holds before
every round in between.  So k rounds lead from s to s + k·c iff the guard holds in s and in s + (k-1)·c.

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
from epistrat.encoding.transitions import StepPart, Transitions, primed_key
from epistrat.model.fold import fold
from epistrat.proving.contract import Trace, Undecided, Valuation
from epistrat.proving.finite import equality
from epistrat.proving.unrolling import Unrolling
from epistrat.records import dataclass, replace
from epistrat.solvers.budget import Budget
from epistrat.terms import TRUE, Expr, Key, Sort, Terms, subterms
from epistrat.terms.linear import linear_form
from epistrat.terms.substitute import substitute

_MOST_SINGLE = 24  # macros of one step
_MOST_DOUBLE = 10  # macros of two steps
_SECONDS = 1.0  # for one query about a loop


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

    def __init__(self, system: Transitions, pool: Sequence[Expr], budget: Budget) -> None:
        self._system = system
        self._terms = system.terms
        self._pool = pool
        self._budget = budget
        self._sorts = {one.key: one.domain.sort for one in system.variables}

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
        unrolling = Unrolling(self._system, self._budget, from_start=False)
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
                if steady and not unrolling.solve(steady, _SECONDS, steps=2 * length):
                    steady = []
                if not steady and not unrolling.solve([], _SECONDS, steps=length):
                    return
                trace = unrolling.trace(length)
                region, macro = self._generalised(trace)
                if macro is not None and length == 1:
                    macro = self._weakened(macro)
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
        values: dict[Key, Expr] = {key: terms.variable(*key, sort) for key, sort in self._sorts.items()}
        guard: list[Expr] = []
        for state, inputs in zip(trace.states, trace.inputs, strict=False):
            step = self.step(state, inputs)
            now: dict[Expr, Expr] = {terms.variable(*key, self._sorts[key]): value for key, value in values.items()}
            guard += [substitute(terms, literal, now) for literal in step.guard]
            values = {key: substitute(terms, value, now) for key, value in step.values.items()}
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
        if not whole or not adds:
            return guard, None
        return guard, Macro(tuple(trace.inputs), tuple(guard), tuple(adds))

    def _weakened(self, macro: Macro) -> Macro:
        """The same step without the literals of its guard that it does not need in states of the pool.

        States between two rounds are reachable from the first one, so the pool holds there too.
        """
        terms, adds = self._terms, dict(macro.adds)
        step = Unrolling(self._system, self._budget, from_start=False)
        step.extend(1)
        step.session.add(*[step.at(one) for one in self._pool])
        step.session.add(*[step.at(equality(self._system, key, value)) for key, value in macro.inputs[0].items()])
        for one in self._system.variables:
            old = terms.variable(*one.key, one.domain.sort)
            new = terms.variable(*primed_key(one.key), one.domain.sort)
            value = terms.arith("+", old, terms.number(adds[one.key])) if one.key in adds else old
            step.session.add(step.at(terms.compare("=", new, value)))
        impossible = z3.Not(step.terms.all(step.step_terms(0)))
        guard = list(macro.guard)
        for literal in macro.guard:
            fewer = [other for other in guard if other is not literal]
            with suppress(Undecided):
                if not step.solve([impossible, *[step.at(one) for one in fewer]], _SECONDS, steps=0):
                    guard = fewer
        return replace(macro, guard=tuple(guard))

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


# Loops for ever


def forever(system: Transitions, macros: Sequence[Macro], leaves: Sequence[Expr]) -> tuple[Transitions, list[Macro]]:
    """The system with, for every one-step macro that can be repeated for ever, a step that stands still instead.

    Such a step is possible where the macro's guard holds, cannot cease to hold, and no comparison of ``leaves`` can change its truth
    while the macro is repeated.  So an infinite run that ends in standing still tells of an infinite run of the system on which the leaves
    have the same truth, point by point.
    """
    terms = system.terms
    atoms = [term for term in subterms(*leaves) if isinstance(term, t.Compare) and term.left.sort is Sort.NUMBER]
    plain = terms.conjunction(part.relation for part in system.parts)
    options, used = [plain], []
    for macro in macros:
        stable = _stable(terms, macro, atoms)
        if len(macro.inputs) == 1 and stable is not None:
            still = [
                terms.compare(
                    "=",
                    terms.variable(*primed_key(one.key), one.domain.sort),
                    terms.variable(*one.key, one.domain.sort),
                )
                for one in system.variables
            ]
            options.append(terms.conjunction((*macro.guard, *stable, *still)))
            used.append(macro)
    keys = tuple(one.key for one in system.variables)
    part = StepPart(terms.disjunction(options), keys, TRUE)
    return Transitions(system.variables, system.inputs, system.initial, (part,), terms), used


def _stable(terms: Terms, macro: Macro, atoms: Sequence[t.Compare]) -> list[Expr] | None:
    """Where the truth of the atoms cannot change while the macro is repeated; None if its guard ceases to hold."""
    for literal in macro.guard:
        if isinstance(literal, t.Compare) and literal.left.sort is Sort.NUMBER:
            drift = _drift(terms, macro, literal)
            if drift is None or drift > 0 or (drift and literal.op is t.Comparison.EQUAL):
                return None
    conditions: list[Expr] = []
    for atom in atoms:
        drift = _drift(terms, macro, atom)
        if drift is None:
            return None
        if not drift:
            continue
        if atom.op is t.Comparison.EQUAL:
            sides = (atom.right, atom.left) if drift > 0 else (atom.left, atom.right)
            conditions.append(terms.compare("<", *sides))
        else:
            conditions.append(atom if drift < 0 else terms.negate(atom))
    return conditions


def _drift(terms: Terms, macro: Macro, atom: t.Compare) -> Fraction | None:
    """By how much the difference of an atom's sides, left minus right, grows in a round."""
    form = linear_form(terms.arith("-", atom.left, atom.right))
    if form is None:
        return None
    adds = dict(macro.adds)
    return sum((factor * adds.get(key, Fraction(0)) for key, factor in form.factors), Fraction(0))


def constant(terms: Terms, value: Expr, state: Valuation) -> bool | int | str | Fraction:
    """The value of an expression in a state."""
    result = fold(terms, value, state)
    assert isinstance(result, t.Const)
    return result.value
