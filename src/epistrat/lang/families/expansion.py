"""Words written out from a template: a list like any other, which knows for each word where it stands in the text and for which indices."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property, partial

from epistrat.lang.families.extent import Extent
from epistrat.lang.families.pieces import Copies, Piece, Writer
from epistrat.lang.families.reader import Reader
from epistrat.lang.lexer import LOOK_AHEAD, Words
from epistrat.source import MemberSpan, Span


class ExpandedWords(Words):
    """The words of a text after its families were written out."""

    def __init__(
        self, base: Words, words: list[str], origin: list[int], copies: list[Copies], ends: dict[int, int]
    ) -> None:
        self.source, self.report, self.too_long = base.source, base.report, base.too_long
        self.comments = base.comments
        self.base = base
        self.count = len(words)
        self.list = words + [""] * LOOK_AHEAD
        self.distinct = set(words)
        self._origin = origin
        self._copies = copies
        self._ends = ends
        self._starts = [one.start for one in copies]

    def indices(self, index: int) -> tuple[tuple[str, int], ...]:
        """For which values of indices a word was written."""
        place = bisect_right(self._starts, index) - 1
        if place < 0:
            return ()
        one = self._copies[place]
        if not one.width:
            return one.indices
        copy = (index - one.start) // one.width
        return (*one.indices, (one.name, one.values[copy])) if copy < len(one.values) else one.indices

    @property
    def written(self) -> Words:
        """The words as they stand in the text."""
        return self.base.written

    def origin(self, index: int) -> int:
        """The index of the written word that a word comes from."""
        return self.base.origin(self._origin[index] if index < self.count else self.base.count)

    def span(self, start: int, end: int) -> Span:
        """The characters in the template of the words from ``start`` up to, not including, ``end``."""
        if start >= self.count:
            return self.base.span(self.base.count, self.base.count)
        last = min(max(end, start + 1), self.count) - 1
        first = self._origin[start]
        # What is written out ends where it ends in the template, which may lie behind the last of its words: `count(...) = 1`.
        behind = max(self._ends.get(place, place + 1) for place in self._origin[start : last + 1] if place >= first)
        found = self.base.span(first, behind)
        others = self.indices(last)
        indices = tuple([one for one in self.indices(start) if one in others])
        replaced = start == last and self.list[start] != self.base.source.cut(found)
        return MemberSpan.of(found, indices, replaced) if indices or replaced else found

    def _first(self) -> list[int]:
        found = [-1] * (self.base.count + 1)
        for index in range(self.count - 1, -1, -1):
            found[self._origin[index]] = index
        following = self.count
        for place in range(self.base.count, -1, -1):
            following = found[place] = found[place] if found[place] >= 0 else following
        return found

    @cached_property
    def _first_copies(self) -> list[int]:
        """For every word of the template, the first word written from it, or else from a word behind it."""
        return self._first()

    def at(self, offset: int) -> int:
        """The index of the first word written from the word at an offset, or from the next one."""
        return self._first_copies[min(self.base.at(offset), self.base.count)]

    def after(self, index: int) -> Span:
        """The place just behind the word before ``index``."""
        return self.base.after(self._origin[min(index, self.count) - 1] + 1) if index and self.count else Span(0, 0)

    def same_line(self, index: int) -> bool:
        """Whether the word stands on the line of the word before it."""
        if not 0 < index < self.count or self._origin[index] != self._origin[index - 1] + 1:
            return False
        return self.base.same_line(self._origin[index])


def expanded(
    words: Words, given: Mapping[str, int], names: Mapping[str, int] | None = None
) -> tuple[Words, dict[str, int], int | None]:
    """The words with all families written out, the values of parameters and constants, and where the first family stands.

    ``given`` are the values of parameters, ``names`` constants that are known beforehand.
    """
    reader = Reader(words, given, names or {})
    pieces = reader.program()
    if reader.first is None:
        return words, {}, None
    writer, extent = Writer(), Extent(reader.env)

    def write(piece: Piece) -> None:
        extent.least(piece)
        piece.write(writer, dict(reader.env))

    for piece in pieces:
        reader.safely(partial(write, piece), writer)
    return ExpandedWords(words, writer.words, writer.origin, writer.copies, reader.ends), reader.env, reader.first
