"""Expressions with parts replaced, in normal form."""

from __future__ import annotations

from collections.abc import Mapping

from epistrat.terms import expr as t
from epistrat.terms.expr import Expr, Terms, children, subterms


def substitute(terms: Terms, expr: Expr, replaced: Mapping[Expr, Expr]) -> Expr:
    """The expression with every occurrence of a key of ``replaced`` turned into its value, all at once."""
    done: dict[Expr, Expr] = {}
    for term in subterms(expr):
        found = replaced.get(term)
        done[term] = found if found is not None else rebuilt(terms, term, [done[child] for child in children(term)])
    return done[expr]


def rebuilt(terms: Terms, expr: Expr, new: list[Expr]) -> Expr:
    """The expression with other operands."""
    match expr:
        case t.Const() | t.Var() | t.ActionIs():
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
        case t.Compare(op):
            return terms.compare(op.value, new[0], new[1])
        case t.Arith(op):
            return terms.arith(op.value, new[0], new[1])
