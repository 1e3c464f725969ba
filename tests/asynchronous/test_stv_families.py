"""Models like those that come with STV2: imported, they have as many states and steps as it is published that STV2 finds."""

from __future__ import annotations

import pytest
from tests.generators.stv_families import bridge, clock, quest, timers, trains, voting

from epistrat.lang.load import load
from epistrat.lang.stv.translate import translate
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper


@pytest.mark.parametrize(
    ("text", "states", "steps"),
    [
        (trains(1), 3, 3),
        (trains(2), 8, 14),
        (trains(5), 112, 400),
        (bridge(1), 3, None),
        (bridge(2), 17, None),
        (timers(1, 10), 11, 11),
        (timers(2, 10), 121, 120),
        (timers(3, 4), 85, 100),
        (timers(4, 2), 51, 74),
        (timers(5, 3), 256, 411),
        (clock(15, 6), 90, None),
        (clock(15, 6, 10), 1155, None),
        (quest(1, 6), 127, 126),
        (quest(2, 3), 225, 420),
        (quest(3, 2), 343, 882),
        (voting(1, 1), 8, 11),
        (voting(1, 3), 22, 33),
        (voting(1, 2, honest=False), 21, None),
        # When these were counted, private events of one name happened together in STV2, which they no longer do.
        (voting(2, 1, together=True), 32, None),
        (voting(2, 2, together=True), 63, None),
        (voting(3, 1, together=True), 128, None),
        (voting(2, 2, honest=False, together=True), 135, None),
    ],
)
def test_states_and_steps(text: str, states: int, steps: int | None) -> None:
    system = load(translate(text).text).system
    assert system is not None
    reached = explore(Stepper(system), initial_states(system))
    assert len(reached.states) == states
    assert steps in (None, sum(map(len, reached.steps)) - len(reached.dead_ends))
