"""Whether conditions exclude each other for reasons of form: they fix the same term to different values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from epistrat.terms import And, Compare, Comparison, Const, Expr, Not, Value

_MOST_PAIRWISE = 40  # conditions compared pair by pair


def disjoint(conditions: Sequence[Expr]) -> bool:
    """Whether it is plain that no two of the conditions hold together."""
    pending = [[_facts(condition) for condition in conditions]]
    while pending:
        group = pending.pop()
        if len(group) < 2:
            continue
        common = next((term for term in group[0][0] if all(term in fixed for fixed, _ in group[1:])), None)
        if common is None:
            if len(group) > _MOST_PAIRWISE or not all(_exclude(one, other) for one, other in combinations(group, 2)):
                return False
            continue
        sorted_by: dict[Value, list[_Facts]] = {}
        for fixed, literals in group:
            value = fixed.pop(common)
            sorted_by.setdefault(value, []).append((fixed, literals))
        if len(sorted_by) == 1 and not any(fixed for fixed, _ in group) and len(group) > _MOST_PAIRWISE:
            return False
        pending.extend(sorted_by.values())
    return True


_Facts = tuple[dict[Expr, Value], frozenset[Expr]]


def _facts(condition: Expr) -> _Facts:
    """The terms that a condition fixes to a value, and its conjuncts."""
    conjuncts = condition.args if isinstance(condition, And) else (condition,)
    fixed: dict[Expr, Value] = {}
    for one in conjuncts:
        match one:
            case Compare(Comparison.EQUAL, term, Const(value)) | Compare(Comparison.EQUAL, Const(value), term):
                fixed.setdefault(term, value)
    return fixed, frozenset(conjuncts)


def _exclude(one: _Facts, other: _Facts) -> bool:
    if any(term in other[0] and other[0][term] != value for term, value in one[0].items()):
        return True
    return any((literal.arg if isinstance(literal, Not) else Not(literal)) in other[1] for literal in one[1])
