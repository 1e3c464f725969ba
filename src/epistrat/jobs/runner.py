"""A thread that works on one session, turn by turn.

A turn is counted in work (see `epistrat.solvers.budget.Meter`), so that the same run has the same turns on an idle and on a busy
machine.  It ends between two operations, where the session checks its budget.  The thread that hands out turns does not compute; it can
give up when a limit is reached even while a runner is inside one long operation.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, NamedTuple

from epistrat.engines.contract import Session
from epistrat.solvers.budget import Budget, Cancelled, Meter, OutOfBudget, ShareSpent

_LAST_OPERATION = 30.0
"""Seconds that the end of the program waits for the operation in which a runner is."""
_OVERDUE, _SLOWEST = 1.0, 2e-5
"""Processor seconds that a turn may take: so many, and this for each unit of its work."""


FURTHER_WORK = 50_000
"""Work, about a twentieth of a second, that remarks together may cost in any case."""


REMARK_SHARE = 0.1
"""The part of the work done for verdicts that all remarks together may cost."""


class Job(NamedTuple):
    """A method of a session and its arguments.

    A job with a ``share`` is a remark: with those before it, it may use up this part of what all remarks may cost.  For the second of four
    that is a half, so that the first does not spend what belongs to the others, and what it leaves is theirs.
    """

    method: str
    arguments: tuple[Any, ...] = ()
    share: float | None = None


class Allowance:
    """Counts what a session does for jobs that have a share.

    A job cannot be ended inside an operation.  So none is begun where one operation of the questions before cost more than all that the job
    may: one of its own may cost as much.
    """

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._spent = self._begun = self._seen = self._largest = 0
        self._limited: int | None = None

    def begin(self, job: Job) -> None:
        """A job begins."""
        if self._limited is not None:
            self._spent += self._meter.work - self._begun
        self._begun = self._seen = self._meter.work
        self._limited = None
        if job.share is not None:
            own = max(FURTHER_WORK, int(REMARK_SHARE * (self._begun - self._spent)))
            self._limited = self._begun + int(job.share * own) - self._spent if self._largest <= own else self._begun

    def check(self) -> None:
        """Between two operations: raise `ShareSpent` if the job has done more than its share."""
        if self._limited is None:
            self._largest = max(self._largest, self._meter.work - self._seen)
            self._seen = self._meter.work
        elif self._meter.work > self._limited:
            raise ShareSpent("more work than this is worth")


class Runner:
    """A session in a thread of its own.  ``free`` says that it works on another core and needs no turns."""

    free = False

    def __init__(self, open_session: Callable[[Budget], Session], budget: Budget, reports: SimpleQueue[Runner]) -> None:
        self.budget = budget
        self.session: Session | None = None
        self.busy = False
        self.result: Any = None
        self.error: BaseException | None = None
        self._open = open_session
        self._reports = reports
        self._job: Job | None = None
        self._begun = self._end_of_turn = 0
        self._allowance = Allowance(budget.meter)
        self._stopped = self._dismissed = False
        self._working: tuple[float, float] | None = None
        self._go = threading.Semaphore(0)
        budget.meter.pause = self._pause
        self._thread = threading.Thread(target=self._live, name="epistrat runner", daemon=True)
        self._thread.start()
        atexit.register(self._end_before_the_interpreter)

    @property
    def work(self) -> int:
        """What was done for all jobs so far."""
        return self.budget.meter.work

    @property
    def account(self) -> int:
        """What was done for this job so far."""
        return self.work - self._begun

    def take(self, job: Job) -> None:
        """Get a job; work on it begins with the next turn."""
        assert not self.busy
        while self._go.acquire(blocking=False):
            pass  # a turn that was given twice
        self.busy, self.result, self.error, self._stopped = True, None, None, False
        self._begun = self.work
        self._allowance.begin(job)
        self._job = job  # last: the thread may be looking

    def run(self, amount: int) -> None:
        """Begin a turn of so much work.  The runner reports itself when the turn or the job is over."""
        self._end_of_turn = self.work + amount
        self._working = self._cpu(), _OVERDUE + _SLOWEST * amount
        self._go.release()

    @property
    def overdue(self) -> bool:
        """Whether a turn takes far longer than its work should: the session is inside one long operation."""
        if self._working is None:
            return False
        started, most = self._working
        return self._cpu() - started > most

    def _cpu(self) -> float:
        """Processor seconds of the thread, where the system tells; a busy machine does not make it overdue."""
        if not hasattr(time, "pthread_getcpuclockid") or self._thread.ident is None:
            return time.monotonic()
        try:
            return time.clock_gettime(time.pthread_getcpuclockid(self._thread.ident))
        except ProcessLookupError:  # the thread has just ended, so it is never overdue
            return 0.0

    def stop(self) -> None:
        """Forget the job: at the next operation of the turn, or of the one that is begun next."""
        self._stopped = True

    def dismiss(self) -> None:
        """End the thread: at once if it waits, else at its next operation."""
        self.stop()
        self._dismissed = True
        self._go.release()

    def _end_before_the_interpreter(self) -> None:
        """End the thread and wait for it.

        A thread that comes back from an operation of a native library while the interpreter is being taken down is ended by force in the
        middle of foreign code, which crashes the process.
        """
        self.dismiss()
        interrupt = self.budget.meter.interrupt
        if interrupt is not None:
            interrupt()
        self._thread.join(_LAST_OPERATION)

    def _live(self) -> None:
        self._go.acquire()
        while not self._dismissed:
            if self._job is not None:  # a turn may be given twice, if its end was seen before its report was read
                self._work_on(self._job)
                self._job, self.busy, self._working = None, False, None
                self._reports.put(self)
            self._go.acquire()
        if self.session is not None:
            self.session.close()
        self.session = self.result = None
        atexit.unregister(self._end_before_the_interpreter)

    def _work_on(self, job: Job) -> None:
        try:
            self.budget.check()
            if self.session is None:
                self.session = self._open(self.budget)
                self.budget.check()
            self.result = getattr(self.session, job.method)(*job.arguments)
        except (OutOfBudget, MemoryError) as outcome:
            self.error = outcome.with_traceback(None)  # whose frames would keep what was half done
        except BaseException as error:  # handed to the thread that asked
            self.error = error

    def _pause(self) -> None:
        if not self._stopped and not self.free and self.work >= self._end_of_turn:
            self._working = None
            self._reports.put(self)
            self._go.acquire()
        if self._stopped:
            raise Cancelled("another engine was faster")
        self._allowance.check()
