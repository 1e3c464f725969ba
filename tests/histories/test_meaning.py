"""Formulae that have no meaning: a step lies between an announcement and knowledge that cannot tell how long ago it was."""

from __future__ import annotations

import pytest

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading
from epistrat.logic.histories import read_as, unreadable

P = logic.Prop("p")
GROUP = Group(("Ann",), "group")
STEPS: list[Formula] = [
    *(kind(P) for kind in (logic.Next, logic.Finally, logic.Globally, logic.Yesterday, logic.Once, logic.Historically)),
    *(kind(P, P) for kind in (logic.Until, logic.WeakUntil, logic.Release, logic.Since)),
]
KNOWN: dict[str, tuple[Formula, bool]] = {
    "K": (logic.Knows("Ann", P), True),
    "O": (logic.Correct("Ann", P), True),
    "DK": (logic.Distributed(GROUP, P), True),
    "changes": (logic.Remembers("K", Reading.CHANGES, GROUP, P), True),
    "below clock": (logic.Remembers("K", Reading.CLOCK, GROUP, logic.Knows("Ann", P)), True),
    "clock": (logic.Remembers("K", Reading.CLOCK, GROUP, P), False),
    "recall": (logic.Remembers("GCK", Reading.RECALL, GROUP, P), False),
}


def put(step: Formula, known: Formula) -> Formula:
    """The operator over something that is known, on some run."""
    last = (known,) if not hasattr(step, "left") else (P, known)
    return logic.Exists(type(step)(*last), True)


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("step", STEPS, ids=lambda one: type(one).__name__)
def test_a_step_between_an_announcement_and_knowledge(step: Formula, name: str) -> None:
    known, meaningless = KNOWN[name]
    assert (unreadable(logic.Announced(P, put(step, known))) is not None) is meaningless
    assert (unreadable(logic.Announced(P, logic.Not(logic.Announced(P, put(step, known))))) is not None) is meaningless
    assert (unreadable(logic.Announced(P, logic.Announced(put(step, known), P))) is not None) is meaningless
    assert unreadable(logic.Announced(put(step, known), P)) is None
    assert unreadable(logic.Announced(P, known)) is None


@pytest.mark.parametrize("name", KNOWN)
def test_a_strategy_between_them_takes_time_too(name: str) -> None:
    known, meaningless = KNOWN[name]
    enforced = logic.Coalition(GROUP, logic.Next(known))
    assert (unreadable(logic.Announced(P, enforced)) is not None) is meaningless
    general = logic.Coalition(GROUP, logic.Or((known, logic.Next(P))))
    assert (unreadable(logic.Announced(P, general)) is not None) is meaningless


@pytest.mark.parametrize("outer", [Reading.OBSERVATION, Reading.CLOCK, Reading.RECALL, Reading.CHANGES])
@pytest.mark.parametrize("inner", [Reading.OBSERVATION, Reading.CLOCK, Reading.RECALL, Reading.CHANGES])
def test_who_does_not_know_the_time_is_not_asked_of_who_does(outer: Reading, inner: Reading) -> None:
    """After an announcement: histories of other times come in, to which nothing was announced."""
    known = read_as(logic.Remembers("K", outer, GROUP, logic.Or((P, logic.Remembers("K", inner, GROUP, P)))), outer)
    timeless = (Reading.OBSERVATION, Reading.CHANGES)
    meaningless = outer in timeless and inner not in timeless
    assert (unreadable(logic.Announced(P, known)) is not None) is meaningless
    assert (unreadable(logic.Announced(P, logic.Announced(P, known))) is not None) is meaningless
    assert unreadable(logic.Announced(known, P)) is None
    assert unreadable(known) is None
