"""Blocking decided by tables and from memory, against the definition: some choices of the others leave none of the events.

One `Blockers` is asked about many states and groups of events, so that what it remembers of one question meets others.
"""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import epistrat
from epistrat.engines.explicit.blocking import Blockers, Outsider
from epistrat.model.agent import Agent
from epistrat.model.state import Act

EVENTS = "abcd"
MODELS = Path(__file__).parent / "models"


def _outside(rng: random.Random, states: int) -> list[Outsider]:
    """One that must do one of two events or may do neither, by its local state, and some that take part in others or the same."""
    one, other, *rest = rng.sample(EVENTS, 4)
    agents: list[tuple[tuple[str, ...], list[tuple[Act | None, ...]]]]
    agents = [((one, other, "z"), [(one, other), (one, other, "z"), ((one, other),)])]
    agents += [((event, "y"), [(event,), (None,), (event, "y")]) for event in (*rest, rng.choice(EVENTS))]
    return [
        Outsider(
            Agent(f"O{number}", (), actions=events),
            np.array([rng.randrange(3) for _ in range(states)], dtype=np.int32),
            rng.sample(kinds, 3),
        )
        for number, (events, kinds) in enumerate(rng.sample(agents, len(agents)))
    ]


def _by_definition(outside: list[Outsider], row: int, events: set[str]) -> bool:
    """Choices of the agents outside, one each: an event is blocked by whoever takes part in it and does not choose it."""
    for chosen in product(*(one.choices[int(one.locals[row])] for one in outside)):
        pairs = list(zip(outside, chosen, strict=True))
        if not any(all(event not in one.events or event in choice for one, choice in pairs) for event in events):
            return True
    return False


@pytest.mark.parametrize("seed", range(40))
def test_many_questions_to_one_memory(seed: int) -> None:
    rng = random.Random(seed)
    states = 60
    outside = _outside(rng, states)
    blockers = Blockers(outside)
    for _ in range(30):
        rows = np.array(rng.sample(range(states), rng.randint(1, states)), dtype=np.int64)
        asked = rng.sample(EVENTS, rng.randint(2, 4))
        left = {event: np.array([rng.random() < 0.7 for _ in rows], dtype=np.bool_) for event in asked}
        found = blockers.can_block(rows, left)
        for place, row in enumerate(rows.tolist()):
            events = {event for event, where in left.items() if where[place]}
            assert bool(found[place]) == _by_definition(outside, row, events), (row, events)


@pytest.mark.parametrize("name", ["whose_local_state", "whose_local_state_and_a_clock", "no_part_in_the_event"])
def test_models_whose_agents_block_differently(name: str) -> None:
    system = epistrat.load(MODELS / f"{name}.ispl")
    expected = [result.verdict for result in system.check(engine="reference", blocking="adversary")]
    for engine in ("explicit", "all", "auto"):
        found = [result.verdict for result in system.check(engine=engine, blocking="adversary")]
        assert found == expected, engine
