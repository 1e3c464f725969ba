"""A session in a process of its own, which another core can work on and which can be killed inside one long operation.

The process is a new interpreter, not a fork: that is safe whatever threads the program has.  It gets system, engine, options and limits
as one pickle, then jobs one by one, and answers each with one pickle.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Mapping
from queue import SimpleQueue
from typing import Any

from epistrat.children.channel import channel
from epistrat.children.child import Child, ChildEnded
from epistrat.engines import registry
from epistrat.engines.contract import Facts, Options, Outcome, Session, Verdict
from epistrat.jobs.runner import Allowance, Job, Runner
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.solvers.budget import Budget, Cancelled, OutOfBudget

_STOP = "stop"
_GRACE = 2.0  # seconds that a process may take to end after it was killed


class RemoteSession(Session):
    """The caller's end: `epistrat.engines.contract.Session` by messages."""

    def __init__(self, system: System, engine: str, options: Options, budget: Budget) -> None:
        self._child = Child.of(__name__)
        self.share = 1.0
        self._statistics: Mapping[str, Any] = {}
        self._child.send((system, engine, options, budget))

    def check(self, formula: Formula) -> Outcome:
        """Does every initial state satisfy the formula?"""
        outcome: Outcome = self._ask(Job("check", (formula,)))
        self._statistics = self._ask(Job("statistics"))
        return outcome

    def facts(self) -> Facts:
        """What the reachable states look like."""
        facts: Facts = self._ask(Job("facts"))
        return facts

    def remark(self, formula: Formula, verdict: Verdict) -> Outcome:
        """What explains a verdict in a sentence; the other process counts the work."""
        outcome: Outcome = self._ask(Job("remark", (formula, verdict), self.share))
        return outcome

    def statistics(self) -> Mapping[str, Any]:
        """What was done until the last answer."""
        return self._statistics

    def stop(self) -> None:
        """Forget the present job, but not what was found; may be called from any thread."""
        self._child.send(_STOP)

    def kill(self) -> None:
        """End the process, wherever it is; may be called from any thread."""
        self._child.kill()

    def close(self) -> None:
        """End the process and release it."""
        self._child.end()

    def _ask(self, job: Job) -> Any:
        self._child.send(job)
        try:
            answer = self._child.receive()
        except ChildEnded:
            raise OutOfBudget("the worker process ended") from None
        if isinstance(answer, BaseException):
            raise answer
        return answer


class RemoteRunner(Runner):
    """A runner whose session is in another process."""

    free = True
    session: RemoteSession | None
    _since: float | None = None

    @property
    def work(self) -> int:
        """The other process counts for itself; here a microsecond since the first question is a unit."""
        self._since = self._since or time.monotonic()
        return int(1e6 * (time.monotonic() - self._since))

    def take(self, job: Job) -> None:
        """Get a job; its share is counted over there."""
        if self.session is not None and job.share is not None:
            self.session.share = job.share
        super().take(job)

    def stop(self) -> None:
        """Forget the job, but not what was found."""
        super().stop()
        if self.session is not None:
            self.session.stop()

    def dismiss(self) -> None:
        """End thread and process."""
        super().dismiss()
        if self.session is not None:
            self.session.kill()

    def gone(self) -> None:
        """Wait until the process, which was dismissed, has ended: what it took is counted with ours from then on."""
        self._thread.join(_GRACE)


def main() -> None:
    """The worker's end: reads from standard input, answers on standard output, and ends with its caller."""
    spoken = channel(tied=False)
    system, engine, options, budget = spoken.receive()
    jobs: SimpleQueue[Job] = SimpleQueue()
    stopped = threading.Event()

    def listen() -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                message = spoken.receive()
                if message == _STOP:
                    stopped.set()
                else:
                    stopped.clear()
                    jobs.put(message)
        os._exit(0)

    def heed() -> None:
        if stopped.is_set():
            raise Cancelled("another engine was faster")
        allowance.check()

    allowance = Allowance(budget.meter)
    budget.meter.pause = heed
    session = registry.load(engine).open(system, options, budget)
    threading.Thread(target=listen, daemon=True).start()
    while True:
        job = jobs.get()
        allowance.begin(job)
        try:
            answer = getattr(session, job.method)(*job.arguments)
        except Exception as error:
            answer = error
        spoken.send(answer)
