"""One run of a whole command, from text to verdict: what it answered, and what it took."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from epistrat.jobs.worker import end_group

GRACE = 5.0


@dataclass(frozen=True)
class Run:
    """What a process used, and what it said.

    CPU seconds and peak memory cover the process and all its children, as the operating system counts them (where it
    does not, CPU seconds are those of the clock).  ``finished`` is false if
    it had to be killed.
    """

    cpu: float
    wall: float
    peak_mb: float
    status: int
    finished: bool
    report: Mapping[str, Any] | None
    complaint: str = ""
    output: str = ""

    @property
    def verdicts(self) -> list[str]:
        """The verdict of each formula, in order."""
        return [str(result["verdict"]) for result in self.report["results"]] if self.report else []

    @property
    def decided(self) -> bool:
        """Whether there is an answer to every question."""
        return self.finished and bool(self.verdicts) and "unknown" not in self.verdicts

    @property
    def states(self) -> int | None:
        """The exact number of reachable states, if it was found."""
        return self.report.get("states") if self.report else None


def execute(command: Sequence[str], limit: float, started_as: Callable[[int], None] = lambda group: None) -> Run:
    """Run a command, and kill it after the limit; ``started_as`` is told its process group.

    The run's ``report`` is the JSON object that the command prints, if it does.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=output, stderr=errors, stdin=subprocess.DEVNULL, start_new_session=True
        )
        started_as(process.pid)
        killed = threading.Event()

        def kill() -> None:
            killed.set()
            end_group(process.pid)

        watchdog = threading.Timer(limit, kill)
        watchdog.start()
        try:
            status, cpu, peak = _ended(process)
        except BaseException:
            kill()
            raise
        finally:
            watchdog.cancel()
        wall = time.perf_counter() - started
        process.returncode = status
        output.seek(0)
        errors.seek(0)
        told = output.read()
        return Run(
            cpu=wall if cpu is None else cpu,
            wall=wall,
            peak_mb=peak,
            status=process.returncode,
            finished=not killed.is_set(),
            report=_report(told),
            complaint=errors.read().decode(errors="replace").strip(),
            output=told.decode(errors="replace"),
        )


def _ended(process: subprocess.Popen[bytes]) -> tuple[int, float | None, float]:
    """Wait for a process: its exit status, CPU seconds and peak memory in MB; None and 0 where the system does not count them."""
    if not hasattr(os, "wait4"):
        return process.wait(), None, 0.0
    _, status, usage = os.wait4(process.pid, 0)
    peak = usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, peak


def _report(output: bytes) -> Mapping[str, Any] | None:
    try:
        found = json.loads(output)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
