"""Frames: for every k a set of clauses that hold in all states reachable in at most k steps.

A clause is stored at the highest level where it is known to hold.  Frame k consists of the clauses at level k and above, and of
those that hold in every reachable state (level "for ever").  Frame 0 is the initial condition.  Frames say nothing about the
question that was asked, so they serve all later questions about the same system.
"""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.encoding.gates import Literal
from epistrat.proving.bits import Bits

Cube = frozenset[Literal]
"""A set of states: those in which all the literals hold."""


class Frames:
    """The frames of one system.  Blocked cubes are the negations of the clauses."""

    def __init__(self, bits: Bits) -> None:
        self.bits = bits
        self.levels: list[set[Cube]] = [set()]
        self.forever: set[Cube] = set()
        self._switches = [bits.initial]
        self._always = bits.solver.variable()

    @property
    def top(self) -> int:
        """The number of the last frame."""
        return len(self.levels) - 1

    def extend(self) -> None:
        """Add a frame about which nothing is known yet."""
        self.levels.append(set())
        self._switches.append(self.bits.solver.variable())

    def assumptions(self, level: int | None) -> list[Literal]:
        """What to assume so that the present state is in the frame; None stands for all reachable states."""
        if level is None:
            return [self._always]
        if level == 0:
            return [self._always, self.bits.initial]
        return [self._always, *self._switches[level:]]

    def block(self, cube: Cube, level: int | None) -> None:
        """The cube is unreachable in so many steps, or for ever."""
        switch = self._always if level is None else self._switches[level]
        self.bits.solver.add([-switch, *[-literal for literal in cube]])
        if level is None:
            self.forever.add(cube)
            return
        for below in range(1, level + 1):
            self.levels[below] = {other for other in self.levels[below] if not cube <= other}
        self.levels[level].add(cube)

    def always(self, literal: Literal) -> None:
        """The literal is true in all reachable states, as was shown elsewhere."""
        self.bits.solver.add([-self._always, literal])

    def blocked(self, cube: Cube, level: int) -> bool:
        """Whether the frame excludes the whole cube, as far as single clauses show."""
        return any(other <= cube for cubes in (*self.levels[level:], self.forever) for other in cubes)

    def settle(self, level: int) -> None:
        """All clauses above the level form an invariant: they hold for ever."""
        for above in range(level + 1, len(self.levels)):
            for cube in self.levels[above]:
                self.block(cube, None)
            self.levels[above] = set()

    def meets_initial(self, cube: Iterable[Literal]) -> bool:
        """Whether some initial state is in the cube."""
        return self.bits.solve([self._always, self.bits.initial, *cube])
