"""Variables and actions as bits: which BDD variable holds which bit of what.

A value is written as its number within its domain, most significant bit first, so that n values take the codes 0 to n - 1 and no
other code ever occurs: a domain of three values has three codes, not four.  Current and next value have separate bits; a *frozen*
variable, which no line can change, has no next bits at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from epistrat.encoding.part import mask_of
from epistrat.records import dataclass
from epistrat.terms import FiniteDomain, Value


@dataclass(frozen=True, slots=True)
class Item:
    """Something that needs bits: a variable (agent, name), or the action of an agent (name is None)."""

    agent: str
    name: str | None
    domain: FiniteDomain
    frozen: bool = False

    @property
    def width(self) -> int:
        """The number of bits; a domain of one value needs none."""
        return self.domain.last.bit_length()


@dataclass(frozen=True, slots=True)
class Field:
    """The bits of one item, most significant first; ``next`` is empty for actions and frozen variables."""

    domain: FiniteDomain
    bits: tuple[int, ...]
    next: tuple[int, ...] = ()
    frozen: bool = False

    @property
    def support(self) -> int:
        """The mask of the current bits."""
        return mask_of(self.bits)

    @property
    def full(self) -> bool:
        """Whether every combination of bits is a value."""
        return self.domain.last + 1 == 1 << len(self.bits)

    def code(self, value: Value) -> int | None:
        """The number of the value within the domain; None if it is not in the domain."""
        return self.domain.code(value) if value in self.domain else None

    def read(self, valuation: Mapping[int, bool]) -> Value:
        """The value that the current bits show; bits that are not given count as false."""
        code = 0
        for bit in self.bits:
            code = code << 1 | valuation.get(bit, False)
        return self.domain.at(code)


class Which(Enum):
    """Which bits of its items a block places."""

    BOTH = "current and next bits, pairwise adjacent"
    CURRENT = "current bits only"
    NEXT = "next bits only"


@dataclass(frozen=True, slots=True)
class Block:
    """A run of adjacent BDD variables.  The bits of several items alternate: first bits, second bits, and so on."""

    items: tuple[int, ...]
    which: Which = Which.BOTH


class Layout:
    """The places of all bits, given items and the blocks that order them."""

    def __init__(self, items: Sequence[Item], blocks: Iterable[Block]) -> None:
        current: dict[int, list[int]] = {index: [] for index in range(len(items))}
        following: dict[int, list[int]] = {index: [] for index in range(len(items))}
        self.size = 0
        for block in blocks:
            for position in range(max((items[index].width for index in block.items), default=0)):
                for index in block.items:
                    item = items[index]
                    if position >= item.width:
                        continue
                    if block.which is not Which.NEXT:
                        current[index].append(self._place())
                    if block.which is not Which.CURRENT and item.name is not None and not item.frozen:
                        following[index].append(self._place())
        self.variables: dict[tuple[str, str], Field] = {}
        self.actions: dict[str, Field] = {}
        for index, item in enumerate(items):
            field = Field(item.domain, tuple(current[index]), tuple(following[index]), item.frozen)
            if item.name is None:
                self.actions[item.agent] = field
            else:
                self.variables[item.agent, item.name] = field

    def _place(self) -> int:
        self.size += 1
        return self.size - 1

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Current and next bit of every variable that can change."""
        return [
            pair for field in self.variables.values() if field.next for pair in zip(field.bits, field.next, strict=True)
        ]

    def places(self) -> dict[int, tuple[tuple[str, str | None], int]]:
        """What the current bits stand for: a variable (agent, name) or an action (agent, None), and the place in it."""
        slots: list[tuple[tuple[str, str | None], Field]] = [*self.variables.items()]
        slots += [((name, None), field) for name, field in self.actions.items()]
        return {bit: (slot, place) for slot, field in slots for place, bit in enumerate(field.bits)}

    @property
    def state_bits(self) -> int:
        """The number of current bits."""
        return sum(len(field.bits) for field in self.variables.values())
