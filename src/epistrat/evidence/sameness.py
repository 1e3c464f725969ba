"""When two histories look the same, by the definitions of the readings."""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.terms import Value

View = tuple[Value, ...]


def told_apart(
    system: System, agents: tuple[str, ...], claim: Formula, one: Sequence[State], other: Sequence[State]
) -> str | None:
    """By what the agents, all of them together, tell two histories apart, as the claim reads knowledge; None if they do not."""
    positions = system.pooled_view(Group(agents))
    first, second = [[tuple([state[place] for place in positions]) for state in run] for run in (one, other)]
    reading = claim.reading if isinstance(claim, logic.Remembers) else Reading.OBSERVATION
    match reading:
        case Reading.OBSERVATION:
            return None if first[-1] == second[-1] else "the two states do not look the same"
        case Reading.CHANGES:
            same = without_repetitions(first) == without_repetitions(second)
            return None if same else "the two histories do not show the same changes"
    if len(first) != len(second):
        return "the two histories are not equally long"
    if reading is Reading.CLOCK:
        return None if first[-1] == second[-1] else "the two histories do not look the same at their ends"
    moment = next((time for time, views in enumerate(zip(first, second, strict=True)) if views[0] != views[1]), None)
    return None if moment is None else f"the two histories do not look the same at time {moment}"


def without_repetitions(views: Sequence[View]) -> list[View]:
    """What was seen, one thing after the other."""
    return [view for time, view in enumerate(views) if time == 0 or view != views[time - 1]]
