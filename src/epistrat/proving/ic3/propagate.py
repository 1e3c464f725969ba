"""Propagation: facts that hold one step longer than known; when a frame repeats, they hold for ever."""

from __future__ import annotations

from epistrat.proving.ic3.frames import Cube, Frames


def propagate(frames: Frames) -> bool:
    """Move every clause as far as it holds.  Whether two frames became equal, so that an invariant was found."""
    for level in range(1, frames.top):
        for cube in list(frames.levels[level]):
            if cube in frames.levels[level] and _holds_after(frames, cube, level):
                frames.levels[level].discard(cube)
                frames.block(cube, level + 1)
        if not frames.levels[level]:
            frames.settle(level)
            return True
    return False


def _holds_after(frames: Frames, cube: Cube, level: int) -> bool:
    bits = frames.bits
    return not bits.solve([*frames.assumptions(level), bits.step, *[bits.primed(literal) for literal in cube]])
