"""Conditions as Boolean functions: every kind of expression, exactly as `epistrat.model.evaluate` defines it.

Comparisons of linear terms go through `epistrat.encoding.sums`.  What is not linear (products of variables, divisions by them) is computed
for all values of its bits, where they are few (`epistrat.encoding.tables`); otherwise it is split into *cases*, the values a term can take
with the condition for each, computed with the evaluator's own exact arithmetic.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from epistrat import terms as t
from epistrat.encoding.bits import Field, Layout
from epistrat.encoding.boolean import BooleanConditions
from epistrat.encoding.junction import Junctions
from epistrat.encoding.part import Part, Tick, cube, mask_of, no_tick
from epistrat.encoding.sums import Sums
from epistrat.encoding.tables import Tables
from epistrat.model.evaluate import add, divide, multiply, subtract
from epistrat.solvers.bdd import Algebra
from epistrat.terms import Expr, Sort, subterms
from epistrat.terms.linear import Linear, linear_form

_OPERATE = {
    t.Operation.PLUS: add,
    t.Operation.MINUS: subtract,
    t.Operation.TIMES: multiply,
    t.Operation.DIVIDE: divide,
}
_COMPARE: dict[t.Comparison, Callable[[Any, Any], Any]] = {
    t.Comparison.EQUAL: operator.eq,
    t.Comparison.LESS: operator.lt,
    t.Comparison.LESS_EQUAL: operator.le,
}
Cases = list[tuple[Any, Part]]


class Conditions(BooleanConditions):
    """The conditions of one system over the bits of a layout.

    ``actions`` says what it means that an agent does an action.  Conditions under different meanings of actions (`under`) share what does
    not depend on them.
    """

    def __init__(
        self,
        algebra: Algebra,
        layout: Layout,
        actions: Mapping[tuple[str, str], Part],
        parent: Conditions | None = None,
        tick: Tick = no_tick,
    ) -> None:
        super().__init__(algebra, parent.join if parent else Junctions(algebra, tick))
        self.layout = layout
        self.actions = actions
        self._parent = parent
        self._tick: Tick = parent._tick if parent else tick
        self.sums: Sums = parent.sums if parent else Sums(algebra, layout.variables)
        self.tables: Tables = parent.tables if parent else Tables(algebra, layout, tick)
        self._cases: dict[Expr, Cases] = {}

    def under(self, actions: Mapping[tuple[str, str], Part]) -> Conditions:
        """The same system with another meaning of actions."""
        return Conditions(self.algebra, self.layout, actions, self._parent or self)

    def _leaf(self, expr: Expr) -> Part:
        match expr:
            case t.Var() | t.Compare() if self._parent is not None and not _mentions_action(expr):
                return self._parent.part(expr)
            case t.Var():
                field = self.layout.variables[expr.key]
                return Part(self.algebra.var[field.bits[0]], field.support)
            case t.ActionIs(agent, action):
                return self.actions[agent, action]
            case t.Compare(op, left, right):
                return self._compare(op, left, right)
            case _:
                raise TypeError("a number is not a condition")

    def _compare(self, op: t.Comparison, left: Expr, right: Expr) -> Part:
        if left.sort is Sort.NAME:
            return self._same_name(left, right)
        if op is t.Comparison.EQUAL and isinstance(left, t.Const):
            left, right = right, left
        if op is t.Comparison.EQUAL and isinstance(left, t.Var) and isinstance(right, t.Const):
            return self.equals(self.layout.variables[left.key], right.value)
        one, other = linear_form(left), linear_form(right)
        if one is None or other is None:
            return self._compare_table(op, left, right) or self._compare_cases(op, left, right)
        return self._compare_linear(op, one - other)

    def _compare_linear(self, op: t.Comparison, form: Linear) -> Part:
        if op is t.Comparison.EQUAL:
            return self.sums.zero(form)
        return self.sums.negative(form) if op is t.Comparison.LESS else self.sums.not_positive(form)

    def equals(self, field: Field, value: Any, following: bool = False) -> Part:
        """Where the field (its next value, if ``following``) has this value; nowhere if it cannot have it."""
        code = field.code(value)
        bits = field.next if following else field.bits
        if code is None:
            return self.constant(False)
        values = [(bit, bool(code >> position & 1)) for position, bit in enumerate(reversed(bits))]
        return Part(cube(self.algebra, values), mask_of(bits))

    def in_range(self, field: Field) -> Part:
        """Where the bits of a field are the code of a value."""
        if field.full:
            return Part(self.algebra.true, 0)
        bits = [self.algebra.var[bit] for bit in reversed(field.bits)]
        limit = len(field.domain)
        below = self.algebra.false
        for position, bit in enumerate(bits):
            below = ~bit | below if limit >> position & 1 else ~bit & below
        return Part(below, field.support)

    def _same_name(self, left: Expr, right: Expr) -> Part:
        if isinstance(left, t.Const):
            left, right = right, left
        if isinstance(left, t.Const) and isinstance(right, t.Const):
            return self.constant(left.value == right.value)
        assert isinstance(left, t.Var)
        one = self.layout.variables[left.key]
        if isinstance(right, t.Const):
            return self.equals(one, right.value)
        assert isinstance(right, t.Var)
        return self.same(one, self.layout.variables[right.key])

    def same(self, one: Field, other: Field) -> Part:
        """Where two fields have the same value, whatever their domains."""
        if one.domain == other.domain:
            return self.same_bits(one.bits, other.bits)
        common = [value for value in one.domain if value in other.domain]
        return self.join.any([self.join.all([self.equals(one, value), self.equals(other, value)]) for value in common])

    def same_bits(self, one: tuple[int, ...], other: tuple[int, ...]) -> Part:
        """Where the bits are equal, position by position."""
        result, support = self.algebra.true, 0
        for bit, twin in sorted(zip(one, other, strict=True), reverse=True):
            result = ~self.algebra.xor(self.algebra.var[bit], self.algebra.var[twin]) & result
            support |= 1 << bit | 1 << twin
        return Part(result, support)

    # -- what is not linear ------------------------------------------------------------------------------------------

    def cases(self, expr: Expr) -> Cases:
        """The values the term can take, each with the condition for it."""
        for term in subterms(expr):
            if term not in self._cases:
                self._cases[term] = self._split(term)
        return self._cases[expr]

    def _split(self, expr: Expr) -> Cases:
        match expr:
            case t.Const(value):
                return [(value, Part(self.algebra.true, 0))]
            case t.Var():
                field = self.layout.variables[expr.key]
                return [(value, self._ticking(self.equals(field, value))) for value in field.domain]
            case t.Arith(op, left, right):
                operate = _OPERATE[op]
                return self._merge(
                    (operate(one, other), Part(here.function & there.function, here.support | there.support))
                    for one, here in self._cases[left]
                    for other, there in self._cases[right]
                )
        raise TypeError("a condition is not a number")

    def _ticking(self, part: Part) -> Part:
        """The part; a domain may have many millions of values, and a limit must be noticed before all of them have theirs."""
        self._tick()
        return part

    def _merge(self, cases: Any) -> Cases:
        """Unite the conditions of equal values.  ``nan`` equals nothing, so it keeps cases of its own."""
        united: dict[Any, list[Part]] = {}
        for value, part in cases:
            self._tick()
            if part.function != self.algebra.false:
                united.setdefault(value, []).append(part)
        return [(value, self.join.any(parts)) for value, parts in united.items()]

    def _compare_table(self, op: t.Comparison, left: Expr, right: Expr) -> Part | None:
        table = self.tables.table(left, right)
        if table is None:
            return None
        one, other = table.values
        return self.tables.part(_COMPARE[op](one, other) & table.valid, table.support)

    def _compare_cases(self, op: t.Comparison, left: Expr, right: Expr) -> Part:
        matching: list[Part] = []
        for one, here in self.cases(left):
            self._tick()
            for other, there in self.cases(right):
                if _holds(op, one, other):
                    matching.append(Part(here.function & there.function, here.support | there.support))
        return self.join.any(matching)


def _holds(op: t.Comparison, one: Any, other: Any) -> bool:
    return bool(_COMPARE[op](one, other))


def _mentions_action(expr: Expr) -> bool:
    """Whether a condition reads actions."""
    return any(isinstance(term, t.ActionIs) for term in subterms(expr))
