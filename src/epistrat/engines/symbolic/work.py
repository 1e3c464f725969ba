"""A computation under way: its budget, who watches it, and what was done so far.

Everything that takes time calls `Work.tick` between operations and `Work.report` once per iteration.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from epistrat.engines.contract import Progress, Watcher
from epistrat.solvers.bdd import Algebra
from epistrat.solvers.budget import Budget

_PAUSE = 0.2  # seconds between two reports of one phase, at least,
_COUNTING = 20  # and so many times what the counts took: with millions of nodes that is a second
_OPERATION, _NODE = 30, 2  # work: docs/symbolic.md compares it with time


class Work:
    """Budget, watcher, clock and counters of a session."""

    def __init__(self, budget: Budget, watch: Watcher) -> None:
        self.budget = budget
        self.watch = watch
        self.seconds: dict[str, float] = {}
        self.counts: dict[str, int] = {}
        self._algebra: Algebra | None = None
        self._nodes = 0
        self._phase = "start"
        self._next_report = 0.0

    def measure(self, algebra: Algebra) -> None:
        """Count the nodes made in this algebra from now on."""
        self._algebra, self._nodes = algebra, algebra.nodes()

    def tick(self) -> None:
        """Between two operations: end the work if the budget is used up."""
        algebra, made = self._algebra, 0
        if algebra is not None:
            nodes = algebra.nodes()
            made, self._nodes = max(0, nodes - self._nodes), nodes
            if nodes > algebra.due:
                algebra.collect()
                self._nodes = algebra.nodes()
        self.budget.spend(_OPERATION + _NODE * made)
        self.budget.check()

    def count(self, what: str, amount: int = 1) -> None:
        """Note that something was done so many times."""
        self.counts[what] = self.counts.get(what, 0) + amount

    def report(self, counts: Callable[[], Mapping[str, int | float | str]]) -> None:
        """Tell the watcher, but not too often: the counts are computed only when they are sent."""
        now = time.monotonic()
        if now >= self._next_report:
            self.watch(Progress(self._phase, counts()))
            ended = time.monotonic()
            self._next_report = ended + max(_PAUSE, _COUNTING * (ended - now))

    @contextmanager
    def doing(self, phase: str) -> Iterator[None]:
        """A phase: its processor seconds are added up under its name."""
        before, self._phase = self._phase, phase
        started = time.thread_time()
        try:
            yield
        finally:
            self.seconds[phase] = self.seconds.get(phase, 0.0) + time.thread_time() - started
            self._phase = before

    def statistics(self) -> dict[str, Any]:
        """What was done so far."""
        return {**self.counts, "seconds": {phase: round(spent, 4) for phase, spent in self.seconds.items()}}
