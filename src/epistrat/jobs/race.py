"""Several runners on one job: the first answer ends the others.

Runners in this process take turns.  A turn goes to the runner that has done least for the job in proportion to its share, and lasts a
fixed part of what was done so far, so that the number of turns grows with the logarithm of the work.  Runners on other cores work all
the time.  Runners join as the leader's work passes what they wait for, or when nobody else is left.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from math import inf
from typing import Any

from epistrat.jobs.runner import Job, Runner
from epistrat.records import dataclass
from epistrat.solvers.budget import Budget, OutOfBudget

_POLL = 0.05  # seconds between two looks at the limits
_GRACE = 0.2  # seconds a runner gets to notice by itself that a limit was reached
_GROWTH = 0.25  # turns are this part of what was done for the job: with 0.5 a rival did 23 M units for 13 M of robots 32's leader


@dataclass(eq=False)
class Entrant:
    """A runner in a race, its share of the turns, and what the caller knows it by.

    One that ``catches_up`` has as much to do as the others have done before it is their turn again; for one that does not, only what is
    done from its arrival on counts, so that it costs no more than what the others still need.
    """

    runner: Runner
    share: float
    tag: Any
    catches_up: bool = True
    ahead: float = 0.0

    @property
    def progress(self) -> float:
        """What was done for the job in proportion to the share, with what was passed over at arrival."""
        return self.ahead + self.runner.account / self.share


class Race:
    """One job.  ``arrivals`` gives who joins next, given who is in the race; None if nobody does yet."""

    def __init__(
        self,
        job: Job,
        budget: Budget,
        reports: queue.SimpleQueue[Runner],
        arrivals: Callable[[list[Entrant]], Entrant | None],
        decided: Callable[[Any], bool],
        soon: Callable[[], float] = lambda: inf,
        turn: int | None = None,
    ) -> None:
        """``soon`` is how much may be done until somebody else joins: no turn is longer.  ``turn`` is the work of the first turns."""
        self._job = job
        self._budget = budget
        self._reports = reports
        self._arrivals = arrivals
        self._decided = decided
        self._soon = soon
        self._turn = budget.patience.turn if turn is None else turn
        self._field: list[Entrant] = []
        self._current: Entrant | None = None
        self.failed: list[Entrant] = []

    def run(self) -> Entrant | None:
        """Who answered first; None if everybody failed.  Raises `OutOfBudget` if a limit was reached inside a long operation."""
        try:
            while True:
                self._admit()
                if not self._field:
                    return None
                self._begin_turn()
                entrant = self._finished()
                if entrant is None:
                    continue
                runner = entrant.runner
                self._field.remove(entrant)
                if runner.error is None and self._decided(runner.result):
                    return entrant
                if runner.error is not None and not isinstance(runner.error, (OutOfBudget, MemoryError)):
                    raise runner.error
                self.failed.append(entrant)
                if self._spent():
                    return None
        finally:
            self._stop_others()

    @property
    def field(self) -> list[Entrant]:
        """Who is still in the race."""
        return self._field

    def _admit(self) -> None:
        while (entrant := self._arrivals(self._field)) is not None:
            entrant.runner.take(self._job)
            if not entrant.catches_up:
                entrant.ahead = min((other.progress for other in self._field if not other.runner.free), default=0.0)
            self._field.append(entrant)
            if entrant.runner.free:
                entrant.runner.run(0)

    def _begin_turn(self) -> None:
        waiting = [entrant for entrant in self._field if not entrant.runner.free and not entrant.runner.overdue]
        if self._current is not None or not waiting:
            return
        self._current = min(waiting, key=lambda entrant: entrant.progress)
        done = sum(entrant.runner.account for entrant in waiting)
        turn = self._current.share * max(self._turn, _GROWTH * done)
        self._current.runner.run(int(min(turn, self._soon())))

    def _finished(self) -> Entrant | None:
        """The next runner that is done with the job; None if a turn is over or it is time to look around."""
        runner = self._next_report()
        if self._current is not None and runner is self._current.runner:
            self._current = None
        if runner is None or runner.busy:
            return None
        return next((entrant for entrant in self._field if entrant.runner is runner), None)

    def _next_report(self) -> Runner | None:
        late: float | None = None
        while True:
            try:
                return self._reports.get(timeout=_POLL)
            except queue.Empty:
                pass
            try:
                self._budget.limits()
            except OutOfBudget:
                late = late or time.monotonic() + _GRACE
                if time.monotonic() >= late:
                    raise
            if self._current is None:
                return None
            if self._current.runner.overdue:  # it is inside one long operation: others need not wait for its end
                self._current = None
                return None

    def _spent(self) -> bool:
        try:
            self._budget.limits()
        except OutOfBudget:
            return True
        return False

    def _stop_others(self) -> None:
        """Make the others forget the job; those inside a long operation do so when it ends."""
        for entrant in self._field:
            entrant.runner.stop()
            if entrant is not self._current and not entrant.runner.free:
                entrant.runner.run(0)
        end = time.monotonic() + _GRACE
        while any(entrant.runner.busy and not entrant.runner.free for entrant in self._field):
            try:
                self._reports.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                return
