"""The loop of IC3: find a bad state in the last frame, block it or trace it back to the initial states, add a frame, propagate."""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.encoding.gates import Literal
from epistrat.proving.bits import Bits
from epistrat.proving.ic3.frames import Cube, Frames
from epistrat.proving.ic3.generalise import bad_part, enlarge, predecessors, unreachable_from
from epistrat.proving.ic3.obligations import Obligation, Queue
from epistrat.proving.ic3.propagate import propagate
from epistrat.records import dataclass
from epistrat.solvers.patience import PATIENT, Patience


@dataclass(frozen=True)
class BitTrace:
    """A path from an initial to a bad state: full assignments of the latches, and of the inputs between them."""

    states: tuple[tuple[Literal, ...], ...]
    inputs: tuple[tuple[Literal, ...], ...]


class Search:
    """IC3 on one system.  The frames survive from question to question."""

    def __init__(self, bits: Bits, patience: Patience = PATIENT) -> None:
        self.bits = bits
        self._patience = patience
        self.frames = Frames(bits)
        self.questions = 0

    def reaches(self, bad: Sequence[Literal], free: Sequence[Literal] = ()) -> BitTrace | None:
        """A trace to a state where all of ``bad`` hold for some values of the free variables; None if there is none.

        After None the clauses of ``frames.forever`` form an inductive invariant that excludes every such state.
        """
        self.questions += 1
        frames, bits = self.frames, self.bits
        if not bits.solve([*frames.assumptions(None), *bad]):
            return None
        if bits.solve([*frames.assumptions(0), *bad]):
            return self._trace(Obligation(frozenset(bits.cube(bits.latches))))
        level = 1
        while True:
            while level <= frames.top:
                found = self._clear(level, bad, free)
                if found is not None:
                    return self._trace(found)
                level += 1
            if frames.top and propagate(frames) and not bits.solve([*frames.assumptions(None), *bad]):
                return None
            frames.extend()

    def _clear(self, level: int, bad: Sequence[Literal], free: Sequence[Literal]) -> Obligation | None:
        """Block all bad states of a frame; an obligation that begins in an initial state if one cannot be blocked."""
        bits, frames = self.bits, self.frames
        while bits.solve([*frames.assumptions(level), *bad]):
            state, chosen = frozenset(bits.cube(bits.latches)), bits.cube(free)
            found = self._block(Obligation(bad_part(frames, state, chosen, bad)), level)
            if found is not None:
                return found
        return None

    def _block(self, obligation: Obligation, level: int) -> Obligation | None:
        frames, bits = self.frames, self.bits
        queue = Queue()
        queue.add(level, obligation)
        while queue:
            level, current = queue.pop()
            if level == 0 or frames.meets_initial(current.cube):
                return current
            if frames.blocked(current.cube, level):
                continue
            smaller = unreachable_from(frames, current.cube, level - 1)
            if smaller is None:
                state, inputs = frozenset(bits.cube(bits.latches)), bits.cube(bits.inputs)
                around = predecessors(frames, state, inputs, current.cube)
                queue.add(level - 1, Obligation(around, tuple(inputs), current))
                queue.add(level, current)
                continue
            smaller = enlarge(frames, smaller, level, self._patience)
            while level < frames.top and self._also_at(smaller, level):
                level += 1
            frames.block(smaller, level)
            if level < frames.top:
                queue.add(level + 1, current)
        return None

    def _also_at(self, cube: Cube, level: int) -> bool:
        """Whether the cube is unreachable one step later, too."""
        return unreachable_from(self.frames, cube, level) is not None

    def _trace(self, obligation: Obligation) -> BitTrace:
        """Follow an obligation forwards from an initial state."""
        bits = self.bits
        if not bits.solve([*self.frames.assumptions(0), *obligation.cube]):
            raise AssertionError("the trace does not begin in an initial state")
        state = bits.cube(bits.latches)
        states, inputs = [tuple(state)], []
        while obligation.then is not None:
            if not bits.solve([bits.step, *state, *obligation.inputs]):
                raise AssertionError("the trace has an impossible step")
            state = bits.next_cube()
            states.append(tuple(state))
            inputs.append(obligation.inputs)
            obligation = obligation.then
        return BitTrace(tuple(states), tuple(inputs))
