"""What a run may use."""

from __future__ import annotations

from epistrat.records import dataclass
from epistrat.solvers.budget import Budget


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use; None means no limit, and all cores."""

    seconds: float | None = None
    memory: int | None = None
    nodes: int | None = None
    states: int | None = None
    cores: int | None = None

    def budget(self) -> Budget:
        """The same limits, for the work itself."""
        return Budget(self.seconds, self.memory, self.nodes, self.states, cores=self.cores)


UNLIMITED = Limits()
