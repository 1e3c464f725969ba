"""Values of expressions: exact numbers, division by zero, depth."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from epistrat.model.agent import Agent, Variable
from epistrat.model.evaluate import Evaluator, Number, add, apply, divide, multiply, subtract
from epistrat.model.system import System
from epistrat.terms import ActionIs, Bounded, Compare, Comparison, Const, Expr, Terms, Var, children

terms = Terms()
VARIABLE = Variable("A", "n", Bounded(-9, 9))
n = terms.variable("A", "n", VARIABLE.domain.sort)
system = System((Agent("A", (VARIABLE,), actions=("go", "stop")),))

numbers = st.integers(-20, 20) | st.fractions(-5, 5, max_denominator=4)


@given(numbers, numbers)
def test_arithmetic_is_exact_and_whole_numbers_are_integers(left: Number, right: Number) -> None:
    for result, expected in (
        (add(left, right), Fraction(left) + Fraction(right)),
        (subtract(left, right), Fraction(left) - Fraction(right)),
        (multiply(left, right), Fraction(left) * Fraction(right)),
    ):
        assert result == expected
        assert isinstance(result, int) == (expected.denominator == 1)
    if right:
        assert divide(left, right) == Fraction(left) / Fraction(right)


def test_division_by_zero() -> None:
    assert divide(3, 0) == math.inf
    assert divide(-(10**400), 0) == -math.inf
    assert divide(0, 0) == 0
    assert divide(Fraction(1, 2), 0) == math.inf


def test_infinity_beside_finite_numbers() -> None:
    assert add(math.inf, 10**400) == math.inf
    assert subtract(5, math.inf) == -math.inf
    assert multiply(-3, math.inf) == -math.inf
    assert divide(5, math.inf) == 0
    assert isinstance(divide(5, math.inf), int)
    assert divide(math.inf, -2) == -math.inf
    assert divide(math.inf, 0) == math.inf
    assert math.isnan(subtract(math.inf, math.inf))
    assert math.isnan(multiply(0, math.inf))
    assert math.isnan(divide(1, math.nan))
    assert math.inf not in VARIABLE.domain


def deep(depth: int) -> Expr:
    total = n
    for _ in range(depth):
        total = terms.arith("+", total, terms.number(1))
    return total


@pytest.mark.parametrize("depth", [3, 100, 20_000])
def test_depth_costs_no_stack(depth: int) -> None:
    assert Evaluator(system).value(deep(depth), (2,)) == depth + 2


def test_deep_conditions_mean_what_shallow_ones_do() -> None:
    shallow = terms.variable("A", "n", VARIABLE.domain.sort)
    evaluator = Evaluator(system)
    condition: Expr = terms.compare("<", shallow, terms.number(3))
    for number in range(100):
        test = terms.compare("=" if number % 3 else "<=", n, terms.number(number % 9))
        action = terms.action("A", "go")
        joined = terms.exclusive if number % 2 else (lambda a, b: terms.disjunction((terms.negate(a), b)))
        condition = joined(terms.conjunction((condition, action)), test)
    for value in range(-9, 10):
        for joint in (("go",), ("stop",)):
            assert evaluator.holds(condition, (value,), joint) == _recursive(condition, value, joint[0])


def _recursive(expr: Expr, value: int, action: str) -> object:
    if isinstance(expr, Var):
        return value
    if isinstance(expr, Const):
        return expr.value
    if isinstance(expr, ActionIs):
        return expr.action == action
    return apply(expr, [_recursive(child, value, action) for child in children(expr)])


def test_leaves_have_no_operands_to_be_applied_to() -> None:
    assert apply(n, []) is None
    assert apply(Compare(Comparison.EQUAL, n, n), [1, 1]) is True
