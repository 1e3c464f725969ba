"""Text to words, by one regular expression.

A word is a plain string and a place in the program is an index into the list of words, so that reading a file of several
megabytes costs little; where in the text a word stands is found only when a message needs it.  Comments are words to the
regular expression, so that formatting and highlighting can use it too; the parser never sees them.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from copy import copy
from itertools import filterfalse, islice

from epistrat.source import Report, SourceText, Span

WORD = re.compile(
    r"--[^\n]*"  # comments
    r"|//[^\n]*"
    r"|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
    r"|CTL\*"
    r"|[A-Za-z][A-Za-z0-9_]*"
    r"|[0-9]+(?:\.[0-9]+)?"
    r'|"[^"\n]*"'  # names of files
    r"|<->|<=|>=|<>|!=|->|\.\."
    r"|[^ \t\r\n\ufeff]"
)
COMMENT = ("--", "//", "/*")
MARKS = frozenset(
    [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        "<=",
        ">=",
        "<>",
        "!=",
        "=",
        "!",
        ":",
        ",",
        ".",
        "..",
        ";",
        "+",
        "-",
        "*",
        "/",
        "&",
        "|",
        "~",
        "^",
        "->",
        "<->",
    ]
)

# More than this is no model; reading it would only take memory and time before the first message.
LONGEST_TEXT = 32_000_000
# So many words past the end may be looked at without asking.
LOOK_AHEAD = 8


class Words:
    """The words of a text without its comments, followed by some empty ones that stand for the end."""

    def __init__(self, source: SourceText, report: Report) -> None:
        self.source = source
        self.report = report
        self.too_long = len(source.text) > LONGEST_TEXT
        self._text = "" if self.too_long else source.text
        found = WORD.findall(self._text)
        table: dict[str, str] = {}
        words = list(map(table.setdefault, found, found))
        self.comments = {word for word in table if word.startswith(COMMENT)}
        self._strange = {word for word in table if _strange(word)}
        self._left_out = self.comments | self._strange
        if self._left_out:
            words = list(filterfalse(self._left_out.__contains__, words))
        self.distinct = table.keys() - self._left_out
        self.count = len(words)
        self.list = words + [""] * LOOK_AHEAD
        self._places: list[tuple[int, int]] = []
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
        """Where a word stands; the words before it are located on the way.

        A longer list replaces the one before as a whole: two threads that ask at the same time can only do the same work twice.
        """
        places, left_out = self._places, self._left_out
        if len(places) <= index:
            matches = WORD.finditer(self._text, places[-1][1] if places else 0)
            spans = (match.span() for match in matches if not left_out or match.group() not in left_out)
            places = self._places = [*places, *islice(spans, max(index + 1, 2 * len(places)) - len(places))]
        return places[index]

    def span(self, start: int, end: int) -> Span:
        """The characters of the words from ``start`` up to, not including, ``end``."""
        if start >= self.count:
            length = len(self._text)
            return Span(length, length)
        last = min(max(end, start + 1), self.count)
        return Span(self._place(start)[0], self._place(last - 1)[1])

    def at(self, offset: int) -> int:
        """The index of the first word that ends at or behind the offset: the word there, or the next one."""
        if self.count:
            self._place(self.count - 1)
        return bisect_left(self._places, offset, key=lambda place: place[1])

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


def _strange(word: str) -> bool:
    return len(word) == 1 and word not in MARKS and not (word.isascii() and word.isalnum())


def _unended(comment: str) -> bool:
    return comment.startswith("/*") and (len(comment) < 4 or not comment.endswith("*/"))
