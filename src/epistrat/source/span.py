"""Positions in a text: half-open ranges of character offsets, and the line and column a person sees."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """The characters from offset ``start`` up to, not including, ``end``."""

    start: int
    end: int

    def join(self, other: Span) -> Span:
        """The smallest range that covers both."""
        return Span(min(self.start, other.start), max(self.end, other.end))

    def covers(self, offset: int) -> bool:
        """Whether the character at the offset belongs to the range."""
        return self.start <= offset < self.end


class Position(NamedTuple):
    """Line and column, both counted from 1."""

    line: int
    column: int
