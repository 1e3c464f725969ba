"""Which states are one situation for a strategy that several agents follow: those that chains of look-alikes join."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from epistrat.engines.explicit.tables.decisions import Decisions
from epistrat.logic.formula import Tag


def joined(views: dict[str, list[int]]) -> set[frozenset[int]]:
    """By definition: the classes of the smallest equivalence that joins what looks the same to some agent."""
    count = len(next(iter(views.values())))
    left, found = set(range(count)), set()
    while left:
        together = {min(left)}
        while True:
            more = {a for a in range(count) for b in together for seen in views.values() if seen[a] == seen[b]}
            if more <= together:
                break
            together |= more
        found.add(frozenset(together))
        left -= together
    return found


@pytest.mark.parametrize("seed", range(30))
def test_situations_are_closed_under_chains(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randint(3, 9)
    views = {agent: [rng.randrange(count) for _ in range(count)] for agent in "abc"[: rng.randint(1, 3)]}
    plays: Any = SimpleNamespace(
        count=count,
        system=SimpleNamespace(views={agent: agent for agent in views}),
        structure=SimpleNamespace(views=lambda agent: np.array(views[agent])),
    )
    found = Decisions(plays, 1 << 10).situations(tuple(views), Tag.VIEWS)
    assert {frozenset(one) for one in found} == joined(views)
