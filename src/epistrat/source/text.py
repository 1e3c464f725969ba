"""A named text: content held once, lines and columns computed on demand."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from epistrat.records import dataclass
from epistrat.source.span import Position, Span


@dataclass(frozen=True)
class SourceText:
    """What a person wrote, and what it is called in messages (a file name, as a rule)."""

    text: str
    name: str = "<text>"

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def position(self, offset: int) -> Position:
        """The line and column of a character; an offset past the end is taken for the end."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """The text of a line (counted from 1), without its end."""
        start = self._line_starts[number - 1]
        end = self._line_starts[number] if number < len(self._line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def cut(self, span: Span) -> str:
        """The characters of a span."""
        return self.text[span.start : span.end]
