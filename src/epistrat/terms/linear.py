"""Linear forms: a number expression as a constant plus multiples of variables, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, lcm

from epistrat.records import dataclass
from epistrat.terms.domain import Sort
from epistrat.terms.expr import Arith, Compare, Const, Expr, Key, Operation, Terms, Var


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

    def whole(self) -> tuple[int, dict[Key, int], int]:
        """A constant and factors, all whole, and the least denominator by which their sum has to be divided."""
        denominator = lcm(self.constant.denominator, *(factor.denominator for _, factor in self.factors))
        factors = {key: int(factor * denominator) for key, factor in self.factors}
        return int(self.constant * denominator), factors, denominator

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
    factors: dict[Key, Fraction | int] = {}
    constant: Fraction | int = 0
    stack: list[tuple[Expr, Fraction | int]] = [(expr, 1)]
    while stack:
        term, factor = stack.pop()
        match term:
            case Const(value, Sort.NUMBER) if isinstance(value, (int, Fraction)):
                constant += factor * value
            case Var(sort=Sort.NUMBER):
                factors[term.key] = factors.get(term.key, 0) + factor
            case Arith(Operation.PLUS | Operation.MINUS, left, right):
                stack += [(left, factor), (right, factor if term.op is Operation.PLUS else -factor)]
            case Arith(Operation.TIMES, Const(value), part) | Arith(Operation.TIMES, part, Const(value)) if isinstance(
                value, (int, Fraction)
            ):
                stack.append((part, factor * value))
            case Arith(op, left, right):
                one, other = linear_form(left), linear_form(right)
                if one is None or other is None:
                    return None
                if op is Operation.TIMES and not one.factors:
                    one, other = other, one
                if other.factors or (op is Operation.DIVIDE and not other.constant):
                    return None
                scale = factor * (other.constant if op is Operation.TIMES else 1 / other.constant)
                constant += scale * one.constant
                for key, value in one.factors:
                    factors[key] = factors.get(key, 0) + scale * value
            case _:
                return None
    return Linear.of({key: Fraction(value) for key, value in factors.items()}, Fraction(constant))


def balanced(terms: Terms, comparison: Compare) -> Expr:
    """The comparison with every variable on the side where its factor is positive: ``id <= best`` for ``0 <= best - id``."""
    left, right = linear_form(comparison.left), linear_form(comparison.right)
    if left is None or right is None:
        return comparison
    form = left - right
    sides: list[dict[Key, Fraction]] = [{}, {}]
    for key, factor in form.factors:
        sides[factor < 0][key] = abs(factor)
    constant = form.constant
    here = not sides[1] or (bool(sides[0]) and constant < 0)  # where the constant is written, turned round
    one = Linear.of(sides[0], Fraction(0) if here else constant)
    other = Linear.of(sides[1], -constant if here else Fraction(0))
    return terms.compare(comparison.op.value, one.expression(terms), other.expression(terms))
