"""A named text: content held once, lines and columns computed on demand."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
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

    def locate(self, span: Span) -> tuple[SourceText, Span]:
        """The text that a span belongs to, and the span there."""
        return self, span


@dataclass(frozen=True)
class JoinedText(SourceText):
    """Several texts behind each other; the first gives the name.  ``parts`` are the texts and where each begins."""

    parts: tuple[tuple[int, SourceText], ...] = ()

    @staticmethod
    def of(texts: Sequence[SourceText]) -> JoinedText:
        """The texts, with a line end between them."""
        begins = [0]
        for text in texts:
            begins.append(begins[-1] + len(text.text) + 1)
        joined = "\n".join(text.text for text in texts)
        return JoinedText(joined, texts[0].name, tuple(zip(begins, texts, strict=False)))

    def _part(self, offset: int) -> tuple[int, SourceText]:
        place = bisect_right(self.parts, offset, key=lambda part: part[0]) - 1
        return self.parts[max(place, 0)]

    def position(self, offset: int) -> Position:
        """The line and column in the text that the character belongs to."""
        begin, text = self._part(offset)
        return text.position(offset - begin)

    def locate(self, span: Span) -> tuple[SourceText, Span]:
        """The text that a span begins in, and the span there."""
        begin, text = self._part(span.start)
        return text, Span(span.start - begin, min(span.end - begin, len(text.text)))
