"""Budgets: how long, how much memory, how many nodes a check may take, and whether someone asked it to stop.

One `Budget` is passed down; nobody else reads the clock.  Running out is a normal outcome: `OutOfBudget` says which limit was
reached, and the engine turns it into Unknown together with what it knows so far.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from epistrat.records import dataclass, field, replace
from epistrat.solvers.patience import PATIENT, Patience

_STATM = Path("/proc/self/statm")
_OPERATION = 20
"""Work of an operation, beside what it says of itself."""


class OutOfBudget(Exception):
    """A limit was reached, or the check was cancelled.  The message says which, in a user's words."""


class Cancelled(OutOfBudget):
    """Someone asked the check to stop."""


class ShareSpent(OutOfBudget):
    """What is done beside the question has cost its share of the work."""


class OutOfAddressSpace(OutOfBudget):
    """The system gives this process no more addresses; more time does not help."""


class Meter:
    """How much was done under a budget, in units that took about a microsecond each on the machine of the published figures.

    What is counted is nodes made, states found and operations, not time: the same run counts the same on a busy machine.  ``pause`` is
    called between two operations; who hands out turns sets it.  ``interrupt`` ends the operation of a library that is at work, if it can
    be ended from another thread.
    """

    def __init__(self) -> None:
        self.work = 0
        self.pause: Callable[[], None] | None = None
        self.interrupt: Callable[[], None] | None = None

    def __reduce__(self) -> tuple[type[Meter], tuple[()]]:
        return Meter, ()


class _Cancellation:
    """Whether, and why, someone asked a check to stop, and when the question at hand has had its share of the time.

    Shared by a budget and its portions, not by a copy in another process.
    """

    reason: str | None = None
    until: float | None = None

    def __reduce__(self) -> tuple[type[_Cancellation], tuple[()]]:
        return _Cancellation, ()


MEMORY_REACHED = "memory limit of"
"""How the reason begins where memory ran out."""


def memory_reached(limit: int) -> str:
    """Why the work ended, where memory ran out."""
    return f"{MEMORY_REACHED} {f'{limit / 1e6:.0f} MB' if limit >= 10**6 else f'{limit} B'} reached"


