"""Invariants inside an invariant, said by looking back: ``AG (p -> AG q)`` is true if q is true whenever p has been true.

Without quantifiers inside, proof search for invariants can answer them: what has been true is remembered in a variable.
"""

from __future__ import annotations

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, subformulae
from epistrat.logic.rewrite import FALSE, conjunction, disjunction, negation_normal_form

_PLAIN = (*logic.CONNECTIVES, *logic.ATOMS)


def looking_back(formula: Formula) -> Formula | None:
    """f, over conditions and Hist alone, such that ``AG f`` (in CTL's reading) is equivalent to the formula; None if there is none such.

    The formula must be ``AG`` over conditions, connectives and further ``AG``, of which no two are alternatives of each other.
    """
    body = _inside(formula)
    return None if body is None or is_plain(body) else _flat(FALSE, negation_normal_form(body))


def is_plain(formula: Formula) -> bool:
    """Whether the formula is a Boolean combination of atoms."""
    return all(isinstance(part, _PLAIN) for part in subformulae(formula))


def _inside(formula: Formula) -> Formula | None:
    """What ``AG`` says of all states, in CTL's reading; None for other formulae."""
    match formula:
        case logic.ForAll(logic.Globally(body), False):
            return body
        case _:
            return None


def _flat(before: Formula, body: Formula) -> Formula | None:
    """A formula without quantifiers that is always true where ``before``, which looks back, or the body, in normal form, always is."""
    match body:
        case _ if is_plain(body):
            return disjunction((before, body))
        case logic.And(args):
            parts = [_flat(before, arg) for arg in args]
            return None if None in parts else conjunction(part for part in parts if part is not None)
        case logic.Or(args):
            hard = [arg for arg in args if not is_plain(arg)]
            plain = disjunction(arg for arg in args if is_plain(arg))
            return _alternative(before, plain, hard[0]) if len(hard) == 1 else None
        case _:
            return _alternative(before, FALSE, body)


def _alternative(before: Formula, plain: Formula, hard: Formula) -> Formula | None:
    """One of the three is always true.  Where an inner AG is to take over, the other two must have been true up to then."""
    if isinstance(hard, logic.And):
        return _flat(before, conjunction(disjunction((plain, part)) for part in hard.args))
    inner = _inside(hard)
    if inner is None:
        return None
    held = disjunction((before, plain))
    return _flat(FALSE if held == FALSE else logic.Historically(held), inner)
