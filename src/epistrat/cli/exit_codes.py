"""What the exit status of the command says."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit statuses, in the order of precedence when several files are checked: the worst one counts."""

    HOLDS = 0
    FAILS = 1
    USAGE = 2
    INPUT = 3
    UNKNOWN = 4
    BUG = 70
    INTERRUPTED = 130


_SEVERITY = (Exit.HOLDS, Exit.UNKNOWN, Exit.FAILS, Exit.INPUT, Exit.USAGE, Exit.BUG, Exit.INTERRUPTED)


def worst(codes: list[Exit]) -> Exit:
    """The one status that stands for all: a bug above an input error above a failure above unknown."""
    return max(codes, key=_SEVERITY.index, default=Exit.HOLDS)
