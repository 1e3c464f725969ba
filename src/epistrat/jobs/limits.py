"""What a run may use, and how it ended: plain values that requests and reports carry."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from epistrat.solvers.budget import Budget


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use; None means no limit."""

    seconds: float | None = None
    memory: int | None = None
    nodes: int | None = None
    states: int | None = None

    def budget(self) -> Budget:
        """The same limits, for the work itself."""
        return Budget(self.seconds, self.memory, self.nodes, self.states)


class How(Enum):
    """How a run ended."""

    DONE = "done"
    TIME = "time"
    MEMORY = "memory"
    INTERRUPTED = "interrupted"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended, and in words why, unless it simply was done."""

    how: How
    reason: str | None = None
