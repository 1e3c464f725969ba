"""A finite transition system unrolled in time, in one SAT solver: frame 0, 1, 2, ... joined by steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from epistrat.encoding.gates import NO, YES, Literal
from epistrat.model.agent import Variable
from epistrat.proving.bits import Bits
from epistrat.solvers.sat import Sat
from epistrat.terms import Expr, Key, Value


class Unrolled:
    """Copies of the circuit that `Bits` built.  ``initial`` is a literal to assume for "frame 0 is an initial state"."""

    def __init__(self, bits: Bits, tick: Callable[[], None]) -> None:
        self._bits = bits
        self.solver = Sat(tick, bits.cross_check)
        self.solver.add([self.solver.variable()])  # literal 1 is true
        self._copies: list[dict[int, int]] = []
        self._copied: list[int] = []
        self._frame()
        self.initial = self._at(bits.initial, 0)
        self._steps = 0
        self._impossible = False
        self._made: list[Literal] = []

    def _frame(self) -> None:
        copy = {1: 1}
        if self._copies:
            copy |= {bit: self._at(self._bits.primed(bit), len(self._copies) - 1) for bit in self._bits.latches}
        self._copies.append(copy)
        self._copied.append(0)
        self._catch_up(len(self._copies) - 1)

    def _catch_up(self, frame: int) -> None:
        """Copy the gates that were built since the frame was last looked at."""
        for clause in self._bits.definitions[self._copied[frame] :]:
            self.solver.add([self._at(literal, frame) for literal in clause])
        self._copied[frame] = len(self._bits.definitions)

    def _at(self, literal: Literal, frame: int) -> Literal:
        copy = self._copies[frame]
        found = copy.get(abs(literal))
        if found is None:
            found = copy[abs(literal)] = self.solver.variable()
        return found if literal > 0 else -found

    def extend(self, steps: int) -> None:
        """Lay out at least so many steps."""
        while self._steps < steps:
            self._made.append(self._at(self._bits.step, self._steps))
            self._frame()
            self._steps += 1

    def literal(self, condition: Expr, frame: int) -> Literal:
        """The literal of a condition on a frame's state."""
        literal = self._bits.literal(condition)
        self._catch_up(frame)
        return self._at(literal, frame)

    def solve(self, assumptions: Sequence[Literal], *, steps: int) -> bool:
        """Whether the assumptions can hold on a path of so many steps, which need not go on."""
        wanted = [*self._made[:steps], *[literal for literal in assumptions if literal != YES]]
        self._impossible = NO in wanted
        return not self._impossible and self.solver.solve(wanted)

    def core(self) -> set[Literal]:
        """The assumptions that made the last question unsolvable; the solver was not asked if one of them cannot be true."""
        return {NO} if self._impossible else set(self.solver.core())

    def values(self, frame: int, variables: Iterable[Variable]) -> dict[Key, Value]:
        """The values of variables in a frame of the last solution."""
        known = list(variables)
        bits = [bit for one in known for bit in self._bits.bits(one.key)]
        copy = self._copies[frame]
        cube = [bit if bit in copy and self.solver.value(copy[bit]) else -bit for bit in bits]
        return self._bits.values(cube, known)
