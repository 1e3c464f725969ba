"""Whole numbers that are linear in variables: what counters, thresholds and bounds are made of."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import floor

from epistrat.every.spots import Outside
from epistrat.terms import Expr, Key, Terms
from epistrat.terms.linear import Linear, balanced, linear_form

ZERO = Linear()


def whole(number: int) -> Linear:
    """A number."""
    return Linear((), Fraction(number))


def variable(key: Key) -> Linear:
    """A variable."""
    return Linear(((key, Fraction(1)),))


def total(parts: Iterable[Linear]) -> Linear:
    """The sum of all."""
    found = ZERO
    for one in parts:
        found = found + one
    return found


def linear(expr: Expr) -> Linear:
    """A number as a linear one."""
    found = linear_form(expr)
    if found is None:
        raise Outside("numbers that are not fixed are multiplied")
    return found


def at_most(terms: Terms, left: Linear, right: Linear) -> Expr:
    """``left <= right``, with every variable on the side where its factor is positive."""
    found = (left - right).scaled()
    if not found.factors:
        return terms.boolean(found.constant <= 0)
    tight = Linear(found.factors, Fraction(-floor(-found.constant)))
    return _balanced(terms, "<=", tight)


def equal(terms: Terms, left: Linear, right: Linear) -> Expr:
    """``left = right``"""
    found = (left - right).scaled()
    if not found.factors or found.constant.denominator != 1:
        return terms.boolean(not found.factors and not found.constant)
    return _balanced(terms, "=", found)


def _balanced(terms: Terms, op: str, form: Linear) -> Expr:
    found = terms.compare(op, form.expression(terms), terms.number(0))
    return balanced(terms, found)  # type: ignore[arg-type]  # a comparison of numbers stays one
