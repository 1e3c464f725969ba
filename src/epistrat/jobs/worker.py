"""Runs work in a child process and keeps its limits from outside.

An engine may spend minutes inside one operation of a native library, where it handles no signal and does not look at its budget.  So the
work is done in a fork: the child tells what it finds as it finds it, in pickled messages through a pipe; the parent only listens, and
ends the child when a limit has passed or the user presses Ctrl-C.  What was told by then is not lost.  A child that the system kills, or
that crashes inside a library, is reported in words too.

The child is first asked to stop by itself (its `Budget` holds the same limits), since it can say best how far it got; only if it does not
answer within `GRACE` seconds it is killed.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import math
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from epistrat.answers import Ending, How
from epistrat.children.frames import Unframing, framed
from epistrat.children.system import die_with_parent, end_tree, memory_of, wait_for_orphans
from epistrat.jobs.limits import Limits

if TYPE_CHECKING:
    from epistrat.solvers.budget import Budget

Message: TypeAlias = Any
"""Any value that pickles."""

Send: TypeAlias = Callable[[Message], None]
Work: TypeAlias = "Callable[[Send, Budget], None]"

GRACE = 0.5
"""Seconds between asking a child to stop and ending it."""

_TICK = 0.02
"""Seconds between two looks at the child's memory, where it is limited."""

_OVERSHOOT = 1.1
"""A child this much above its memory limit is ended without being asked."""

_NO_MEMORY = (
    "memory allocation of",
    "out of memory",
    "std::bad_alloc",
    "failed to spawn thread",
    "Cannot allocate memory",
)
"""What libraries write when they end the process because they cannot have memory."""


def run_here(work: Work, limits: Limits, receive: Send, tick: Callable[[], None] | None = None) -> Ending:
    """Run the work in this process: for platforms without fork, for profiling and for tests."""
    budget = limits.budget()
    try:
        work(receive, budget)
    except KeyboardInterrupt:
        return Ending(How.INTERRUPTED, "interrupted")
    return Ending(How.DONE)


def run_in_worker(work: Work, limits: Limits, receive: Send, tick: Callable[[], None] | None = None) -> Ending:
    """Run the work in a child process; ``receive`` gets its messages, ``tick`` is called now and then while waiting."""
    if not hasattr(os, "fork") or os.environ.get("EPISTRAT_IN_PROCESS"):
        return run_here(work, limits, receive)
    sys.stdout.flush()
    sys.stderr.flush()
    told, tell = os.pipe()
    listen, order = os.pipe()
    crash = os.memfd_create("crash") if hasattr(os, "memfd_create") else None
    with _ctrl_c() as pressed:  # before the child is made: no moment may be left in which it ends both sides
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            os.close(told)
            os.close(order)
            _child(work, limits, tell, listen, crash)
        os.close(tell)
        os.close(listen)
        ending = _Parent(pid, told, order, pressed, limits, receive, tick).attend()
    return ending if crash is None else _with_trace(ending, crash)


def _with_trace(ending: Ending, crash: int) -> Ending:
    """The ending with what a crashed child could still write: where in Python each of its threads was."""
    with os.fdopen(crash, "rb") as file:
        file.seek(0)
        text = file.read().decode(errors="replace")
    if ending.how is not How.CRASHED:
        return ending
    if any(words in text for words in _NO_MEMORY):
        return Ending(How.MEMORY, "a library could not have the memory it asked for")
    return Ending(ending.how, ending.reason, trace=text)


@contextlib.contextmanager
def _ctrl_c() -> Iterator[int]:
    """While this lasts, Ctrl-C does nothing but write to a pipe, from whose end it can be read; a fork of this process ignores it."""
    pressed, press = os.pipe()
    here = os.getpid()

    def write(*_: object) -> None:
        if os.getpid() == here:
            os.write(press, b"i")

    before = signal.signal(signal.SIGINT, write)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)
        os.close(pressed)
        os.close(press)


