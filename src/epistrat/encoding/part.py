"""Boolean functions with a bound on what they depend on.

BDD libraries differ in whether they tell a function's support, so it is carried along: a mask with one bit per BDD variable that the
function *may* depend on.  Masks of plain integers are united and intersected much faster than sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from epistrat.solvers.bdd import Algebra, Bdd

Tick: TypeAlias = Callable[[], None]
"""Called between operations; may raise to end the computation."""


def no_tick() -> None:
    """Nobody waits for this computation."""


class Part(NamedTuple):
    """A function and its support mask: a condition, a next-state bit, or one factor of a transition relation."""

    function: Bdd
    support: int


def negated(part: Part) -> Part:
    """Where the part does not hold."""
    return Part(~part.function, part.support)


def exclusive(algebra: Algebra, one: Part, other: Part) -> Part:
    """Where exactly one of two parts holds."""
    return Part(algebra.xor(one.function, other.function), one.support | other.support)


def cube(algebra: Algebra, values: Iterable[tuple[int, bool]]) -> Bdd:
    """Where BDD variables have these values; made from the bottom of the order upwards."""
    result = algebra.true
    for bit, value in sorted(values, reverse=True):
        variable = algebra.var[bit]
        result = (variable if value else ~variable) & result
    return result


def at_least(algebra: Algebra, number: int, parts: Iterable[Part]) -> Part:
    """Where at least so many of the parts hold.

    Parts are taken in from the bottom of the order upwards: ``least[k]`` says that at least k of those seen so far hold, and a part above
    all of them adds one node to each.
    """
    support = 0
    least = [algebra.true] + [algebra.false] * number
    for part in sorted(parts, key=lambda one: -(one.support & -one.support)):
        support |= part.support
        least = [algebra.true] + [algebra.ite(part.function, fewer, as_many) for fewer, as_many in pairwise(least)]
    return Part(least[number], support)


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
