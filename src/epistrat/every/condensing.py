"""Sums of counters that have a variable of their own, by that variable: what is asked of seen numbers then depends on these alone.

``seen = others_0 + others_1`` holds in every reachable state, so nothing changes there.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from epistrat.every import numbers
from epistrat.model.agent import Assignment, EvolutionLine
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.terms import Compare, Expr, Key, Sort, Terms, children, subterms
from epistrat.terms.linear import Linear, balanced, linear_form
from epistrat.terms.substitute import rebuilt

Sums = Mapping[Key, tuple[Key, ...]]
"""For a variable the counters of which it is the sum."""


def condensed(system: System, sums: Sums, terms: Terms) -> System:
    """The system with sums by their variables in guards and values; its initial condition says what they are."""
    if not sums:
        return system
    memo: dict[Expr, Expr] = {}
    first, *others = system.agents
    lines = [
        EvolutionLine(
            tuple([Assignment(one.target, _value(one.value, sums, terms)) for one in line.assignments]),
            condition(line.guard, sums, terms, memo),
        )
        for line in first.evolution
    ]
    return replace(system, agents=(replace(first, evolution=tuple(lines)), *others))


def condition(expr: Expr, sums: Sums, terms: Terms, memo: dict[Expr, Expr]) -> Expr:
    """A condition with sums by their variables."""
    for term in subterms(expr):
        if term in memo or term.sort is Sort.NUMBER:
            continue
        if isinstance(term, Compare) and term.left.sort is Sort.NUMBER:
            memo[term] = _compared(term, sums, terms)
        else:
            below = [memo.get(child, child) for child in children(term)]
            memo[term] = rebuilt(terms, term, below) if below else term
    return memo[expr]


def _compared(term: Compare, sums: Sums, terms: Terms) -> Expr:
    left, right = linear_form(term.left), linear_form(term.right)
    if left is None or right is None:
        return term
    form = left - right
    shorter = _shorter(form, sums)
    if shorter == form:
        return term
    found = terms.compare(term.op.value, shorter.expression(terms), terms.number(0))
    return balanced(terms, found) if isinstance(found, Compare) else found


def _value(expr: Expr, sums: Sums, terms: Terms) -> Expr:
    form = linear_form(expr) if expr.sort is Sort.NUMBER else None
    return expr if form is None else _shorter(form, sums).expression(terms)


def _shorter(form: Linear, sums: Sums) -> Linear:
    """The form with whole sums by their variables, the longest first."""
    for key, parts in sorted(sums.items(), key=lambda item: -len(item[1])):
        factors = dict(form.factors)
        found = {factors.get(part, Fraction(0)) for part in parts}
        if len(found) == 1 and found != {Fraction(0)}:
            factor = found.pop()
            form = (
                form - numbers.total(map(numbers.variable, parts)).times(factor) + numbers.variable(key).times(factor)
            )
    return form
