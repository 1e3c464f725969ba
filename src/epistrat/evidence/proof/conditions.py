"""Expressions as Boolean functions: a condition is one function, a number or a name is one function for each value it can have.

What an operator means is asked of `model.evaluate`; nothing is rounded, and infinity and what is no number are values like others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from epistrat import terms as t
from epistrat.evidence.proof.bits import NotProvable, Space
from epistrat.model.evaluate import operation
from epistrat.model.system import System
from epistrat.solvers.bdd import Bdd
from epistrat.terms import Expr, children, subterms

_MOST_PAIRS = 200_000  # of values that one operation combines

Values = dict[Any, Bdd]
"""For each value the states (and actions) where the expression has it."""


class Conditions:
    """The expressions of a system as functions of its bits; ``does`` tells where an agent does an action."""

    def __init__(
        self, system: System, space: Space, does: Callable[[str, str], Bdd], base: Conditions | None = None
    ) -> None:
        self._space = space
        self._domain = {variable.key: variable.domain for variable in system.variables}
        self._does = does
        self._base = base
        self._known: dict[Expr, Any] = {}
        self._acting: set[Expr] = set()  # the known terms that speak of actions

    def truth(self, expr: Expr) -> Bdd:
        """Where a condition is true."""
        found: Bdd = self._meaning(expr)
        return found

    def values(self, expr: Expr) -> Values:
        """Where a number or a name has which value."""
        found: Values = self._meaning(expr)
        return found

    def _meaning(self, expr: Expr) -> Any:
        if expr not in self._known:
            for term in subterms(expr):
                if term not in self._known:
                    self._known[term] = self._made(term)
        return self._known[expr]

    def _made(self, term: Expr) -> Any:
        """The meaning of a term whose operands' meanings are known."""
        if isinstance(term, t.ActionIs) or any(child in self._acting for child in children(term)):
            self._acting.add(term)
        elif self._base is not None:
            return self._base._meaning(term)
        space, algebra = self._space, self._space.algebra
        args = [self._known[child] for child in children(term)]
        match term:
            case t.Const(value, sort):
                return {value: algebra.true} if sort is not t.Sort.BOOLEAN else algebra.true if value else algebra.false
            case t.Var():
                return self._variable(term)
            case t.ActionIs(agent, action):
                return self._does(agent, action)
            case t.Not():
                return ~args[0]
            case t.And():
                return space.conjunction(args)
            case t.Or():
                return space.disjunction(args)
            case t.AtLeast(number):
                return self._at_least(number, args)
            case t.Xor():
                return algebra.xor(*args)
            case t.Compare(op, left):
                if left.sort is t.Sort.BOOLEAN:
                    return ~algebra.xor(*args)
                return self._compared(op, *args)
            case t.Arith():
                return self._computed(term, *args)

    def _variable(self, variable: t.Var) -> Any:
        bits = self._space.now[variable.key]
        if variable.sort is t.Sort.BOOLEAN:
            return self._space.code(bits, 1)
        domain: Any = self._domain[variable.key]
        return {domain.at(code): self._space.code(bits, code) for code in range(domain.last + 1)}

    def _at_least(self, number: int, args: list[Bdd]) -> Bdd:
        """``exactly[n]``: just n of the operands looked at so far are true; the last entry: so many or more."""
        exactly = [self._space.algebra.true] + [self._space.algebra.false] * number
        for arg in args:
            shifted = [
                exactly[n] & ~arg | (exactly[n - 1] & arg if n else self._space.algebra.false) for n in range(number)
            ]
            exactly = [*shifted, exactly[number] | exactly[number - 1] & arg]
        return exactly[number]

    def _compared(self, op: t.Comparison, left: Values, right: Values) -> Bdd:
        """Where the comparison is true; what is no number compares with nothing."""
        left, right = _numbers(left), _numbers(right)
        if op is t.Comparison.EQUAL:
            return self._space.disjunction(where & right[value] for value, where in left.items() if value in right)
        least, parts = self._space.algebra.false, []
        waiting = sorted(left, reverse=True)
        for value in sorted(right):
            while waiting and (waiting[-1] < value or (waiting[-1] == value and op is t.Comparison.LESS_EQUAL)):
                least = least | left[waiting.pop()]
            parts.append(right[value] & least)
        return self._space.disjunction(parts)

    def _computed(self, term: t.Arith, left: Values, right: Values) -> Values:
        if len(left) * len(right) > _MOST_PAIRS:
            raise NotProvable("numbers with too many values are combined")
        found: Values = {}
        compute, false = operation(term), self._space.algebra.false
        for one, here in left.items():
            for other, there in right.items():
                both = here & there
                if both != false:
                    value = compute([one, other])
                    found[value] = found[value] | both if value in found else both
        return found


def _numbers(values: Values) -> Values:
    return {value: where for value, where in values.items() if value == value}
