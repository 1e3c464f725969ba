"""Predicates: the conditions on numbers that an abstract state decides.

A comparison of linear expressions is brought into one form: a sum of variables with whole factors, the first of them positive, against a
bound.  Over whole numbers and other grids only ``sum <= bound`` is needed; over reals also ``sum < bound``.  ``sum = bound`` is decided
by the two neighbouring bounds, so abstract states are always ordered along each sum.  What is not linear stays one opaque predicate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import TypeAlias

from epistrat import terms as t
from epistrat.model.fold import fold
from epistrat.records import dataclass
from epistrat.terms import Domain, Expr, Key, Sort, Terms, subterms, variables
from epistrat.terms.linear import Linear, linear_form
from epistrat.terms.show import show_expr

Grid: TypeAlias = Callable[[Key], Fraction | None]
"""The number of which all values of a variable are multiples; None for any real number."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """``form <= bound``, or ``form < bound`` where ``strict`` (only where a real variable occurs); the form has no constant."""

    form: Linear
    bound: Fraction
    strict: bool = False

    @property
    def keys(self) -> frozenset[Key]:
        """The variables it is about."""
        return frozenset(key for key, _ in self.form.factors)

    def condition(self, terms: Terms) -> Expr:
        """The predicate as an expression."""
        return terms.compare("<" if self.strict else "<=", self.form.expression(terms), terms.number(self.bound))

    def __str__(self) -> str:
        return show_expr(self.condition(Terms()))


@dataclass(frozen=True, slots=True)
class Opaque:
    """A condition that is not linear; with ``domain``: that the value of a number expression lies in it."""

    expr: Expr
    domain: Domain | None = None

    @property
    def keys(self) -> frozenset[Key]:
        """The variables it is about."""
        return variables(self.expr)

    def __str__(self) -> str:
        return show_expr(self.expr) + (f" in {self.domain}" if self.domain is not None else "")


Predicate: TypeAlias = Threshold | Opaque


class Shape(Enum):
    """How a condition is made of its predicates: of one, of its negation, of "the first but not the second", or of none."""

    POSITIVE = 1
    NEGATIVE = 2
    BETWEEN = 3
    TRUE = 4
    FALSE = 5


@dataclass(frozen=True, slots=True)
class Decided:
    """A condition as a combination of at most two predicates."""

    shape: Shape
    predicates: tuple[Predicate, ...] = ()


def decide(expr: t.Compare, grid: Grid) -> Decided:
    """A comparison of numbers by predicates."""
    left, right = linear_form(expr.left), linear_form(expr.right)
    if left is None or right is None:
        return _opaque(Opaque(expr))
    return decide_form(expr.op, left - right, grid)


def _opaque(predicate: Opaque) -> Decided:
    """A condition that is not linear: a predicate of its own, or its truth where no variable occurs (``1/0 > 3`` is true)."""
    if predicate.keys:
        return Decided(Shape.POSITIVE, (predicate,))
    value = fold(Terms(), predicate.expr, {})
    assert isinstance(value, t.Const)
    true = value.value is True if predicate.domain is None else value.value in predicate.domain
    return Decided(Shape.TRUE if true else Shape.FALSE)


def decide_form(op: t.Comparison, difference: Linear, grid: Grid) -> Decided:
    """``difference op 0`` by predicates."""
    scaled = difference.scaled()
    form, bound = Linear(scaled.factors), -scaled.constant
    if not form.factors:
        true = (bound == 0) if op is t.Comparison.EQUAL else (bound > 0 if op is t.Comparison.LESS else bound >= 0)
        return Decided(Shape.TRUE if true else Shape.FALSE)
    flipped = form.factors[0][1] < 0
    if flipped:
        form, bound = form.times(Fraction(-1)), -bound
    steps = [None if (step := grid(key)) is None else step * factor for key, factor in form.factors]
    if None not in steps:
        return _decide_on_grid(op, form, bound, flipped, common_measure([step for step in steps if step is not None]))
    if op is t.Comparison.EQUAL:
        return Decided(Shape.BETWEEN, (Threshold(form, bound), Threshold(form, bound, strict=True)))
    strict = op is t.Comparison.LESS
    if flipped:  # form >= bound is the negation of form < bound
        return Decided(Shape.NEGATIVE, (Threshold(form, bound, not strict),))
    return Decided(Shape.POSITIVE, (Threshold(form, bound, strict),))


def _decide_on_grid(op: t.Comparison, form: Linear, bound: Fraction, flipped: bool, step: Fraction) -> Decided:
    """The same for a sum that is always a multiple of the step."""
    place = bound / step
    if op is t.Comparison.EQUAL:
        if place.denominator != 1:
            return Decided(Shape.FALSE)
        return Decided(Shape.BETWEEN, (Threshold(form, bound), Threshold(form, bound - step)))
    if flipped:
        last_below = ceil(place) - 1 if op is t.Comparison.LESS_EQUAL else floor(place)
        return Decided(Shape.NEGATIVE, (Threshold(form, last_below * step),))
    highest = floor(place) if op is t.Comparison.LESS_EQUAL else ceil(place) - 1
    return Decided(Shape.POSITIVE, (Threshold(form, highest * step),))


def common_measure(amounts: Iterable[Fraction]) -> Fraction:
    """The largest number of which all amounts are whole multiples; 1 if all of them are zero."""
    known = [amount for amount in amounts if amount]
    if not known:
        return Fraction(1)
    denominator = lcm(*(amount.denominator for amount in known))
    return Fraction(gcd(*(int(amount * denominator) for amount in known)), denominator)


def fitting(value: Expr, domain: Domain, grid: Grid) -> list[Decided]:
    """That a number expression has a value in a domain: all of the conditions returned."""
    form = linear_form(value)
    if form is None:
        return [_opaque(Opaque(value, domain))]
    conditions: list[Decided] = []
    steps = [(grid(key), factor) for key, factor in form.factors]
    whole = all(step is not None and (step * factor).denominator == 1 for step, factor in steps)
    if not isinstance(domain, t.Real) and not (whole and form.constant.denominator == 1):
        conditions.append(_opaque(Opaque(value, t.Integer())))
    if isinstance(domain, t.Bounded):
        low, high = Linear((), Fraction(domain.low)), Linear((), Fraction(domain.high))
        conditions.append(decide_form(t.Comparison.LESS_EQUAL, low - form, grid))
        conditions.append(decide_form(t.Comparison.LESS_EQUAL, form - high, grid))
    return conditions


def comparisons(*exprs: Expr) -> Iterator[t.Compare]:
    """The comparisons of numbers in the expressions."""
    for term in subterms(*exprs):
        if isinstance(term, t.Compare) and term.left.sort is Sort.NUMBER:
            yield term


def predicates_in(exprs: Iterable[Expr], grid: Grid) -> dict[Predicate, None]:
    """The predicates that decide all comparisons of numbers in the expressions, in order of appearance."""
    found: dict[Predicate, None] = {}
    for comparison in comparisons(*exprs):
        found.update(dict.fromkeys(decide(comparison, grid).predicates))
    return found


def whole_variables(domains: Mapping[Key, Domain]) -> Grid:
    """The grid of whole numbers for those variables that hold them."""
    reals = {key for key, domain in domains.items() if isinstance(domain, t.Real)}
    return lambda key: None if key in reals else Fraction(1)


def substituted(form: Linear, values: Mapping[Key, Linear]) -> Linear:
    """The form after the assignments."""
    result = Linear((), form.constant)
    for key, factor in form.factors:
        result = result + values.get(key, Linear(((key, Fraction(1)),))).times(factor)
    return result


def is_numeric(domain: Domain) -> bool:
    """Whether values of the domain are kept by predicates, not by bits."""
    return not isinstance(domain, t.Enumeration) and domain.sort is Sort.NUMBER
