"""Engines for unbounded models take turns by counted work, wherever they run; another one joins when it is due, not after a whole turn."""

from __future__ import annotations

import queue
from typing import Any

from epistrat.engines import choose
from epistrat.jobs.race import Entrant, Race
from epistrat.jobs.runner import Job, Runner
from epistrat.solvers.budget import Budget

UNBOUNDED = (choose._UNBOUNDED, choose._UNBOUNDED_KNOWLEDGE, choose._UNBOUNDED_BRANCHING)


def test_no_engine_for_unbounded_models_works_beside_another() -> None:
    """Who answers first would depend on the machine: also the first stage, which is second where another engine answered last."""
    assert [stage.engine for stages in UNBOUNDED for stage in stages if stage.beside] == []


class Session:
    """Works for ever, in small steps."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def check(self, until: int) -> int:
        """How much was done."""
        while self._budget.work < until:
            self._budget.spend(100)
            self._budget.check()
        return self._budget.work

    def close(self) -> None:
        """Nothing to end."""


def test_a_turn_ends_when_another_engine_is_due() -> None:
    budget, reports = Budget(), queue.SimpleQueue[Runner]()

    def runner() -> Runner:
        return Runner(lambda own: Session(own), budget.portion(), reports)  # type: ignore[arg-type, return-value]

    first, second = runner(), runner()
    seen: list[int] = []
    waiting = [Entrant(first, 1.0, "first"), Entrant(second, 1.0, "second")]

    def arrivals(field: list[Entrant]) -> Entrant | None:
        if field:
            seen.append(first.work)
            if first.work < 30_000:
                return None
        return waiting.pop(0) if waiting else None

    def soon() -> float:
        return 30_000 - first.account if first.account < 30_000 else float("inf")

    race = Race(Job("check", (60_000,)), budget, reports, arrivals, lambda _: True, soon, 50_000)
    winner: Any = race.run()
    assert winner.tag in ("first", "second")
    joined = next(work for work in seen if work >= 30_000)
    assert joined < 31_000
    for one in (first, second):
        one.dismiss()
