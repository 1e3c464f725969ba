"""What is left of an expression when some variables are known; and straight lines: expressions linear in one variable."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from epistrat import terms as t
from epistrat.model.evaluate import apply
from epistrat.terms import Expr, Sort, Terms, Value, bottom_up

Key = tuple[str, str]


def fold(terms: Terms, expr: Expr, known: Mapping[Key, Value]) -> Expr:
    """The expression with known variables replaced by their values and everything constant computed."""
    return bottom_up(expr, lambda term, parts: _fold_one(terms, term, known, tuple(parts)))


def _fold_one(terms: Terms, expr: Expr, known: Mapping[Key, Value], new: tuple[Expr, ...]) -> Expr:
    match expr:
        case t.Var():
            return t.Const(known[expr.key], expr.sort) if expr.key in known else expr
        case t.Const() | t.ActionIs():
            return expr
        case t.Not():
            return terms.negate(new[0])
        case t.And():
            return terms.conjunction(new)
        case t.Or():
            return terms.disjunction(new)
        case t.AtLeast(number):
            return terms.at_least(number, new)
        case t.Xor():
            return terms.exclusive(new[0], new[1])
        case t.Compare() | t.Arith():
            left, right = new
            if isinstance(left, t.Const) and isinstance(right, t.Const):
                return t.Const(apply(expr, [left.value, right.value]), expr.sort)
            if isinstance(expr, t.Arith):
                return terms.arith(expr.op.value, left, right)
            return terms.compare(expr.op.value, left, right)


def linear(expr: Expr) -> tuple[Fraction, Fraction] | None:
    """(a, b) where the expression is a·x + b for its one variable x, or None where it has no such form."""
    return bottom_up(expr, _linear_one)


def _linear_one(expr: Expr, parts: list[tuple[Fraction, Fraction] | None]) -> tuple[Fraction, Fraction] | None:
    if expr.sort is not Sort.NUMBER:
        return None
    match expr:
        case t.Const(value):
            finite = isinstance(value, (int, Fraction))
            return (Fraction(0), Fraction(value)) if finite else None
        case t.Var():
            return Fraction(1), Fraction(0)
        case t.Arith(op):
            one, other = parts
            if one is None or other is None:
                return None
            return _combine(op, one, other)
    return None


def _combine(
    op: t.Operation, one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]
) -> tuple[Fraction, Fraction] | None:
    match op:
        case t.Operation.PLUS:
            return one[0] + other[0], one[1] + other[1]
        case t.Operation.MINUS:
            return one[0] - other[0], one[1] - other[1]
        case t.Operation.TIMES:
            if one[0] and other[0]:
                return None
            factor, line = (one[1], other) if not one[0] else (other[1], one)
            return factor * line[0], factor * line[1]
        case t.Operation.DIVIDE:
            if other[0] or not other[1]:
                return None
            return one[0] / other[1], one[1] / other[1]
