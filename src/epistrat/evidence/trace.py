"""Runs of a system: finite paths and lassos."""

from __future__ import annotations

from typing import TypeAlias

from epistrat.model.state import Joint, State
from epistrat.records import dataclass


@dataclass(frozen=True, slots=True)
class Path:
    """States and the joint actions between them, one action fewer than states."""

    states: tuple[State, ...]
    actions: tuple[Joint, ...]

    @property
    def last(self) -> State:
        """The state where the path ends."""
        return self.states[-1]

    def then(self, other: Path) -> Path:
        """This path and, from its last state on, the other one."""
        return Path(self.states + other.states[1:], self.actions + other.actions)


@dataclass(frozen=True, slots=True)
class Lasso:
    """An infinite run that repeats: the last action leads from the last state back to ``states[loop]``."""

    states: tuple[State, ...]
    actions: tuple[Joint, ...]
    loop: int

    @property
    def period(self) -> int:
        """How many steps the repeated part has."""
        return len(self.states) - self.loop


Run: TypeAlias = Path | Lasso
