"""Positions in a text: half-open ranges of character offsets, and the line and column a person sees."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """The characters from offset ``start`` up to, not including, ``end``."""

    start: int
    end: int


class MemberSpan(Span):
    """A place in a template: for which values of indices it was read, and whether something else was written out in its place."""

    indices: tuple[tuple[str, int], ...]
    replaced: bool

    @staticmethod
    def of(span: Span, indices: tuple[tuple[str, int], ...], replaced: bool) -> MemberSpan:
        """The same place with what is known of it."""
        found = MemberSpan(span.start, span.end)
        found.indices, found.replaced = indices, replaced
        return found

    @property
    def note(self) -> str:
        """For which indices, as a message says it."""
        return "for " + ", ".join(f"{name} = {value}" for name, value in self.indices) if self.indices else ""

    def __reduce__(self) -> tuple[object, ...]:
        return MemberSpan.of, (Span(self.start, self.end), self.indices, self.replaced)


class Position(NamedTuple):
    """Line and column, both counted from 1."""

    line: int
    column: int
