"""Exact sets of packed states, as sorted arrays.

States of one word are their own sort key.  Wider states are sorted by a 64-bit fingerprint, which is six times faster than sorting
by all words; a fingerprint never decides alone: where two are equal the whole words are compared, so sets are exact.

Note [order within equal fingerprints].  Different states with one fingerprint are next to never seen, but when they are, equal states
among them must still become neighbours.  `arrange` then sorts by all words within the fingerprint.  Tests force this with a
fingerprint of a few bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from epistrat.engines.explicit.layout import Block, Codes, Mask, Words

Fingerprint: TypeAlias = Callable[[Block], Words]

_ODD = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xFF51AFD7ED558CCD)
_HALF = np.uint64(32)
_PART = 1 << 22  # bytes of the map that are read at once: positions of 32 MB at most
_BYTES_PER_MEMBER = 32  # a map may take so much: four times the words that members take in lists


def fingerprint(block: Block) -> Words:
    """Sort keys of states: the word itself, or a mixture of all words."""
    if block.shape[1] == 1:
        return block[:, 0]
    key = block[:, 0] * _ODD
    for word in range(1, block.shape[1]):
        key ^= key >> _HALF
        key = (key + block[:, word]) * _MIX
    key ^= key >> _HALF
    return key


class Sorted:
    """A set of states: sorted, without repetition.  A state's *id* is its position.  ``marks`` may say something of each state."""

    __slots__ = ("_fingerprint", "_places", "block", "keys", "marks")

    def __init__(self, block: Block, keys: Words, fingerprint_: Fingerprint, marks: Words | None = None) -> None:
        self.block = block
        self.keys = keys
        self.marks = marks
        self._fingerprint = fingerprint_
        self._places: Places | None = None

    def index(self, seen: Mask) -> None:
        """Find members by a table of all possible states from now on; ``seen`` says which are members, and is used up."""
        self._places = Places(seen)

    def __len__(self) -> int:
        return len(self.block)

    def find(self, block: Block) -> Codes:
        """The ids of states, -1 for those that are not members."""
        if not len(self.keys):
            return np.full(len(block), -1, dtype=np.int64)
        keys = self._fingerprint(block)
        places = np.searchsorted(self.keys, keys) if self._places is None else self._places.of(keys)
        places[places == len(self.keys)] -= 1
        if block.shape[1] == 1:
            places[self.keys[places] != keys] = -1
            return places
        return self._compare(block, keys, places)

    def _compare(self, block: Block, keys: Words, places: Codes) -> Codes:
        """From the first place with the right fingerprint on, look for the same words."""
        found = np.full(len(block), -1, dtype=np.int64)
        open_rows = np.flatnonzero(self.keys[places] == keys)
        while len(open_rows):
            at = places[open_rows]
            same = (self.block[at] == block[open_rows]).all(axis=1)
            found[open_rows[same]] = at[same]
            open_rows = open_rows[~same]
            places[open_rows] += 1
            open_rows = open_rows[places[open_rows] < len(self.keys)]
            open_rows = open_rows[self.keys[places[open_rows]] == keys[open_rows]]
        return found

    def contains(self, block: Block) -> Mask:
        """Which of the states are members."""
        return self.find(block) >= 0

    def without(self, mask: Mask) -> Sorted:
        """The members outside the mask."""
        marks = None if self.marks is None else self.marks[~mask]
        return Sorted(self.block[~mask], self.keys[~mask], self._fingerprint, marks)


_ROW = 256  # positions within a row fit a byte


class Places:
    """Positions of states in a sorted set, by tables: how many members come before each row of 256 possible states, and within it."""

    def __init__(self, seen: Mask) -> None:
        rows = np.pad(seen, (0, -len(seen) % _ROW)).reshape(-1, _ROW) if len(seen) % _ROW else seen.reshape(-1, _ROW)
        counts = np.count_nonzero(rows, axis=1)
        self._before: Codes = np.cumsum(counts) - counts
        within = rows.view(np.uint8)
        step = max(1, (1 << 22) // _ROW)
        for start in range(0, len(within), step):  # in place: the map may be large
            part = within[start : start + step]
            part[:] = np.cumsum(part, axis=1, dtype=np.uint8) - part
        self._within = within.reshape(-1)

    def of(self, keys: Words) -> Codes:
        """The position of each state, or of the next member if it is none."""
        return np.asarray(self._before[keys >> np.uint64(8)] + self._within[keys])


def arrange_marked(words: Words, bits: int, runs: bool = False) -> Sorted:
    """The set of the states of one word above so many low ``bits`` each; a state's marks are all low bits that it comes with."""
    words.sort(kind="stable" if runs else None)
    states = words >> np.uint64(bits)
    if len(states) > 1:
        first = np.flatnonzero(np.concatenate(([True], states[1:] != states[:-1])))
        words, states = np.bitwise_or.reduceat(words, first), states[first]
    return Sorted(states.reshape(-1, 1), states, fingerprint, words & np.uint64((1 << bits) - 1))


def arrange(block: Block, fingerprint_: Fingerprint = fingerprint, runs: bool = False) -> Sorted:
    """The set of the states in a block.  ``runs`` says that it consists of a few sorted runs."""
    if block.shape[1] == 1:
        keys = block[:, 0].copy()
        keys.sort(kind="stable" if runs else None)
        if len(keys) > 1:
            keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))]
        return Sorted(keys.reshape(-1, 1), keys, fingerprint_)
    keys = fingerprint_(block)
    order = np.argsort(keys, kind="stable" if runs else None)
    keys, block = keys[order], block[order]
    if len(keys) < 2:
        return Sorted(block, keys, fingerprint_)
    tied = keys[1:] == keys[:-1]
    same = tied & (block[1:] == block[:-1]).all(axis=1)
    if not np.array_equal(tied, same):  # see note [order within equal fingerprints]
        order = np.lexsort((*block.T, keys))
        keys, block = keys[order], block[order]
        same = (block[1:] == block[:-1]).all(axis=1)
    keep = np.concatenate(([True], ~same))
    return Sorted(block[keep], keys[keep], fingerprint_)


