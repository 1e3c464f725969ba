"""Which bits stand for which variable and which action.

A value is written as its number within its domain, most significant bit first.  A variable has bits for its value now, and as many for its
value after a step, each right below its counterpart; a variable that no line writes has the same bits for both.  An agent's action has bits
of its own.  An order of the bits is a *hint*: whatever it says, the functions are the same, only their diagrams differ in size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import and_, or_
from typing import TypeAlias

from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.solvers.bdd import Algebra, Bdd, open_algebra
from epistrat.terms import Domain

Slot: TypeAlias = tuple[str, str | None]
"""A variable (agent, name), or the action of an agent (agent, None)."""

Order: TypeAlias = tuple[tuple[Slot, int], ...]
"""Bits from the top of the order: the slot, and the place of the bit in it, most significant first."""


class NotProvable(Exception):
    """There is no proof of this kind; the message says why, in a user's words."""


@dataclass(frozen=True, slots=True)
class Space:
    """An algebra, and the bits of every slot in it, now and after a step; ``tick`` is told between two operations."""

    algebra: Algebra
    now: Mapping[Slot, tuple[int, ...]]
    later: Mapping[Slot, tuple[int, ...]]
    tick: Callable[[], object] = lambda: None

    def code(self, bits: Sequence[int], number: int) -> Bdd:
        """The bits write this number."""
        result = self.algebra.true
        for place, bit in enumerate(reversed(bits)):
            one = self.algebra.var[bit]
            result = (one if number >> place & 1 else ~one) & result
        return result

    def same(self, one: Sequence[int], other: Sequence[int]) -> Bdd:
        """Two rows of bits, equally long, write the same number."""
        result, algebra = self.algebra.true, self.algebra
        for left, right in zip(reversed(one), reversed(other), strict=True):
            result = ~algebra.xor(algebra.var[left], algebra.var[right]) & result
        return result

    def conjunction(self, functions: Iterable[Bdd]) -> Bdd:
        """All of them."""
        return self._joined(functions, and_, self.algebra.true)

    def disjunction(self, functions: Iterable[Bdd]) -> Bdd:
        """Some of them."""
        return self._joined(functions, or_, self.algebra.false)

    def _joined(self, functions: Iterable[Bdd], join: Callable[[Bdd, Bdd], Bdd], unit: Bdd) -> Bdd:
        """Neighbours in pairs, then these in pairs: of hundreds, each is gone through a few times and not as often as others follow."""
        parts = list(functions) or [unit]
        while len(parts) > 1:
            self.tick()
            parts = [join(*parts[n : n + 2]) if n + 1 < len(parts) else parts[n] for n in range(0, len(parts), 2)]
        return parts[0]


def width(size: int) -> int:
    """How many bits tell so many values apart."""
    return (size - 1).bit_length()


def size_of(domain: Domain) -> int:
    """How many values a finite domain has."""
    if not domain.finite:
        raise NotProvable("a variable has no bounds")
    return domain.last + 1  # type: ignore[union-attr]  # the finite ones have a last value


def written(system: System) -> frozenset[tuple[str, str]]:
    """The variables that some line writes."""
    return frozenset(
        (agent.name, one.target) for agent in system.agents for line in agent.evolution for one in line.assignments
    )


def lay_out(
    system: System, order: Order, library: str, nodes: int, cache: int, tick: Callable[[], object] = lambda: None
) -> Space:
    """A space for the system, in this order as far as it goes; what it leaves out follows as it is declared."""
    widths: dict[Slot, int] = {}
    for agent in system.agents:
        if agent.actions and not system.interleaved:
            widths[agent.name, None] = width(len(agent.actions))
        widths.update({variable.key: width(size_of(variable.domain)) for variable in agent.variables})
    every = [(slot, place) for slot, bits in widths.items() for place in range(bits)]
    line = dict.fromkeys([*(one for one in order if one[1] < widths.get(one[0], 0)), *every])
    changing = written(system)
    now: dict[Slot, dict[int, int]] = {slot: {} for slot in widths}
    later: dict[Slot, dict[int, int]] = {slot: {} for slot in widths}
    count = 0
    for slot, place in line:
        now[slot][place], count = count, count + 1
        if slot in changing:
            later[slot][place], count = count, count + 1
        else:
            later[slot][place] = now[slot][place]
    return Space(open_algebra(count, library, nodes, cache), _rows(now), _rows(later), tick)


def _rows(places: Mapping[Slot, Mapping[int, int]]) -> dict[Slot, tuple[int, ...]]:
    return {slot: tuple([bit for _, bit in sorted(bits.items())]) for slot, bits in places.items()}
