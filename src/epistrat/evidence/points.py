"""Claims about points of runs: what knowledge asks of a look-alike, what depends on the past, and that a fair run goes on."""

from __future__ import annotations

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands

FAIR_START = logic.Exists(logic.Globally(logic.Truth(True)))
"""The claim that a (fair) path starts in a state."""


def point_claim(arg: Formula) -> Formula:
    """What knowledge of ``arg`` asks of a look-alike: a state formula itself; a path formula on all runs."""
    return arg if is_state(arg) else logic.ForAll(arg, star=True)


def looks_back(formula: Formula) -> bool:
    """Whether the truth at a point depends on the run's past: a past operator stands outside knowledge and its kin."""
    pending, seen = [formula], {formula}
    while pending:
        current = pending.pop()
        if isinstance(current, logic.PAST):
            return True
        if not isinstance(current, (*logic.KNOWING, logic.Remembers, logic.Coalition)):
            fresh = [operand for operand in operands(current) if operand not in seen]
            seen.update(fresh)
            pending.extend(fresh)
    return False
