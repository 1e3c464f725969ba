"""Formulae over infinite runs that have an equivalent in branching time."""

from __future__ import annotations

from epistrat.logic import formula as logic
from epistrat.logic.formula import FUTURE, Formula, is_state, operands, subformulae
from epistrat.logic.rewrite import negation_normal_form, with_operands


def branching(formula: Formula) -> Formula | None:
    """The formula with every quantifier directly above one temporal operator, or None where that is not possible.

    Where the formula ranges over infinite runs, it is equivalent only in systems without dead ends.
    """
    if not is_state(formula):
        formula = logic.ForAll(formula, star=True)
    done: dict[Formula, Formula | None] = {}
    for part in subformulae(formula):
        if not is_state(part):
            continue
        done[part] = _one(part, done)
    return done[formula]


def over_all_runs(formula: Formula) -> Formula:
    """The formula with CTL's reading of its quantifiers; it is equivalent where no run ends."""
    done: dict[Formula, Formula] = {}
    for part in subformulae(formula):
        new = with_operands(part, tuple(done[operand] for operand in operands(part)))
        if isinstance(new, (logic.ForAll, logic.Exists)):
            new = type(new)(new.arg)
        done[part] = new
    return done[formula]


def _one(part: Formula, done: dict[Formula, Formula | None]) -> Formula | None:
    if isinstance(part, (logic.ForAll, logic.Exists)) and part.star:
        return _quantified(part, done)
    if isinstance(part, (logic.ForAll, logic.Exists, logic.Coalition)):
        shape = _replaced(part.arg, done)
        return None if shape is None else with_operands(part, (shape,))
    if isinstance(part, logic.KNOWING) and not is_state(part.arg):
        return None
    return _replaced(part, done)


def _replaced(part: Formula, done: dict[Formula, Formula | None]) -> Formula | None:
    new = [done.get(operand) for operand in operands(part)]
    if any(operand is None for operand in new):
        return None
    return with_operands(part, tuple(operand for operand in new if operand is not None))


def _quantified(part: Formula, done: dict[Formula, Formula | None]) -> Formula | None:
    """``A f`` over runs, by the rules for ``A (f & g)``, ``A G f``, ``A (p | f)``, ``A X f``, ``A F p``, ``A (p U q)``."""
    assert isinstance(part, (logic.ForAll, logic.Exists))
    universal = isinstance(part, logic.ForAll)
    body = negation_normal_form(part.arg if universal else logic.Not(part.arg))
    found = _all_runs(body, done)
    return found if universal or found is None else logic.Not(found)


def _all_runs(body: Formula, done: dict[Formula, Formula | None]) -> Formula | None:
    """A branching formula that is true where the body, in negation normal form, is true on all runs."""
    if is_state(body):
        return done[body] if body in done else branching(body)
    match body:
        case logic.And(args):
            parts = [_all_runs(arg, done) for arg in args]
            return None if any(part is None for part in parts) else logic.And(tuple(p for p in parts if p is not None))
        case logic.Or(args):
            now = [arg for arg in args if is_state(arg)]
            later = [arg for arg in args if not is_state(arg)]
            parts = [_all_runs(arg, done) for arg in [*now, *later]]
            if len(later) > 1 or any(part is None for part in parts):
                return None
            return logic.Or(tuple(part for part in parts if part is not None))
        case logic.Globally(arg) | logic.Next(arg):
            inner = _all_runs(arg, done)
            return None if inner is None else logic.ForAll(type(body)(inner), star=True)
        case _ if isinstance(body, FUTURE) and all(is_state(operand) for operand in operands(body)):
            parts = [_all_runs(operand, done) for operand in operands(body)]
            if any(part is None for part in parts):
                return None
            return logic.ForAll(with_operands(body, tuple(p for p in parts if p is not None)), star=True)
        case _:
            return None


def over_infinite_runs(formula: Formula) -> bool:
    """Whether some quantifier ranges over infinite runs only, or one is to be added in front."""
    return not is_state(formula) or any(
        isinstance(part, (logic.ForAll, logic.Exists)) and part.star for part in subformulae(formula)
    )
