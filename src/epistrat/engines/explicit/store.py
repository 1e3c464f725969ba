"""Exact sets of packed states, as a hash table over one growing array.

A state's *id* is its place in the array, to which new states are appended.  Slots hold ids; which slot is looked at first follows from
a 64-bit fingerprint of the state, and slots that other states have taken send the search on, 1, 2, 3, ... further.  A fingerprint never
decides alone: the states themselves are compared, so sets are exact.  Tests force clashes with a fingerprint of a few values.

Note [one slot for each possible state].  Where states have so few bits that a slot for each possible one takes little more room than
hashing would, a state is its own slot: nothing clashes, and neighbours stay neighbours in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from epistrat.engines.explicit.layout import WORD_BITS, Block, Codes, Layout, Mask, Numbers, Words
from epistrat.solvers.budget import OutOfBudget

Fingerprint: TypeAlias = Callable[[Block], Words]

_ODD = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xFF51AFD7ED558CCD)
_HALF = np.uint64(32)
_FEWEST_BITS = 10  # slots at the beginning, as a power of two
_LARGE_BITS = 24  # tables of so many slots grow twofold, smaller ones fourfold
_SPARE_BITS = 3  # see note [one slot for each possible state]: eight times the room at most
_MOST = (1 << 31) - 2  # ids in slots have 32 bits
_PART = 1 << 16  # states moved at once when the table grows


def fingerprint(block: Block) -> Words:
    """A mixture of all words of each state, with good high bits."""
    key: Words = block[:, 0] * _ODD
    for word in range(1, block.shape[1]):
        key ^= key >> _HALF
        key = (key + block[:, word]) * _MIX
    return key


class States:
    """A growing set of states.  An id stays valid until `truncate` takes its state away."""

    def __init__(self, words: int, bits: int | None = None, fingerprint_: Fingerprint = fingerprint) -> None:
        self._bits = bits if words == 1 else None
        self._fingerprint = fingerprint_
        self._count = 0
        self._rows: Block = np.zeros((1 << _FEWEST_BITS - 1, words), dtype=np.uint64)
        self._reserve(_FEWEST_BITS)

    def __len__(self) -> int:
        return self._count

    @property
    def block(self) -> Block:
        """The members in the order of their ids, as they are now."""
        return self._rows[: self._count]

    def find(self, block: Block) -> Codes:
        """The ids of states, -1 for those that are not members."""
        ids = np.full(len(block), -1, dtype=np.int64)
        rows: Codes | None = None
        slots = self._first_slots(block)
        tried = 0
        while len(slots):
            tried += 1
            at = self._slots[slots].astype(np.int64) - 1
            others = self._differ(at, block) | (at < 0)
            ids[slice(None) if rows is None else rows] = np.where(others, -1, at)
            clash = np.flatnonzero(others & (at >= 0))
            rows = clash if rows is None else rows[clash]
            slots, block = self._next_slots(slots[clash], tried), block[clash]
        return ids

    def contains(self, block: Block) -> Mask:
        """Which of the states are members."""
        return self.find(block) >= 0

    def insert(self, block: Block) -> Codes:
        """The ids of states; those that are not members become members."""
        ids = np.empty(len(block), dtype=np.int64)
        rows: Codes | None = None
        slots = self._first_slots(block)
        tried = 0
        while len(slots):
            tried += 1
            at = self._slots[slots]
            free = np.flatnonzero(at == 0)
            if len(free):
                if self._grow(len(free)):
                    slots, tried = self._first_slots(block), 0
                    continue
                at[free] = self._claim(slots[free], block, free)
            found = at.astype(np.int64) - 1
            ids[slice(None) if rows is None else rows] = found
            clash = np.flatnonzero(self._differ(found, block))
            rows = clash if rows is None else rows[clash]
            slots, block = self._next_slots(slots[clash], tried), block[clash]
        return ids

    def _claim(self, slots: Codes, block: Block, rows: Codes) -> Numbers:
        """Take free slots for rows of the block; of several rows with one slot one takes it.  Who is in the slots then (id + 1)."""
        first = self._count + 1
        claims = np.arange(first, first + len(rows), dtype=np.int32)
        self._slots[slots] = claims
        held = self._slots[slots]
        won = held == claims
        if not won.all():  # leave no gap in the ids
            rows, claims = rows[won], claims[: np.count_nonzero(won)]
            self._slots[slots[won]] = claims
            held = self._slots[slots]
        self._rows[self._count : self._count + len(rows)] = block[rows]
        self._count += len(rows)
        return held

    def truncate(self, count: int) -> None:
        """Take away the states that came in last, so that so many are left."""
        self._count = min(count, self._count)
        self._reserve(self._slot_bits)

    def _grow(self, more: int) -> bool:
        """Make room for so many further states; whether states have other slots now."""
        needed = self._count + more
        if needed > _MOST:
            raise OutOfBudget(f"more than {_MOST:,} states")
        if needed > len(self._rows):
            rows = np.zeros((max(needed, 2 * len(self._rows)), self._rows.shape[1]), dtype=np.uint64)
            rows[: self._count] = self.block
            self._rows = rows
        if 2 * needed <= len(self._slots) or self._direct:
            return False
        bits = (2 * needed - 1).bit_length()
        self._reserve(max(bits, self._slot_bits + 1 if bits > _LARGE_BITS else self._slot_bits + 2))
        return True

    def _reserve(self, bits: int) -> None:
        """Make a table of so many slots, as a power of two, and put all states into it."""
        self._direct = self._bits is not None and self._bits <= bits + _SPARE_BITS
        self._slot_bits = self._bits if self._direct and self._bits is not None else bits
        self._slots: Numbers = np.zeros(1 << self._slot_bits, dtype=np.int32)
        for start in range(0, self._count, _PART):
            slots = self._first_slots(self.block[start : start + _PART])
            ids = np.arange(start + 1, start + 1 + len(slots), dtype=np.int32)
            tried = 0
            while len(slots):
                tried += 1
                free = np.flatnonzero(self._slots[slots] == 0)
                self._slots[slots[free]] = ids[free]
                clash = np.flatnonzero(self._slots[slots] != ids)
                slots, ids = self._next_slots(slots[clash], tried), ids[clash]

    def _first_slots(self, block: Block) -> Codes:
        if self._direct:
            return block[:, 0].astype(np.int64)
        return (self._fingerprint(block) >> np.uint64(WORD_BITS - self._slot_bits)).astype(np.int64)

    def _next_slots(self, slots: Codes, tried: int) -> Codes:
        """Where to look after so many slots; comes by every slot, as their number is a power of two."""
        return (slots + tried) & (len(self._slots) - 1)

    def _differ(self, ids: Codes, block: Block) -> Mask:
        """Where the state with an id is not the one in the block; -1 stands for any state."""
        if block.shape[1] == 1:
            return np.asarray(self._rows[:, 0][ids] != block[:, 0])
        return np.asarray((self._rows[ids] != block).any(axis=1))


def states_of(layout: Layout, block: Block) -> States:
    """The set of the states in a block."""
    found = States(layout.words, layout.bits)
    found.insert(block)
    return found
