"""Boolean functions with a bound on what they depend on.

BDD libraries differ in whether they tell a function's support, so it is carried along: a mask with one bit per BDD variable that the
function *may* depend on.  Masks of plain integers are united and intersected much faster than sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from epistrat.solvers.bdd import Bdd

Tick: TypeAlias = Callable[[], None]
"""Called between operations; may raise to end the computation."""


def no_tick() -> None:
    """Nobody waits for this computation."""


class Part(NamedTuple):
    """A function and its support mask: a condition, a next-state bit, or one factor of a transition relation."""

    function: Bdd
    support: int


def mask_of(variables: tuple[int, ...] | list[int]) -> int:
    """The mask with these variables."""
    mask = 0
    for variable in variables:
        mask |= 1 << variable
    return mask


def variables_of(mask: int) -> Iterator[int]:
    """The variables in a mask, from the top of the order downwards."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
