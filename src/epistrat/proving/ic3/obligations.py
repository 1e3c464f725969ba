"""Obligations: cubes from which a bad state is reached, to be shown unreachable in so many steps."""

from __future__ import annotations

from heapq import heappop, heappush

from epistrat.encoding.gates import Literal
from epistrat.proving.ic3.frames import Cube
from epistrat.records import dataclass, field


@dataclass(frozen=True)
class Obligation:
    """Every state of the cube has, under the inputs, a successor in the cube of ``then`` (None: the cube itself is bad)."""

    cube: Cube
    inputs: tuple[Literal, ...] = ()
    then: Obligation | None = None

    @property
    def distance(self) -> int:
        """How many steps lead from the cube to a bad state."""
        return 0 if self.then is None else 1 + self.then.distance


@dataclass
class Queue:
    """Obligations by level, the lowest first; among equals the one nearest to the bad state."""

    _heap: list[tuple[int, int, int, Obligation]] = field(default_factory=list)
    _count: int = 0

    def add(self, level: int, obligation: Obligation) -> None:
        """The obligation must be blocked in the frame of that level."""
        self._count += 1
        heappush(self._heap, (level, obligation.distance, self._count, obligation))

    def pop(self) -> tuple[int, Obligation]:
        """The next obligation with its level."""
        level, _, _, obligation = heappop(self._heap)
        return level, obligation

    def __bool__(self) -> bool:
        return bool(self._heap)
