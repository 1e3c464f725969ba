"""Conditions in few words: a disjunction of conjunctions without the parts that follow from the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from epistrat.solvers.patience import PATIENT, Patience
from epistrat.terms import And, Compare, Comparison, Expr, Not, Or, Sort, Terms

Excluded = Callable[[Sequence[Expr]], bool]
"""Whether no state satisfies all of the conditions (False also where that is not found out)."""

_MOST_CASES = 24  # disjuncts of a condition that is shortened


def shortened(terms: Terms, condition: Expr, excluded: Excluded, patience: Patience = PATIENT) -> Expr:
    """A condition with the same truth in all states that are not excluded, mostly a shorter one."""
    cases = _cases(terms, condition, patience.most(_MOST_CASES))
    if cases is None:
        return condition
    outside = terms.negate(condition)
    wide = [_widened(terms, case, lambda some: excluded([*some, outside])) for case in cases]
    kept = list(dict.fromkeys(terms.conjunction(case) for case in wide))
    for case in sorted(kept, key=lambda one: -_size(one)):
        others = [terms.negate(other) for other in kept if other is not case]
        if excluded([case, *others]):
            kept.remove(case)
    return terms.disjunction(kept)


def _size(case: Expr) -> int:
    return len(case.args) if isinstance(case, And) else 1


def _widened(terms: Terms, case: list[Expr], inside: Callable[[Sequence[Expr]], bool]) -> list[Expr]:
    """Fewer and weaker literals such that the case still lies inside."""
    literals = sorted(dict.fromkeys(case), key=_is_equation)
    for literal in list(literals):
        place = literals.index(literal)
        others = [*literals[:place], *literals[place + 1 :]]
        if inside(others):
            literals = others
            continue
        for weaker in _weaker(terms, literal):
            if inside([*others, weaker]):
                literals[place] = weaker
                break
    return literals


def _is_equation(literal: Expr) -> bool:
    return isinstance(literal, Compare) and literal.op is Comparison.EQUAL


def _weaker(terms: Terms, literal: Expr) -> list[Expr]:
    match literal:
        case Compare(Comparison.EQUAL, left, right) if left.sort is Sort.NUMBER:
            return [terms.compare("<=", left, right), terms.compare("<=", right, left)]
        case _:
            return []


def _cases(terms: Terms, condition: Expr, most: int) -> list[list[Expr]] | None:
    """Conjunctions of literals, one of which is true where the condition is; None if they are many."""
    match condition:
        case Or(args):
            parts = [_cases(terms, arg, most) for arg in args]
            found = [case for part in parts if part is not None for case in part]
            return None if None in parts or len(found) > most else found
        case And(args):
            options = [_cases(terms, arg, most) for arg in args]
            known = [part for part in options if part is not None]
            count = 1
            for part in known:
                count *= len(part)
            if len(known) < len(options) or count > most:
                return None
            return [[literal for case in chosen for literal in case] for chosen in product(*known)]
        case Not(Or(args)):
            return _cases(terms, terms.conjunction(terms.negate(arg) for arg in args), most)
        case Not(And(args)):
            return _cases(terms, terms.disjunction(terms.negate(arg) for arg in args), most)
        case _:
            return [[condition]]