class Visited:
    """A growing set of states: a few sorted parts, each at least twice as long as the next.

    A new part is merged with the last one while it is not much shorter, so every state is moved a logarithmic number of times.
    Where states have few bits and many of all possible states are members, a map of all possible states takes the place of the parts.
    """

    def __init__(self, words: int, fingerprint_: Fingerprint = fingerprint, bits: int | None = None) -> None:
        self._words = words
        self._bits = bits if words == 1 else None
        self._fingerprint = fingerprint_
        self._parts: list[Sorted] = []
        self._seen: Mask | None = None
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def blocks(self) -> Iterator[Block]:
        """All members, part by part."""
        if self._seen is not None:
            for start in range(0, len(self._seen), _PART):
                found = np.flatnonzero(self._seen[start : start + _PART])
                yield (found + start).astype(np.uint64).reshape(-1, 1)
        for part in self._parts:
            yield part.block

    def consider_map(self) -> None:
        """Change to a map if it takes little memory in comparison with the members."""
        if self._seen is None and self._bits is not None and (1 << self._bits) <= _BYTES_PER_MEMBER * self._count:
            self._seen = np.zeros(max(_ROW, 1 << self._bits), dtype=np.bool_)
            for part in self._parts:
                self._seen[part.keys] = True
            self._parts = []

    @property
    def mapped(self) -> bool:
        """Whether there is a map, so that no state is taken twice."""
        return self._seen is not None

    def take(self, block: Block) -> Sorted:
        """Those of the states that are not members, without repetition; in a map they are marked at once."""
        if self._seen is None:
            return self.unseen(arrange(block, self._fingerprint))
        found = arrange(block[~self._seen[block[:, 0]]], self._fingerprint)
        self._seen[found.keys] = True
        return found

    def joined(self, parts: Sequence[Sorted]) -> Sorted:
        """Sets taken from a map, which have no state in common, as one; in no order."""
        block = np.concatenate([np.empty((0, self._words), dtype=np.uint64), *(part.block for part in parts)])
        return Sorted(block, block[:, 0], self._fingerprint)

    def drop(self, parts: Iterable[Sorted]) -> None:
        """Forget states that were taken and will not be added."""
        if self._seen is not None:
            for part in parts:
                self._seen[part.keys] = False

    def unseen(self, states: Sorted) -> Sorted:
        """Those of the states that are not members."""
        if self._seen is not None:
            return states.without(self._seen[states.keys])
        for part in self._parts:
            if not len(states):
                break
            states = states.without(part.contains(states.block))
        return states

    def add(self, states: Sorted) -> None:
        """Take in states that are not members yet."""
        if not len(states):
            return
        self._count += len(states)
        if self._seen is not None:
            self._seen[states.keys] = True
            return
        states.marks = None
        self._parts.append(states)
        while len(self._parts) > 1 and 2 * len(self._parts[-1]) >= len(self._parts[-2]):
            self._merge_last()

    def _merge_last(self) -> None:
        small, large = self._parts.pop(), self._parts.pop()
        block = np.concatenate((large.block, small.block))
        del small, large
        self._parts.append(arrange(block, self._fingerprint, runs=True))

    def whole(self) -> Sorted:
        """All members as one sorted set."""
        if self._seen is not None:
            keys = np.flatnonzero(self._seen).astype(np.uint64)
            self._parts.append(Sorted(keys.reshape(-1, 1), keys, self._fingerprint))
            self._parts[0].index(self._seen)
            self._seen = self._bits = None
        while len(self._parts) > 1:
            self._merge_last()
        if not self._parts:
            self._parts.append(arrange(np.empty((0, self._words), dtype=np.uint64), self._fingerprint))
        return self._parts[0]
