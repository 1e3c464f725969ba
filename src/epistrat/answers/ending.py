"""How a run ended."""

from __future__ import annotations

from enum import Enum

from epistrat.answers.advice import Setting
from epistrat.records import dataclass, field


class How(Enum):
    """How a run ended: as it should, by a limit, by the user, because of what was asked, or by a mistake of ours."""

    DONE = "done"
    TIME = "time"
    MEMORY = "memory"
    LIMIT = "limit"
    INTERRUPTED = "interrupted"
    REJECTED = "rejected"
    MISUSED = "misused"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended, in words why, and for a mistake of ours where (a trace).

    Where there are ``settings``, ``{}`` in the reason stands for them, in their order: see `epistrat.answers.Misuse`.
    """

    how: How
    reason: str | None = None
    settings: tuple[Setting, ...] = ()
    trace: str = field(default="", compare=False, repr=False)


DONE = Ending(How.DONE)
