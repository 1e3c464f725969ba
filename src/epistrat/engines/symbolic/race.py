"""Several encodings of one system, taking turns until one of them has the answer.

The first encoding works alone for a while.  If it is not done by then, a challenger joins, later another, and they take turns of
growing length: whatever the best of them needs, the whole takes only a small multiple of it.  Turns are counted in processor time of the
thread, and handed over between two operations.  Each runner lives in a thread of its own with its own diagrams; only one of them
runs at a time.

The thread that asks does not compute.  It can therefore give up when a limit is reached even while a runner is inside one long
operation; the runner notices at its next tick, and the next question waits for that.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from epistrat.engines.symbolic.candidates import Candidate, Candidates
from epistrat.engines.symbolic.checker import Checker
from epistrat.engines.symbolic.work import Work
from epistrat.solvers.bdd import OutOfNodes
from epistrat.solvers.budget import Budget, OutOfBudget

T = TypeVar("T")
Job = Callable[[Checker], Any]
Opening = Callable[[Candidate, Work, str], Checker]

_RUNNERS = 3
_GRACE = 0.2  # seconds a runner gets to notice by itself that a limit was reached
_POLL = 0.1
_LAST_OPERATION = 30.0  # seconds that the end of the program waits for the operation in which a runner is
_CHALLENGER_NODES = 1 << 20


class _Superseded(Exception):
    """Nobody wants this runner's answer any more."""


class Runner:
    """A thread with one encoding, working on one job at a time, turn by turn."""

    def __init__(self, build: Callable[[], Candidate], work: Work, search: str, opening: Opening) -> None:
        self.work = work
        self.checker: Checker | None = None
        self.busy = False
        self.result: Any = None
        self.error: BaseException | None = None
        self._build = build
        self._search = search
        self._opening = opening
        self._job: Job | None = None
        self._turn = 0.0
        self._since = 0.0
        self._stopped = self._dismissed = False
        self._go, self._back = threading.Semaphore(0), threading.Semaphore(0)
        self._thread = threading.Thread(target=self._live, name="symbolic runner", daemon=True)
        self._thread.start()
        atexit.register(self._end_before_the_interpreter)

    def take(self, job: Job) -> None:
        """Get a job; work on it begins with the next turn."""
        assert not self.busy
        self._job, self.busy, self.result, self.error, self._stopped = job, True, None, None, False

    def run(self, seconds: float) -> None:
        """Begin a turn; `handed_back` says when it is over."""
        self._turn = seconds
        self._go.release()

    def handed_back(self, timeout: float | None = None) -> bool:
        """Wait for the end of the turn, at most so long."""
        return self._back.acquire(timeout=timeout)

    def stop(self) -> None:
        """Forget the job: at the next tick of the turn, or of the one that is begun next."""
        self._stopped = True

    def dismiss(self) -> None:
        """End the thread: at once if it waits, else at its next tick."""
        self._stopped = self._dismissed = True
        self._go.release()

    def _end_before_the_interpreter(self) -> None:
        """End the thread and wait for it.

        A thread that comes back from an operation of the diagram library while the interpreter is being taken down is ended by force in
        the middle of foreign code, which crashes the process.
        """
        self.dismiss()
        self._thread.join(_LAST_OPERATION)

    def _live(self) -> None:
        self._go.acquire()
        while not self._dismissed:
            self._work_on(self._job)
            self._job, self.busy = None, False  # a job may hold the session, which must be able to go away
            self._back.release()
            if not self._dismissed:
                self._go.acquire()
        self.checker = self._job = self.result = None
        atexit.unregister(self._end_before_the_interpreter)

    def _work_on(self, job: Job | None) -> None:
        assert job is not None
        self._since = time.thread_time()
        self.work.pause = self._pause
        try:
            if self.checker is None:
                self.checker = self._opening(self._build(), self.work, self._search)
            self.result = job(self.checker)
        except (OutOfNodes, OutOfBudget, _Superseded) as outcome:
            self.error = outcome.with_traceback(None)  # whose frames would keep what was half done
        except MemoryError:
            self.error = OutOfNodes()
        except BaseException as error:  # handed to the thread that asked
            self.error = error
        if self.error is not None and self.checker is not None:
            self.checker.space.algebra.collect()

    def _pause(self) -> None:
        if not self._stopped and time.thread_time() - self._since > self._turn:
            self._back.release()
            self._go.acquire()
            self._since = time.thread_time()
        if self._stopped:
            raise _Superseded


