"""One run of a whole command, from text to verdict: what it answered, and what it took."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from subprocess import DEVNULL
from typing import Any

from epistrat.children.child import GRACE as GRACE, Child


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


def execute(line: Sequence[str], limit: float) -> Run:
    """Run a command, and kill it after the limit.  The run's ``report`` is the JSON object that the command prints, if it does."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        with Child(line, seconds=limit, stdin=DEVNULL, stdout=output, stderr=errors) as child:
            usage = child.close()
        output.seek(0)
        errors.seek(0)
        told = output.read()
        return Run(
            cpu=usage.cpu,
            wall=usage.wall,
            peak_mb=usage.peak_mb,
            status=usage.status,
            finished=child.killed is None,
            report=_report(told),
            complaint=errors.read().decode(errors="replace").strip(),
            output=told.decode(errors="replace"),
        )


def _report(output: bytes) -> Mapping[str, Any] | None:
    try:
        found = json.loads(output)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
