"""Text to words, by one regular expression.

A word is a plain string and a place in the program is an index into the list of words, so that reading a file of several
megabytes costs little; where in the text a word stands is found only when a message needs it.  Comments are words to the
regular expression, so that formatting and highlighting can use it too; the parser never sees them.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from copy import copy
from itertools import filterfalse
from typing import Unpack

from epistrat.source import More, Report, SourceText, Span

WORD = re.compile(
    r"--[^\n]*"  # comments
    r"|//[^\n]*"
    r"|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
    r"|CTL\*"
    r"|#(?:PR|IR|iR|Ir|ir)(?![A-Za-z0-9_])"  # how strategies with names are read
    r"|[A-Za-z][A-Za-z0-9_]*"
    r"|[0-9]+(?:\.[0-9]+)?"
    r'|"[^"\n]*"'  # names of files
    r"|<->|<=|>=|<>|!=|->|\.\."
    r"|[^ \t\r\n\ufeff]"
)
COMMENT = ("--", "//", "/*")
MARKS = frozenset("( ) { } [ ] < > <= >= <> != = ! : , . .. ; + - * / & | ~ ^ -> <->".split())  # noqa: SIM905

# More than this is no model; reading it would only take memory and time before the first message.
LONGEST_TEXT = 32_000_000
# So many words past the end may be looked at without asking.
LOOK_AHEAD = 8
# Characters that are read at a time: to tell where a word stands only those around it are read again.
_PART = 1 << 14


class Words:
    """The words of a text without its comments, followed by some empty ones that stand for the end."""

    def __init__(self, source: SourceText, report: Report) -> None:
        self.source = source
        self.report = report
        self.too_long = len(source.text) > LONGEST_TEXT
        self._text = "" if self.too_long else source.text
        self._part_ends = list(_ends_of_parts(self._text))
        starts = [0, *self._part_ends[:-1]]
        parts = [WORD.findall(self._text, start, end) for start, end in zip(starts, self._part_ends, strict=True)]
        table: dict[str, str] = {}
        for part in parts:
            table.update(zip(part, part, strict=True))
        self.comments = {word for word in table if word.startswith(COMMENT)}
        self._strange = {word for word in table if _strange(word)}
        self._left_out = self.comments | self._strange
        words: list[str] = []
        self._words_before: list[int] = []
        for part in parts:
            self._words_before.append(len(words))
            kept = filterfalse(self._left_out.__contains__, part) if self._left_out else part
            words += map(table.__getitem__, kept)
        self.distinct = table.keys() - self._left_out
        self.count = len(words)
        self.list = words + [""] * LOOK_AHEAD
        self._places: dict[int, list[tuple[int, int]]] = {}
        self._complain()

    def _complain(self) -> None:
        """Reports what cannot be a word."""
        if self.too_long:
            millions = LONGEST_TEXT // 1_000_000
            self.report.error("E005", f"the text is longer than {millions} million characters", Span(0, 0))
        wrong = self._strange | {word for word in self.comments if _unended(word)}
        told = 0
        for match in WORD.finditer(self._text) if wrong else ():
            word = match.group()
            if word not in wrong:
                continue
            wrong.discard(word)
            told += 1
            if told > 20:
                break
            start = match.start()
            if word.startswith("/*"):
                span = Span(start, start + 2)
                self.report.error("E004", "this comment does not end", span, label="`*/` should close it")
                continue
            shown = word if word.isprintable() else f"U+{ord(word):04X}"
            label = "a name starts with a letter" if word == "_" else ""
            self.report.error("E001", f"`{shown}` has no meaning in ISPL", Span(start, start + 1), label=label)

    def _place(self, index: int) -> tuple[int, int]:
        """Where a word stands."""
        part = bisect_right(self._words_before, index) - 1
        return self._located(part)[index - self._words_before[part]]

    def _located(self, part: int) -> list[tuple[int, int]]:
        """Where the words of a part stand; two threads that ask at the same time can only do the same work twice."""
        if part not in self._places:
            start = self._part_ends[part - 1] if part else 0
            matches = WORD.finditer(self._text, start, self._part_ends[part])
            left_out = self._left_out
            self._places[part] = [one.span() for one in matches if not left_out or one.group() not in left_out]
        return self._places[part]

    def span(self, start: int, end: int) -> Span:
        """The characters of the words from ``start`` up to, not including, ``end``."""
        if start >= self.count:
            length = len(self._text)
            return Span(length, length)
        last = min(max(end, start + 1), self.count)
        return Span(self._place(start)[0], self._place(last - 1)[1])

    def error(self, code: str, message: str, start: int, end: int | None = None, **more: Unpack[More]) -> None:
        """Reports an error about the words from ``start`` up to, not including, ``end``; without it, about one word."""
        self.report.error(code, message, self.span(start, start + 1 if end is None else end), **more)

    def at(self, offset: int) -> int:
        """The index of the first word that ends at or behind the offset: the word there, or the next one."""
        part = min(bisect_left(self._part_ends, offset), len(self._part_ends) - 1)
        return self._words_before[part] + bisect_left(self._located(part), offset, key=lambda place: place[1])

    @property
    def written(self) -> Words:
        """The words as they stand in the text, before families are written out."""
        return self

    def origin(self, index: int) -> int:
        """The index of the written word that a word comes from."""
        return index

    def muted(self) -> Words:
        """The same words with a report of their own, for questions about the text whose mistakes have been told."""
        other = copy(self)
        other.report = Report(self.source, most=sys.maxsize)
        return other

    def after(self, index: int) -> Span:
        """The place just behind the word before ``index``: where something is missing."""
        end = self._place(min(index, self.count) - 1)[1] if index and self.count else 0
        return Span(end, end)

    def same_line(self, index: int) -> bool:
        """Whether the word stands on the line of the word before it."""
        if not 0 < index < self.count:
            return False
        return "\n" not in self._text[self._place(index - 1)[1] : self._place(index)[0]]


def _ends_of_parts(text: str) -> Iterator[int]:
    """Where parts end that can be read one by one: behind a line's end, for no word but a long comment goes on behind it."""
    end = 0
    apart = "/*" not in text
    while apart and (end := text.find("\n", end + _PART) + 1):
        yield end
    yield len(text)


def _strange(word: str) -> bool:
    return len(word) == 1 and word not in MARKS and not (word.isascii() and word.isalnum())


def _unended(comment: str) -> bool:
    return comment.startswith("/*") and (len(comment) < 4 or not comment.endswith("*/"))