class Race:
    """The runners on one system."""

    def __init__(self, candidates: Candidates, work: Work, search: str, opening: Opening = Checker) -> None:
        self._candidates = candidates
        self._work = work
        self._search = search
        self._opening = opening
        self._lead = Runner(candidates.first, work, search, opening)
        self._abandoned: Runner | None = None
        self.challengers: list[str] = []

    @property
    def lead(self) -> Runner:
        """The runner that answered last, or that begins."""
        return self._lead

    def ask(self, job: Callable[[Checker], T]) -> T:
        """The answer of the runner that has it first.

        Raises `OutOfNodes` if all of them ran out of nodes, `OutOfBudget` if a limit was reached.
        """
        budget = self._work.budget
        self._settle(budget)
        runners = [self._lead]
        self._lead.take(job)
        try:
            answer: T = self._take_turns(runners, job, budget)
            return answer
        finally:
            self._dismiss(runners)

    def close(self) -> None:
        """End all threads."""
        self._lead.dismiss()

    def _take_turns(self, runners: list[Runner], job: Job, budget: Budget) -> Any:
        turns = 0
        while runners:
            for runner in list(runners):
                alone = len(runners) == 1 and turns > 0 and not self._candidates.challengers
                runner.run(float("inf") if alone else budget.patience.first_turn * 2**turns)
                self._await(runner, budget)
                if runner.busy:
                    continue
                if isinstance(runner.error, OutOfNodes):
                    runners.remove(runner)
                elif runner.error is not None:
                    raise runner.error
                else:
                    self._crown(runner)
                    return runner.result
            turns += 1
            if self._candidates.challengers and len(runners) < _RUNNERS and turns >= self._quiet_turns(runners):
                runners += self._challenger(job, runners)
            runners.sort(key=lambda runner: -runner.work.steps)
        raise OutOfNodes

    def _quiet_turns(self, runners: list[Runner]) -> int:
        """How many turns pass before a challenger joins; none if nobody is left, and few where interleaving often decides."""
        if not runners:
            return 0
        turns = self._work.budget.patience.quiet_turns
        return min(turns, 1) if self._candidates.challengers[0].interleave else turns

    def _challenger(self, job: Job, runners: list[Runner]) -> list[Runner]:
        choice = self._candidates.next_challenger()
        if choice is None:
            return []
        self.challengers.append(str(choice))
        largest = max((r.checker.space.algebra.nodes() for r in runners if r.checker is not None), default=0)
        nodes = min(self._candidates.nodes, max(_CHALLENGER_NODES, 2 * largest)) if runners else self._candidates.nodes
        work = Work(self._work.budget, self._work.watch)
        runner = Runner(lambda: self._candidates.build(choice, nodes, work), work, self._search, self._opening)
        runner.take(job)
        return [runner]

    def _crown(self, winner: Runner) -> None:
        """Who answered leads from now on."""
        if winner is not self._lead:
            self._lead.dismiss()
            self._lead = winner

    def _dismiss(self, runners: list[Runner]) -> None:
        """Send the challengers home; a leader that waits in the middle of the job forgets it."""
        for runner in runners:
            if runner is not self._lead:
                runner.dismiss()
        if self._lead.busy and self._abandoned is not self._lead:
            self._lead.stop()
            self._lead.run(0)
            self._lead.handed_back()

    def _await(self, runner: Runner, budget: Budget) -> None:
        """Wait until the runner hands back; give up a little after a limit is reached."""
        late: float | None = None
        try:
            while not runner.handed_back(_POLL):
                try:
                    budget.check()
                except OutOfBudget:
                    late = late or time.monotonic() + _GRACE
                    if time.monotonic() >= late:
                        raise
        except BaseException:
            runner.stop()
            self._abandoned = runner
            raise

    def _settle(self, budget: Budget) -> None:
        """Wait for a leader that was left in the middle of an operation."""
        if self._abandoned is self._lead:
            while not self._lead.handed_back(_POLL):
                budget.check()
        self._abandoned = None
