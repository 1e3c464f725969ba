"""Linear forms: a number expression as a constant plus multiples of variables, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, lcm

from epistrat.records import dataclass
from epistrat.terms.domain import Sort
from epistrat.terms.expr import Arith, Const, Expr, Key, Operation, Terms, Var, bottom_up


@dataclass(frozen=True, slots=True)
class Linear:
    """``constant`` plus the sum of factor times variable; variables in sorted order, no factor is zero."""

    factors: tuple[tuple[Key, Fraction], ...] = ()
    constant: Fraction = Fraction(0)

    @staticmethod
    def of(factors: Mapping[Key, Fraction], constant: Fraction) -> Linear:
        """The form with these factors; zeros are dropped."""
        return Linear(tuple(sorted((key, factor) for key, factor in factors.items() if factor)), constant)

    def __add__(self, other: Linear) -> Linear:
        factors = dict(self.factors)
        for key, factor in other.factors:
            factors[key] = factors.get(key, Fraction(0)) + factor
        return Linear.of(factors, self.constant + other.constant)

    def times(self, factor: Fraction) -> Linear:
        """The form multiplied by a number."""
        return Linear.of({key: old * factor for key, old in self.factors}, self.constant * factor)

    def __sub__(self, other: Linear) -> Linear:
        return self + other.times(Fraction(-1))

    def scaled(self) -> Linear:
        """A positive multiple whose factors are whole numbers without a common divisor (the constant may be a fraction)."""
        if not self.factors:
            return self
        denominator = lcm(*(factor.denominator for _, factor in self.factors))
        divisor = gcd(*(int(factor * denominator) for _, factor in self.factors))
        return self.times(Fraction(denominator, divisor))

    def expression(self, terms: Terms) -> Expr:
        """The form as an expression."""
        result: Expr | None = None
        for (agent, name), factor in self.factors:
            variable = terms.variable(agent, name, Sort.NUMBER)
            size = abs(factor)
            part = variable if size == 1 else terms.arith("*", terms.number(size), variable)
            if result is None:
                result = part if factor > 0 else terms.arith("*", terms.number(factor), variable)
            else:
                result = terms.arith("+" if factor > 0 else "-", result, part)
        if result is None:
            return terms.number(self.constant)
        if self.constant:
            sign = "+" if self.constant > 0 else "-"
            result = terms.arith(sign, result, terms.number(abs(self.constant)))
        return result


def linear_form(expr: Expr) -> Linear | None:
    """The linear form of a number expression, or None where it has none (a product of variables, a division by one or by zero)."""
    return bottom_up(expr, _one)


def _one(expr: Expr, parts: list[Linear | None]) -> Linear | None:
    match expr:
        case Const(value, Sort.NUMBER) if isinstance(value, (int, Fraction)):
            return Linear((), Fraction(value))
        case Var(sort=Sort.NUMBER):
            return Linear(((expr.key, Fraction(1)),))
        case Arith(op):
            left, right = parts
            return None if left is None or right is None else _combine(op, left, right)
    return None


def _combine(op: Operation, left: Linear, right: Linear) -> Linear | None:
    match op:
        case Operation.PLUS:
            return left + right
        case Operation.MINUS:
            return left - right
        case Operation.TIMES:
            if left.factors and right.factors:
                return None
            return right.times(left.constant) if not left.factors else left.times(right.constant)
        case Operation.DIVIDE:
            return None if right.factors or not right.constant else left.times(1 / right.constant)