@dataclass
class Budget:
    """Limits of one check; None means no limit.  Seconds are counted from the moment the budget is made.

    A copy made by pickling has the same limits and the same start, and is cancelled on its own.
    ``patience`` are no limits: they say when engines change their way of working.  ``cores`` is how many cores may be used.
    ``cross_check`` says that every query to a solver is also asked of a second one.  ``ends``, if not None, is a moment, and ``most``
    an amount of `work`, at which it is over.
    """

    seconds: float | None = None
    memory: int | None = None
    nodes: int | None = None
    states: int | None = None
    patience: Patience = PATIENT
    cores: int | None = None
    cross_check: bool = False
    started: float = field(default_factory=time.monotonic)
    ends: float | None = None
    most: int | None = None
    meter: Meter = field(default_factory=Meter)
    _cancelled: _Cancellation = field(default_factory=_Cancellation)

    @property
    def elapsed(self) -> float:
        """Seconds since the budget was made."""
        return time.monotonic() - self.started

    @property
    def work(self) -> int:
        """What was done so far: by it, one way of working is left for another."""
        return self.meter.work

    def portion(self) -> Budget:
        """A budget with the same limits that is cancelled together with this one and counts its own work."""
        return replace(self, meter=Meter())

    def at_most(self, seconds: float) -> Budget:
        """A budget with the same limits that ends after so many seconds, if not before.  For what no answer depends on."""
        end = time.monotonic() + seconds
        return replace(self, ends=end if self.ends is None else min(end, self.ends))

    def worth(self, work: int) -> Budget:
        """A budget with the same limits that ends after so much work, if not before."""
        end = self.work + self.patience.work(work)
        return replace(self, most=end if self.most is None else min(end, self.most))

    def share(self, seconds: float | None) -> None:
        """The question that begins now may take so many seconds of those that are left, all portions of the budget together."""
        self._cancelled.until = None if seconds is None else time.monotonic() + seconds

    @contextmanager
    def aside(self, parts: int = 2) -> Iterator[None]:
        """What is added to a verdict within this may take half of the seconds that are left, or another of so many equal ``parts``.

        The others are for further questions.
        """
        until, left = self._cancelled.until, self.left
        if left is not None:
            self._cancelled.until = time.monotonic() + left / parts
        try:
            yield
        finally:
            self._cancelled.until = until

    @property
    def left(self) -> float | None:
        """Seconds that are left for the question at hand; None without a limit."""
        until = self._cancelled.until
        left = [self.remaining, None if until is None else until - time.monotonic()]
        return min((one for one in left if one is not None), default=None)

    @property
    def remaining(self) -> float | None:
        """Seconds that are left for all questions; None without a limit."""
        now = time.monotonic()
        left = [None if self.seconds is None else self.started + self.seconds - now]
        left.append(None if self.ends is None else self.ends - now)
        return min((one for one in left if one is not None), default=None)

    def cancel(self, reason: str = "interrupted") -> None:
        """Ask the check to stop at the next opportunity; safe from any thread and from a signal handler."""
        self._cancelled.reason = reason

    @property
    def cancelled(self) -> bool:
        """Whether the check was asked to stop."""
        return self._cancelled.reason is not None

    @property
    def reason(self) -> str | None:
        """Why the check was asked to stop; None if it was not."""
        return self._cancelled.reason

    def check(self) -> None:
        """Between two operations: raise `OutOfBudget` if a limit is exceeded.

        Cheap enough for every iteration of a fixpoint.  Where several sessions take turns, this waits for the next one.
        """
        self.limits()
        meter = self.meter
        meter.work += _OPERATION
        if meter.pause is not None:
            meter.pause()

    def spend(self, work: int) -> None:
        """Count work that was done since the last check."""
        self.meter.work += work

    def limits(self) -> None:
        """Raise `OutOfBudget` if a limit is exceeded."""
        if self._cancelled.reason is not None:
            raise Cancelled(self._cancelled.reason)
        left = self.left
        if left is not None and left < 0:
            raise OutOfBudget(
                "time limit reached" if self.seconds is None else f"time limit of {self.seconds:g} s reached"
            )
        if self.most is not None and self.work > self.most:
            raise OutOfBudget("more work than this is worth")
        if self.memory is not None and memory_in_use() > self.memory:
            raise OutOfBudget(memory_reached(self.memory))

    def check_states(self, count: int) -> None:
        """Raise `OutOfBudget` if more states were stored than allowed, or another limit is exceeded."""
        if self.states is not None and count > self.states:
            raise OutOfBudget(f"limit of {self.states:,} states reached")
        self.check()


def memory_in_use() -> int:
    """Resident memory of this process in bytes: the current size where the system tells it, else the peak; 0 where it tells neither."""
    try:
        return int(_STATM.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return peak_memory()


def require_address_space(needed: int) -> None:
    """Raise `OutOfBudget` where the system lets this process have less than so many bytes of address space more.

    For libraries that end the process where they cannot have memory.  What nobody needs any more is given back first.
    """
    left = _address_space_left()
    if left is not None and left < needed:
        gc.collect()
        left = _address_space_left()
        if left is not None and left < needed:
            raise OutOfAddressSpace(
                f"the system limits this process to {_gigabytes(_address_space())} of address space (ulimit -v),"
                f" and {_gigabytes(needed)} more are needed"
            )


def _gigabytes(size: int | None) -> str:
    return f"{(size or 0) / 1e9:.1f} GB"


def _address_space() -> int | None:
    """The limit on the address space of this process in bytes; None if there is none."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def _address_space_left() -> int | None:
    limit = _address_space()
    if limit is None:
        return None
    try:
        return limit - int(_STATM.read_bytes().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None


def peak_memory(children: bool = False) -> int:
    """The most resident memory that this process (or one of its children) had, in bytes; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) if children else (resource.RUSAGE_SELF,)
    return max(resource.getrusage(who).ru_maxrss for who in whose) * (1 if sys.platform == "darwin" else 1024)
