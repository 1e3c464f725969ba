"""What is left of an expression when some variables are known."""

from __future__ import annotations

from collections.abc import Mapping

from epistrat.model.evaluate import apply
from epistrat.terms import Arith, Compare, Const, Expr, Key, Terms, Value, Var, bottom_up
from epistrat.terms.substitute import rebuilt


def fold(terms: Terms, expr: Expr, known: Mapping[Key, Value]) -> Expr:
    """The expression with known variables replaced by their values and everything constant computed."""

    def one(term: Expr, new: list[Expr]) -> Expr:
        match term, new:
            case Var(), _:
                return Const(known[term.key], term.sort) if term.key in known else term
            case Compare() | Arith(), [Const(left), Const(right)]:
                return Const(apply(term, [left, right]), term.sort)
        return rebuilt(terms, term, new)

    return bottom_up(expr, one)