class _Parent:
    """The side that listens."""

    def __init__(
        self,
        pid: int,
        told: int,
        order: int,
        pressed: int,
        limits: Limits,
        receive: Send,
        tick: Callable[[], None] | None,
    ) -> None:
        self._pid = pid
        self._told = told
        self._order = order
        self._pressed = pressed
        self._limits = limits
        self._receive = receive
        self._tick = tick
        self._started = time.monotonic()
        self._asked: float | None = None
        self._ending: Ending | None = None
        self._unframing = Unframing()

    def attend(self) -> Ending:
        """Listen until the child is done or has to be ended."""
        try:
            while self._listen() and not self._overdue():
                pass
        finally:
            if self._unfinished:
                self._orphans = end_tree(self._pid)
            for descriptor in (self._told, self._order):
                os.close(descriptor)
        return self._ended()

    _unfinished = True
    _orphans: Sequence[int] = ()

    def _listen(self) -> bool:
        """Wait for the child or the user, and pass on what the child says; False when it has said everything."""
        ready, _, _ = select.select([self._told, self._pressed], [], [], self._patience())
        if self._pressed in ready:
            os.read(self._pressed, 16)
            if self._asked is not None:
                self._asked = 0.0  # pressed twice: no more patience
            self._stop(Ending(How.INTERRUPTED, "interrupted"))
        if self._told in ready:
            chunk = os.read(self._told, 1 << 16)
            if not chunk:
                self._unfinished = False
                return False
            for message in self._unframing.arrived(chunk):
                self._receive(message)
        elif self._tick is not None:
            self._tick()
        return True

    def _patience(self) -> float | None:
        """How long to wait for a message before looking around; for ever where nothing is limited or shown."""
        waits = [0.2] if self._tick is not None else []
        if self._limits.memory is not None or self._asked is not None:
            waits.append(_TICK)
        if self._limits.seconds is not None:
            waits.append(max(0.0, self._started + self._limits.seconds + GRACE - time.monotonic()) + 0.01)
        return min(waits, default=None)

    def _overdue(self) -> bool:
        """Whether the child has to be ended now; asks it to stop where that comes first."""
        now = time.monotonic()
        if self._asked is not None:
            return now - self._asked > GRACE
        limits = self._limits
        if limits.seconds is not None and now - self._started > limits.seconds + GRACE:
            self._ending = Ending(How.TIME, f"time limit of {limits.seconds:g} s reached")
            return True
        if limits.memory is not None:
            used = memory_of(self._pid)
            if used > limits.memory:
                from epistrat.solvers.budget import memory_reached

                self._stop(Ending(How.MEMORY, memory_reached(limits.memory)))
                return used > limits.memory * _OVERSHOOT
        return False

    def _stop(self, ending: Ending) -> None:
        """Ask the child to stop by itself."""
        self._ending = self._ending or ending
        if self._asked is None:
            self._asked = time.monotonic()
        with contextlib.suppress(OSError):
            os.write(self._order, b"m" if ending.how is How.MEMORY else b"s")

    def _ended(self) -> Ending:
        _, status, used = os.wait4(self._pid, 0)
        wait_for_orphans(self._orphans)
        if self._ending is not None:
            return self._ending
        code = os.waitstatus_to_exitcode(status)
        if code == 0:
            return Ending(How.DONE)
        if code == -signal.SIGKILL and _limit_of_time() <= used.ru_utime + used.ru_stime + 1:
            return Ending(How.TIME, "the system's limit on processor time was reached")
        if code == -signal.SIGKILL:
            return Ending(How.MEMORY, "the system ended the check, most likely because memory ran out")
        if code == -getattr(signal, "SIGXCPU", 0):
            return Ending(How.TIME, "the system's limit on processor time was reached")
        if code < 0:
            return Ending(How.CRASHED, f"a native library crashed ({signal.Signals(-code).name})")
        return Ending(How.CRASHED, f"the check ended unexpectedly (status {code})")


def _limit_of_time() -> float:
    """The processor seconds after which the system kills a process without a word; infinity where it does not."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    return math.inf if hard == resource.RLIM_INFINITY else hard


def _child(work: Work, limits: Limits, tell: int, listen: int, crash: int | None) -> NoReturn:
    """The side that works; ``crash`` is where it writes if a library crashes under it."""

    def send(message: Message) -> None:
        data = memoryview(framed(message))
        while data:
            data = data[os.write(tell, data) :]

    try:
        gc.freeze()  # what the parent left to collect belongs to native libraries whose threads a fork does not have: they hang or crash
        die_with_parent()
        gc.set_threshold(50_000, 20, 20)  # models are large trees without cycles: 10 % of the time to read one
        if not os.environ.get("EPISTRAT_TRACEBACK"):
            os.dup2(os.open(os.devnull, os.O_WRONLY) if crash is None else crash, 2)
        if crash is not None:
            faulthandler.enable(crash)
        budget = limits.budget()
        _listen_for_stop(listen, budget)
        work(send, budget)
        os._exit(0)
    except MemoryError:
        send({"event": "memory"})
    except Exception as error:
        import traceback

        send({"event": "bug", "message": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()})
    finally:
        os._exit(1)


def _listen_for_stop(listen: int, budget: Budget) -> None:
    """Cancel the budget when the parent says so, and why; end when the parent is gone."""
    import threading

    from epistrat.solvers.budget import memory_reached

    def stop() -> None:
        while order := os.read(listen, 1):
            budget.cancel(memory_reached(budget.memory) if order == b"m" and budget.memory else "interrupted")
        os._exit(1)

    threading.Thread(target=stop, daemon=True).start()
