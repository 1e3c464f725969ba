"""A child as its parent sees it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import IO, Any

from epistrat.children.frames import framed, read_frame
from epistrat.children.system import command, end_group, memory_of
from epistrat.records import dataclass
from epistrat.solvers.budget import memory_reached

GRACE = 5.0
"""Seconds beyond its limit after which a child that keeps its limit by itself is killed."""

_LOOK = 0.1
"""Seconds between two looks at a child's memory."""


class ChildEnded(Exception):
    """The child has ended, and there is nothing more to hear; the words say why."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process and all it started took: CPU seconds, seconds, peak memory in MB, and its exit status.

    Where the system does not count CPU seconds, they are those of the clock.
    """

    cpu: float
    wall: float
    peak_mb: float
    status: int


class Child:
    """A process that runs a command line.  It is killed after so many seconds, and where it needs more than so many bytes."""

    def __init__(
        self,
        line: Sequence[str],
        *,
        seconds: float | None = None,
        memory: int | None = None,
        stdin: int = subprocess.PIPE,
        stdout: int | IO[bytes] = subprocess.PIPE,
        stderr: int | IO[bytes] = subprocess.DEVNULL,
    ) -> None:
        self._started = time.perf_counter()
        self._process = subprocess.Popen(line, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True)
        self._sending = threading.Lock()
        self._over = threading.Event()
        self.killed: str | None = None
        if seconds is not None or memory is not None:
            threading.Thread(target=self._watch, args=(seconds, memory), daemon=True).start()

    @classmethod
    def of(cls, module: str, *, seconds: float | None = None, memory: int | None = None) -> Child:
        """A child that calls ``main`` of a module, which speaks by frames (see `epistrat.children.channel`)."""
        return cls(command(module), seconds=seconds, memory=memory)

    @property
    def pid(self) -> int:
        """Its number, which is that of its group as well."""
        return self._process.pid

    def send(self, value: object) -> None:
        """Tell the child something; if it has ended, who waits for an answer notices."""
        assert self._process.stdin is not None
        data = framed(value)
        with self._sending, contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def receive(self) -> Any:
        """What the child says next; raises `ChildEnded`."""
        assert self._process.stdout is not None
        try:
            return read_frame(self._process.stdout)
        except (EOFError, OSError, ValueError) as broken:
            raise ChildEnded(self.killed or "the process that worked on it ended unexpectedly") from broken

    def heard(self) -> Iterator[Any]:
        """What the child says, until it ends."""
        with contextlib.suppress(ChildEnded):
            while True:
                yield self.receive()

    def interrupt(self) -> None:
        """Ask the child to stop, as Ctrl-C does."""
        with contextlib.suppress(ProcessLookupError, ValueError):  # Windows has no such signal
            self._process.send_signal(signal.SIGINT)

    def kill(self, why: str = "ended") -> None:
        """End the child and all it has started; may be called from any thread."""
        if not self._over.is_set():
            self.killed = self.killed or why
            end_group(self._process.pid)

    def close(self) -> Usage:
        """Wait for the end; what it all took."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        status, cpu, peak = self._ended()
        self._over.set()
        wall = time.perf_counter() - self._started
        return Usage(wall if cpu is None else cpu, wall, peak, status)

    def _ended(self) -> tuple[int, float | None, float]:
        process = self._process
        if process.returncode is not None or not hasattr(os, "wait4"):
            return process.wait(), None, 0.0
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        peak = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
        return process.returncode, usage.ru_utime + usage.ru_stime, peak

    def _watch(self, seconds: float | None, memory: int | None) -> None:
        while not self._over.wait(seconds if memory is None else _LOOK):
            if seconds is not None and time.perf_counter() - self._started >= seconds:
                self.kill(f"killed after {seconds:g} s")
            elif memory is not None and memory_of(self.pid) > memory:
                self.kill(memory_reached(memory))
            if self.killed is not None:
                return

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Whatever happened, the child does not outlive this."""
        if not self._over.is_set():
            self.kill()
            self.close()
