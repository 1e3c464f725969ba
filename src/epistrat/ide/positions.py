"""Offsets as editors count them: lines from 0, and in a line UTF-16 units, of which a character beyond U+FFFF takes two.

Lines end with a newline, a carriage return, or both, as the language server protocol says.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

_END = re.compile(r"\r\n|\n|\r")
_WIDE = re.compile(r"[^\u0000-\uffff]")


class Positions:
    """Translates between character offsets of a text and positions in UTF-16 units."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *[match.end() for match in _END.finditer(self._text)]]

    @cached_property
    def _wide(self) -> list[int]:
        """Offsets of the characters that take two units."""
        return [] if self._text.isascii() else [match.start() for match in _WIDE.finditer(self._text)]

    def units(self, offset: int) -> int:
        """How many units stand before a character."""
        offset = max(0, min(offset, len(self._text)))
        return offset + bisect_right(self._wide, offset - 1)

    def offset_of_units(self, units: int) -> int:
        """The character behind so many units; the inside of a character counts as its beginning."""
        return max(0, min(units - bisect_right(self._second_units, units), len(self._text)))

    @cached_property
    def _second_units(self) -> list[int]:
        """For each character that takes two units, how many units stand before the second."""
        return [offset + 1 + before for before, offset in enumerate(self._wide)]

    def position(self, offset: int) -> tuple[int, int]:
        """The line and the unit in it of a character."""
        offset = max(0, min(offset, len(self._text)))
        line = bisect_right(self._starts, offset) - 1
        return line, self.units(offset) - self.units(self._starts[line])

    def offset(self, line: int, unit: int) -> int:
        """The character at a line and unit; what lies behind a line's end is taken for its end."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self._text)
        start = self._starts[line]
        found = self.offset_of_units(self.units(start) + max(0, unit))
        if line + 1 < len(self._starts):
            end = self._starts[line + 1]
            text = self._text[start:end].rstrip("\r\n")
            return min(found, start + len(text))
        return found
