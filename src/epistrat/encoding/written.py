"""What an assignment writes: the new value as bits, where it is a value of the target, and where it lies beyond the target's bounds.

The last two differ by fractions: one and a half is no value of ``0 .. 3``, but within its bounds.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from epistrat.encoding.bits import Field
from epistrat.encoding.conditions import Conditions
from epistrat.encoding.part import Part
from epistrat.terms import Bounded, Const, Expr, Sort, Var
from epistrat.terms.linear import Linear, linear_form


class Written(NamedTuple):
    """The bits of the new value (most significant first), where they are a value, and where the value is out of bounds."""

    bits: list[Part]
    inside: Part
    beyond: Part


def written(expr: Expr, target: Field, conditions: Conditions) -> Written:
    """What becomes of the target when the expression's value is assigned to it."""
    algebra = conditions.algebra
    always, never = Part(algebra.true, 0), Part(algebra.false, 0)
    if expr.sort is Sort.BOOLEAN:
        return Written([conditions.part(expr)], always, never)
    if isinstance(expr, Const):
        return _constant(expr, target, conditions)
    if isinstance(expr, Var):
        source = conditions.layout.variables[expr.key]
        if source.domain == target.domain:
            return Written([Part(algebra.var[bit], 1 << bit) for bit in source.bits], always, never)
    if isinstance(target.domain, Bounded):
        form = linear_form(expr)
        if form is not None and form.whole()[2] == 1:
            bits, inside, support = conditions.sums.code(form, target.domain, len(target.bits))
            return Written([Part(bit, support) for bit in bits], Part(inside, support), Part(~inside, support))
        if form is not None:
            return _fraction(form, target, target.domain, conditions)
    return _by_table(expr, target, conditions) or _by_cases(expr, target, conditions)


def _constant(expr: Const, target: Field, conditions: Conditions) -> Written:
    algebra = conditions.algebra
    always, never = Part(algebra.true, 0), Part(algebra.false, 0)
    code = target.code(expr.value)
    if code is None:
        return Written([never for _ in target.bits], never, always if _beyond(expr.value, target) else never)
    places = range(len(target.bits) - 1, -1, -1)
    return Written([always if code >> place & 1 else never for place in places], always, never)


def _fraction(form: Linear, target: Field, domain: Bounded, conditions: Conditions) -> Written:
    """A linear value that need not be whole: one condition for each value of the target."""
    sums = conditions.sums
    low, high = (Linear(constant=Fraction(bound)) for bound in (domain.low, domain.high))
    values = range(domain.low, domain.high + 1)
    chosen = [(value, sums.zero(form - Linear(constant=Fraction(value)))) for value in values]
    below, above = sums.negative(form - low), sums.negative(high - form)
    return _collect(chosen, conditions.join.any([below, above]), target, conditions)


def _by_table(expr: Expr, target: Field, conditions: Conditions) -> Written | None:
    """What is not linear, over few bits; None where there is no table, or the target takes no numbers."""
    table = conditions.tables.table(expr)
    if table is None or not isinstance(target.domain, Bounded):
        return None
    (values,) = table.values
    part = conditions.tables.part
    inside = table.valid & (values >= target.domain.low) & (values <= target.domain.high)
    places = range(len(target.bits) - 1, -1, -1)
    bits = [part(inside & ((values - target.domain.low) >> place & 1 == 1), table.support) for place in places]
    return Written(bits, part(inside, table.support), part(table.valid & ~inside, table.support))


def _by_cases(expr: Expr, target: Field, conditions: Conditions) -> Written:
    cases = conditions.cases(expr)
    beyond = conditions.join.any([part for value, part in cases if _beyond(value, target)])
    return _collect([(v, part) for v, part in cases if target.code(v) is not None], beyond, target, conditions)


def _collect(chosen: list[tuple[Any, Part]], beyond: Part, target: Field, conditions: Conditions) -> Written:
    """The bits, given the condition for each value of the target."""
    join = conditions.join
    coded = [(target.code(value) or 0, part) for value, part in chosen]
    places = range(len(target.bits) - 1, -1, -1)
    bits = [join.any([part for code, part in coded if code >> place & 1]) for place in places]
    return Written(bits, join.any([part for _, part in coded]), beyond)


def _beyond(value: Any, target: Field) -> bool:
    """Whether a number lies outside the target's bounds, if it has some."""
    return isinstance(target.domain, Bounded) and not target.domain.low <= value <= target.domain.high
