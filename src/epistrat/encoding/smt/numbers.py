"""Arithmetic of ``model.evaluate`` as terms of Z3, infinities included.

Only a division by something that may be zero makes infinities; where none occurs a number is just its term.  Otherwise it carries
three conditions: that it is plus infinity, minus infinity, or nothing at all (infinity minus infinity and its kin).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import z3

from epistrat.records import dataclass
from epistrat.terms import Comparison, Operation


@dataclass(frozen=True, slots=True)
class Special:
    """When a number is no finite one."""

    plus: Any
    minus: Any
    nothing: Any


@dataclass(frozen=True, slots=True)
class Number:
    """A term of sort Int or Real, meaningful where the number is finite; ``special`` is None where it always is."""

    term: Any
    special: Special | None = None


class Numbers:
    """Arithmetic in one context of Z3."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._never = z3.BoolVal(False, context)
        self._ordinary = Special(self._never, self._never, self._never)

    def rational(self, value: Fraction) -> Any:
        """A constant: Int where it is whole, else Real."""
        if value.denominator == 1:
            return z3.IntVal(value.numerator, self._context)
        return z3.RealVal(str(value), self._context)

    def apply(self, op: Operation, left: Number, right: Number) -> Number:
        """``left op right``."""
        match op:
            case Operation.PLUS:
                return self._add(left, right)
            case Operation.MINUS:
                return self._add(left, self._negated(right))
            case Operation.TIMES:
                return self._multiply(left, right)
            case Operation.DIVIDE:
                return self._divide(left, right)

    def _negated(self, number: Number) -> Number:
        special = number.special
        return Number(-number.term, special and Special(special.minus, special.plus, special.nothing))

    def _add(self, left: Number, right: Number) -> Number:
        one, two = _same_sort(left.term, right.term)
        if left.special is None and right.special is None:
            return Number(one + two)
        a, b = left.special or self._ordinary, right.special or self._ordinary
        nothing = z3.Or(a.nothing, b.nothing, z3.And(a.plus, b.minus), z3.And(a.minus, b.plus))
        plus = z3.And(z3.Or(a.plus, b.plus), z3.Not(nothing))
        minus = z3.And(z3.Or(a.minus, b.minus), z3.Not(nothing))
        return Number(one + two, Special(plus, minus, nothing))

    def _multiply(self, left: Number, right: Number) -> Number:
        one, two = _same_sort(left.term, right.term)
        if left.special is None and right.special is None:
            return Number(one * two)
        a, b = left.special or self._ordinary, right.special or self._ordinary
        infinite = z3.Or(a.plus, a.minus, b.plus, b.minus)
        zero = z3.Or(self._is_zero(left), self._is_zero(right))
        nothing = z3.Or(a.nothing, b.nothing, z3.And(infinite, zero))
        same = self._positive(left) == self._positive(right)
        whole = z3.And(infinite, z3.Not(nothing))
        return Number(one * two, Special(z3.And(whole, same), z3.And(whole, z3.Not(same)), nothing))

    def _divide(self, left: Number, right: Number) -> Number:
        a, b = left.special or self._ordinary, right.special or self._ordinary
        one, two = _real(left.term), _real(right.term)
        infinite_left, infinite_right = z3.Or(a.plus, a.minus), z3.Or(b.plus, b.minus)
        finite_left = z3.Not(z3.Or(infinite_left, a.nothing))
        finite_right = z3.Not(z3.Or(infinite_right, b.nothing))
        by_zero = z3.And(finite_right, two == 0)
        nothing = z3.Or(a.nothing, b.nothing, z3.And(infinite_left, infinite_right))
        # A finite number by zero: the sign of the dividend; infinity by zero stays what it is.
        from_zero = z3.And(finite_left, by_zero)
        divided = z3.And(infinite_left, finite_right, two != 0)
        plus = z3.Or(
            z3.And(from_zero, one > 0), z3.And(by_zero, a.plus), z3.And(divided, self._positive(left) == (two > 0))
        )
        minus = z3.Or(
            z3.And(from_zero, one < 0), z3.And(by_zero, a.minus), z3.And(divided, self._positive(left) != (two > 0))
        )
        quotient = z3.If(z3.Or(infinite_right, two == 0), z3.RealVal(0, self._context), one / two)
        return Number(quotient, Special(plus, minus, nothing))

    def _is_zero(self, number: Number) -> Any:
        s = number.special
        zero = number.term == 0
        return zero if s is None else z3.And(zero, z3.Not(z3.Or(s.plus, s.minus, s.nothing)))

    def _positive(self, number: Number) -> Any:
        s = number.special
        positive = number.term > 0
        return positive if s is None else z3.Or(s.plus, z3.And(positive, z3.Not(s.minus)))

    def compare(self, op: Comparison, left: Number, right: Number) -> Any:
        """``left op right``; nothing compares with what is no number."""
        one, two = _same_sort(left.term, right.term)
        finite = one == two if op is Comparison.EQUAL else one < two if op is Comparison.LESS else one <= two
        if left.special is None and right.special is None:
            return finite
        a, b = left.special or self._ordinary, right.special or self._ordinary
        specials = (a.plus, a.minus, a.nothing, b.plus, b.minus, b.nothing)
        same = z3.Or(z3.And(a.plus, b.plus), z3.And(a.minus, b.minus))
        less = z3.Or(z3.And(a.minus, z3.Not(b.minus)), z3.And(b.plus, z3.Not(a.plus)))
        infinite = same if op is Comparison.EQUAL else less if op is Comparison.LESS else z3.Or(same, less)
        numbers = z3.Not(z3.Or(a.nothing, b.nothing))
        return z3.And(numbers, z3.Or(z3.And(finite, z3.Not(z3.Or(*specials))), infinite))

    def equal(self, left: Number, right: Number) -> Any:
        """Both are the same finite number; the left one is known to be finite."""
        one, two = _same_sort(left.term, right.term)
        return one == two

    def member(self, number: Number, whole: bool, low: int | None, high: int | None) -> Any:
        """The number is finite, whole if asked for, and within the bounds."""
        term = number.term
        parts = []
        if number.special is not None:
            parts.append(z3.Not(z3.Or(number.special.plus, number.special.minus, number.special.nothing)))
        if whole and z3.is_real(term):
            parts.append(z3.IsInt(term))
        if low is not None:
            parts.append(term >= low)
        if high is not None:
            parts.append(term <= high)
        return z3.And(*parts) if len(parts) > 1 else parts[0] if parts else z3.BoolVal(True, self._context)


def _real(term: Any) -> Any:
    return z3.ToReal(term) if z3.is_int(term) else term


def _same_sort(one: Any, two: Any) -> tuple[Any, Any]:
    return (one, two) if z3.is_int(one) and z3.is_int(two) else (_real(one), _real(two))
