"""Expressions as ISPL text."""

from __future__ import annotations

from epistrat.terms import Expr, Sort, Terms
from epistrat.terms.show import show_condition, show_expr

terms = Terms()
x, y, z = (terms.variable("A", name, Sort.BOOLEAN) for name in "xyz")
n, m = terms.variable("A", "n", Sort.NUMBER), terms.variable("Environment", "m", Sort.NUMBER)
colour = terms.variable("A", "colour", Sort.NAME)


def number(value: int) -> Expr:
    return terms.number(value)


def test_conditions_compare_booleans_with_constants() -> None:
    assert show_condition(x, "A") == "x = true"
    assert show_condition(terms.negate(x), "A") == "x = false"
    assert show_condition(x) == "A.x = true"
    assert show_condition(terms.boolean(True)) == "true"


def test_conditions_use_words() -> None:
    either = terms.disjunction((x, terms.conjunction((y, terms.negate(z)))))
    assert show_condition(either, "A") == "x = true or (y = true and z = false)"
    assert show_condition(terms.negate(either), "A") == "!(x = true or (y = true and z = false))"


def test_values_use_bit_operators() -> None:
    assert show_expr(terms.conjunction((x, terms.disjunction((y, terms.negate(z))))), "A") == "x & (y | (~z))"
    assert show_expr(terms.exclusive(x, y), "A") == "x ^ y"
    assert show_condition(terms.exclusive(x, y), "A") == "(x ^ y) = true"
    assert show_condition(terms.compare("=", x, terms.conjunction((y, z))), "A") == "x = (y & z)"


def test_exclusive_or_of_comparisons_is_spelt_out() -> None:
    odd = terms.exclusive(terms.compare("<", n, number(1)), x)
    assert show_condition(odd, "A") == "((n < 1) and !(x = true)) or (!(n < 1) and (x = true))"
    assert show_condition(terms.conjunction((odd, y)), "A").endswith(") and y = true")


def test_comparisons() -> None:
    assert show_condition(terms.compare("<>", n, number(3)), "A") == "n <> 3"
    assert show_condition(terms.compare(">", n, m), "A") == "Environment.m < n"
    assert show_condition(terms.negate(terms.compare("<", n, m)), "A") == "!(n < Environment.m)"
    assert show_condition(terms.compare("=", colour, terms.name("red")), "A") == "colour = red"
    assert show_expr(terms.compare("<=", n, number(-1)), "A") == "n <= -1"
    assert show_expr(terms.conjunction((x, terms.compare("<", n, number(1)))), "A") == "x & (n < 1)"


def test_arithmetic_keeps_its_order() -> None:
    def infix(op: str, left: Expr, right: Expr) -> Expr:
        return terms.arith(op, left, right)

    assert show_expr(infix("-", infix("-", n, m), number(1)), "A") == "n - Environment.m - 1"
    assert show_expr(infix("-", n, infix("-", m, number(1))), "A") == "n - (Environment.m - 1)"
    assert show_expr(infix("*", infix("+", n, number(1)), number(2)), "A") == "(n + 1) * 2"
    assert show_expr(infix("+", infix("*", n, number(2)), number(1)), "A") == "n * 2 + 1"
    assert show_expr(infix("/", n, infix("*", m, number(2))), "A") == "n / (Environment.m * 2)"


def test_actions() -> None:
    own, other = terms.action("A", "go"), terms.action("B", "stop")
    assert show_condition(terms.conjunction((own, terms.negate(other))), "A") == "Action = go and !(B.Action = stop)"
    assert show_expr(own, "A") == "Action = go"


def test_depth_costs_no_stack() -> None:
    total = n
    for _ in range(5_000):
        total = terms.arith("+", total, number(1))
    assert show_expr(total, "A").count("+") == 5_000
