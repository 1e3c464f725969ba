"""Exact sets of packed states, as sorted arrays.

States of one word are their own sort key.  Wider states are sorted by a 64-bit fingerprint, which is six times faster than sorting
by all words; a fingerprint never decides alone: where two are equal the whole words are compared, so sets are exact.

Note [order within equal fingerprints].  Different states with one fingerprint are next to never seen, but when they are, equal states
among them must still become neighbours.  `arrange` then sorts by all words within the fingerprint.  Tests force this with a
fingerprint of a few bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from epistrat.engines.explicit.layout import Block, Codes, Mask, Words

Fingerprint: TypeAlias = Callable[[Block], Words]

_ODD = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xFF51AFD7ED558CCD)
_HALF = np.uint64(32)


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
    """A set of states: sorted, without repetition.  A state's *id* is its position."""

    __slots__ = ("_fingerprint", "block", "keys")

    def __init__(self, block: Block, keys: Words, fingerprint_: Fingerprint) -> None:
        self.block = block
        self.keys = keys
        self._fingerprint = fingerprint_

    def __len__(self) -> int:
        return len(self.block)

    def find(self, block: Block) -> Codes:
        """The ids of states, -1 for those that are not members."""
        if not len(self.keys):
            return np.full(len(block), -1, dtype=np.int64)
        keys = self._fingerprint(block)
        places = np.searchsorted(self.keys, keys)
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
        return Sorted(self.block[~mask], self.keys[~mask], self._fingerprint)


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
    """

    def __init__(self, words: int, fingerprint_: Fingerprint = fingerprint) -> None:
        self._words = words
        self._fingerprint = fingerprint_
        self._parts: list[Sorted] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def blocks(self) -> Iterator[Block]:
        """All members, part by part."""
        for part in self._parts:
            yield part.block

    def unseen(self, states: Sorted) -> Sorted:
        """Those of the states that are not members."""
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
        while len(self._parts) > 1:
            self._merge_last()
        if not self._parts:
            self._parts.append(arrange(np.empty((0, self._words), dtype=np.uint64), self._fingerprint))
        return self._parts[0]
