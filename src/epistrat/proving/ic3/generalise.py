"""Making one answer serve many states: larger cubes that are unreachable too, larger cubes of predecessors."""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.encoding.gates import NO, Literal
from epistrat.proving.ic3.frames import Cube, Frames
from epistrat.solvers.patience import Patience

_MOST_FAILURES = 12  # literals that may fail to drop before a cube is left as it is


def unreachable_from(frames: Frames, cube: Cube, level: int) -> Cube | None:
    """A part of the cube that still has no predecessor in the frame outside itself, and no initial state.

    None if the cube has such a predecessor; the solver's last solution then shows one.
    """
    bits = frames.bits
    switch = bits.temporary([-literal for literal in cube])
    primed = {bits.primed(literal): literal for literal in cube}
    found = bits.solve([*frames.assumptions(level), bits.step, switch, *primed])
    core = set() if found else {primed[literal] for literal in bits.core() if literal in primed}
    bits.retire(switch)
    return None if found else _without_initial(frames, cube, frozenset(core))


def _without_initial(frames: Frames, cube: Cube, core: Cube) -> Cube:
    """The smaller cube, with literals of the larger one added back until no initial state is in it."""
    if not frames.meets_initial(core):
        return core
    if frames.meets_initial(cube):
        raise AssertionError("a cube with initial states cannot be blocked")
    apart = frozenset(literal for literal in frames.bits.core() if literal in cube)
    return core | apart


def enlarge(frames: Frames, cube: Cube, level: int, patience: Patience) -> Cube:
    """Drop literals one by one as long as the cube stays unreachable from the frame before."""
    failures = 0
    for literal in sorted(cube, key=abs):
        if literal not in cube or len(cube) == 1:
            continue
        smaller = cube - {literal}
        if not frames.meets_initial(smaller):
            found = unreachable_from(frames, smaller, level - 1)
            if found is not None:
                cube = found
                continue
        failures += 1
        if failures > patience.most(_MOST_FAILURES):
            break
    return cube


def predecessors(frames: Frames, state: Cube, inputs: list[Literal], target: Cube) -> Cube:
    """A cube around the state all of whose states have, under the inputs, a successor in the target."""
    bits = frames.bits
    switch = bits.temporary([-bits.primed(literal) for literal in target])
    found = bits.solve([bits.step, switch, *inputs, *state])
    core = set() if found else bits.core()
    bits.retire(switch)
    if found:
        return state
    small = state & core
    if bits.blocked == NO:
        return small
    return _unblocked(frames, state, small, inputs)


def _unblocked(frames: Frames, state: Cube, small: Cube, inputs: list[Literal]) -> Cube:
    """The smaller cube, with literals added so that the inputs are possible in all its states."""
    bits = frames.bits
    if bits.solve([bits.blocked, *inputs, *state]):
        return state
    return small | (state & bits.core())


def bad_part(frames: Frames, state: Cube, chosen: list[Literal], bad: Iterable[Literal]) -> Cube:
    """A cube around a bad state all of whose states are bad, given the values of the free variables."""
    bits = frames.bits
    good = [-literal for literal in bad]
    switch = bits.temporary(good)
    found = bits.solve([switch, *chosen, *state])
    core = set() if found else bits.core()
    bits.retire(switch)
    return state if found else state & core
