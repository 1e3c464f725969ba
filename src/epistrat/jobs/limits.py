"""What a run may use."""

from __future__ import annotations

from epistrat.records import dataclass, replace
from epistrat.solvers.budget import Budget


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use; None means no limit, and all cores."""

    seconds: float | None = None
    memory: int | None = None
    nodes: int | None = None
    states: int | None = None
    cores: int | None = None

    def within(self, seconds: float, memory: int) -> Limits:
        """The same limits, and these."""
        return replace(self, seconds=min(self.seconds or seconds, seconds), memory=min(self.memory or memory, memory))

    def budget(self) -> Budget:
        """The same limits, for the work itself."""
        return Budget(self.seconds, self.memory, self.nodes, self.states, cores=self.cores)


UNLIMITED = Limits()
