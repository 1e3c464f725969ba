"""What the exit status of the command says."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from epistrat.answers import Report


class Exit(IntEnum):
    """Exit statuses, in the order of precedence when several files are checked: the worst one counts."""

    HOLDS = 0
    FAILS = 1
    USAGE = 2
    INPUT = 3
    UNKNOWN = 4
    BUG = 70
    INTERRUPTED = 130


class Refused(Exception):
    """Ends a command: the exit status, and why, in lines for standard error."""

    def __init__(self, status: Exit, *lines: str) -> None:
        self.status, self.lines = status, lines


_SEVERITY = (Exit.HOLDS, Exit.UNKNOWN, Exit.FAILS, Exit.INPUT, Exit.USAGE, Exit.BUG, Exit.INTERRUPTED)
_ENDINGS = {
    "interrupted": Exit.INTERRUPTED,
    "crashed": Exit.BUG,
    "misused": Exit.USAGE,
    "rejected": Exit.INPUT,
}


def worst(codes: list[Exit]) -> Exit:
    """The one status that stands for all: a bug above an input error above a failure above unknown."""
    return max(codes, key=_SEVERITY.index, default=Exit.HOLDS)


def status_of(report: Report, *, allow_vacuous: bool = False) -> Exit:
    """The exit status that a report stands for; that everything holds for a trivial reason is no success."""
    how = report.ending.how.value
    if how in _ENDINGS:
        return _ENDINGS[how]
    if report.differences is not None:
        return Exit.FAILS if report.differences else Exit.HOLDS
    verdicts = {result.verdict.value for result in report.results}
    if "fails" in verdicts or ((report.vacuous or report.trivial) and not allow_vacuous):
        return Exit.FAILS
    return Exit.UNKNOWN if "unknown" in verdicts or how != "done" else Exit.HOLDS
