"""How knowledge is read: where an operator does not say it, the model or the user does."""

from __future__ import annotations

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading, is_state, subformulae
from epistrat.logic.rewrite import rebuild

_WORDS: dict[type[Formula], str] = {logic.Everybody: "GK", logic.Distributed: "DK", logic.Common: "GCK"}


def read_as(formula: Formula, reading: Reading) -> Formula:
    """The formula with this reading at each operator of knowledge that does not say its own; `OBSERVATION` is not written."""

    def change(part: Formula) -> Formula:
        if isinstance(part, logic.Remembers) and part.reading is Reading.OBSERVATION:
            return unread(part)
        return part

    def mark(part: Formula) -> Formula:
        match part:
            case logic.Knows(agent, arg):
                return logic.Remembers("K", reading, Group((agent,), agent), _of_states(arg))
            case logic.Everybody(group, arg) | logic.Distributed(group, arg) | logic.Common(group, arg):
                return logic.Remembers(_WORDS[type(part)], reading, group, _of_states(arg))
            case _:
                return part

    marked = formula if reading is Reading.OBSERVATION else rebuild(formula, mark)
    return rebuild(marked, change)


def _of_states(arg: Formula) -> Formula:
    """What is known; of a path formula, that all infinite runs satisfy it."""
    return arg if is_state(arg) else logic.ForAll(arg, star=True)


def unread(part: logic.Remembers) -> Formula:
    """The operator read by observation."""
    match part.word:
        case "K":
            return logic.Knows(part.group.members[0], part.arg)
        case "GK":
            return logic.Everybody(part.group, part.arg)
        case "DK":
            return logic.Distributed(part.group, part.arg)
        case _:
            return logic.Common(part.group, part.arg)


def about_histories(formula: Formula) -> bool:
    """Whether the formula asks what was seen before, how often, or what was announced."""
    return any(isinstance(part, (logic.Remembers, logic.Announced)) for part in subformulae(formula))


def readings_in(formula: Formula) -> list[Reading]:
    """What agents compare somewhere in the formula, other than what they see now."""
    found = {part.reading for part in subformulae(formula) if isinstance(part, logic.Remembers)}
    return [reading for reading in Reading if reading in found and reading is not Reading.OBSERVATION]


def unreadable(formula: Formula) -> str | None:
    """Why the formula has no meaning: without clock or memory nobody can tell how long ago something was announced."""
    for part in subformulae(formula):
        if isinstance(part, logic.Announced) and _timeless_after_time(part.arg):
            return (
                "a step lies between an announcement and knowledge by observation or changes, "
                "which cannot tell how long ago it was said: read knowledge by `clock` or `recall`"
            )
        if isinstance(part, logic.Announced) and _timed_below_timeless(part.arg):
            return (
                "after an announcement, knowledge by observation or changes is about moments of any time, "
                "and it is not said what is known there by clock or recall: read both in the same way"
            )
        if isinstance(part, logic.Remembers) and part.word == "GCK" and part.reading is Reading.CHANGES:
            return "common knowledge is not decided for agents who remember what changed (E035): read it by `recall`"
    return None


def _timeless_after_time(formula: Formula, moved: bool = False) -> bool:
    """Whether knowledge that knows no time stands below a time or strategy operator."""
    stack, seen = [(formula, moved)], set[tuple[Formula, bool]]()
    while stack:
        part, later = stack.pop()
        if (part, later) in seen:
            continue
        seen.add((part, later))
        if later and _is_timeless(part):
            return True
        moves = isinstance(part, (*logic.TEMPORAL, logic.Coalition))
        stack.extend((operand, later or moves) for operand in logic.operands(part))
    return False


def _timed_below_timeless(formula: Formula) -> bool:
    """Whether knowledge that knows the time stands below knowledge that does not."""
    inside = [part for one in subformulae(formula) if _is_timeless(one) for part in subformulae(*logic.operands(one))]
    return any(isinstance(part, logic.Remembers) and not _is_timeless(part) for part in inside)


def _is_timeless(part: Formula) -> bool:
    """Whether this is knowledge that does not know the time."""
    if isinstance(part, logic.Remembers):
        return part.reading in (Reading.OBSERVATION, Reading.CHANGES)
    return isinstance(part, (*logic.KNOWLEDGE, logic.Correct))
