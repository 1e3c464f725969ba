"""Numbering what a few variables say: local states, views, arguments of a condition.

A `Scope` turns the fields of some variables into one small number per state, 0, 1, 2, ... in the order in which combinations of values are
first met.  Tables of everything that depends on these variables alone are then plain arrays indexed by that number.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from epistrat.engines.explicit.layout import WORD_BITS, Block, Codes, Field, Layout, Numbers, Words


class Numbering:
    """Numbers for keys, given in the order in which keys are first met.

    Up to ``direct`` bits a table of all keys is small and beats searching.
    """

    def __init__(self, bits: int, direct: int) -> None:
        self._count = 0
        self._direct: Numbers | None = np.full(1 << bits, -1, dtype=np.int32) if bits <= direct else None
        self._keys: Words = np.empty(0, dtype=np.uint64)
        self._numbers: Numbers = np.empty(0, dtype=np.int32)

    def __len__(self) -> int:
        return self._count

    def number(self, keys: Words) -> tuple[Numbers, Codes]:
        """The keys' numbers, and for each number that is new the first row where it occurs."""
        numbers = self._known(keys)
        unknown = np.flatnonzero(numbers < 0)
        if not len(unknown):
            return numbers, unknown
        fresh, first = np.unique(keys[unknown], return_index=True)
        order = np.argsort(first)
        fresh, rows = fresh[order], unknown[first[order]]
        self._learn(fresh)
        numbers[unknown] = self._known(keys[unknown])
        return numbers, rows

    def _known(self, keys: Words) -> Numbers:
        if self._direct is not None:
            return self._direct[keys]
        if not len(self._keys):
            return np.full(len(keys), -1, dtype=np.int32)
        places = np.searchsorted(self._keys, keys)
        places[places == len(self._keys)] -= 1
        found = self._numbers[places]
        found[self._keys[places] != keys] = -1
        return found

    def _learn(self, fresh: Words) -> None:
        numbers = np.arange(self._count, self._count + len(fresh), dtype=np.int32)
        self._count += len(fresh)
        if self._direct is not None:
            self._direct[fresh] = numbers
            return
        keys = np.concatenate((self._keys, fresh))
        order = np.argsort(keys, kind="stable")
        self._keys = keys[order]
        self._numbers = np.concatenate((self._numbers, numbers))[order]


class Scope:
    """The combined value of some variables, as a number.

    Up to 64 bits make one key.  More are cut into groups of fields; each group is numbered, and pairs of numbers again.
    Tables of all keys may have at least so many ``entries``.
    """

    def __init__(self, layout: Layout, positions: Sequence[int], entries: int = 1) -> None:
        self._layout = layout
        self.positions = tuple(positions)
        self.mask = layout.mask(positions)
        groups = _groups([layout.fields[position] for position in self.positions])
        self._groups = [_pieces(group) for group in groups]
        widths = [sum(field.bits for field in group) for group in groups]
        direct = max(layout.patience.key_bits, entries.bit_length() - 1)
        self._inner = [Numbering(width, direct) for width in widths]
        self._pairs = [Numbering(WORD_BITS, direct) for _ in groups[1:]]

    def __len__(self) -> int:
        """How many combinations were met so far."""
        return len(self._pairs[-1] if self._pairs else self._inner[0])

    def number(self, block: Block) -> tuple[Numbers, Codes]:
        """One number per state, and for each number that is new the first row where it occurs."""
        numbers, new = self._inner[0].number(_gather(block, self._groups[0]))
        for pieces, inner, pairs in zip(self._groups[1:], self._inner[1:], self._pairs, strict=True):
            other, _ = inner.number(_gather(block, pieces))
            keys = numbers.astype(np.uint64) << np.uint64(32) | other.astype(np.uint64)
            numbers, new = pairs.number(keys)
        return numbers, new

    def numbers(self, block: Block) -> Numbers:
        """One number per state."""
        return self.number(block)[0]


_Piece = tuple[int, int, int, int]  # word, shift down, mask, shift up


def _groups(fields: Sequence[Field]) -> list[list[Field]]:
    """Cut the fields into groups of at most 64 bits; at least one group."""
    groups: list[list[Field]] = [[]]
    used = 0
    for field in fields:
        if used + field.bits > WORD_BITS:
            groups.append([])
            used = 0
        groups[-1].append(field)
        used += field.bits
    return groups


def _pieces(fields: Sequence[Field]) -> list[_Piece]:
    """How to bring the fields side by side; neighbours in the layout move together."""
    pieces: list[_Piece] = []
    used = 0
    for field in fields:
        if not field.bits:
            continue
        mask = (1 << field.bits) - 1
        if pieces:
            word, down, wide, up = pieces[-1]
            width = wide.bit_length()
            if word == field.word and down + width == field.shift and up + width == used:
                pieces[-1] = (word, down, wide | mask << width, up)
                used += field.bits
                continue
        pieces.append((field.word, field.shift, mask, used))
        used += field.bits
    return pieces


def _gather(block: Block, pieces: Sequence[_Piece]) -> Words:
    """One key per state."""
    if not pieces:
        return np.zeros(len(block), dtype=np.uint64)
    key: Words | None = None
    for word, down, mask, up in pieces:
        part = (block[:, word] >> np.uint64(down)) & np.uint64(mask)
        if up:
            part <<= np.uint64(up)
        key = part if key is None else key | part
    assert key is not None
    return key
