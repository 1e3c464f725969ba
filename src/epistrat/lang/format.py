"""Canonical layout of ISPL text.

The words and comments of a text are kept, in their order; only the blanks between them change.  So the result always means
what the text meant, and formatting twice changes nothing more.  The layout: one line per declaration, rule, assignment or formula, four
blanks per level, an empty line between agents and sections, long lines broken before ``if``, ``and``, ``or`` and ``->``.
A comment stays on the line whose end it marks, or on a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from epistrat.lang.blanks import HEADERS, Blanks, opens_block
from epistrat.lang.lexer import COMMENT, WORD
from epistrat.lang.vocabulary import MODEL_SECTIONS
from epistrat.lang.wrap import wrap

WIDTH = 100
INDENT = "    "

_OUTER = frozenset(MODEL_SECTIONS) | {"Parameters", "Constants"}


class Spaced(NamedTuple):
    """A word or comment, and how many line ends stand before it."""

    word: str
    lines: int


def format_source(text: str) -> str:
    """The text in canonical layout."""
    return _Layout().text(_pieces(text))


def _pieces(text: str) -> Iterator[Spaced]:
    end = 0
    for match in WORD.finditer(text):
        lines = text.count("\n", end, match.start())
        word = match.group()
        yield Spaced(word.rstrip() if word.startswith(COMMENT) else word, lines)
        end = match.end()


class _Layout:
    """Writes pieces line by line.  What it knows of the grammar: where lines and sections begin and end."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.line: list[tuple[str, bool]] = []  # words of the line at hand, and whether a blank stands before
        self.level = 0
        self.blanks = Blanks(in_formulae=False)
        self.in_formulae = False
        self.gap = False  # an empty line is wanted before the next one
        self.fresh = True  # nothing may be separated from what is above: a section has just begun
        self._continued = False  # part of what the line says stands on the line above
        self._family = False  # a bracket with indices follows

    @property
    def words(self) -> list[str]:
        """The words of the line at hand, without comments."""
        return self.blanks.words

    def text(self, pieces: Iterator[Spaced]) -> str:
        listed = list(pieces)
        for position, piece in enumerate(listed):
            if piece.word.startswith(COMMENT):
                self._comment(piece)
            else:
                self._family = position + 1 < len(listed) and listed[position + 1].word == "["
                self._word(piece)
        self._end_line()
        return "\n".join(self.done) + "\n" if self.done else ""

    # comments

    def _comment(self, piece: Spaced) -> None:
        if not self.line and piece.lines == 0 and self.done:
            self.done[-1] += f" {piece.word}"
            return
        if not self.line:
            self._gap_if_written(piece)
            self._emit(self.level, [(0, piece.word)])
            return
        if piece.lines and not piece.word.startswith(
            "/*"
        ):  # on its own line, inside something: start a new line for it
            self._break_off()
        self.line.append((piece.word, True))
        if not piece.word.startswith("/*") or "\n" in piece.word:
            self._break_off()

    def _break_off(self) -> None:
        """Ends the line at hand although what it says goes on."""
        if self.line:
            self._flush()
            self.line = []
            self._continued = True

    # words

    def _word(self, piece: Spaced) -> None:
        word = piece.word
        if not self.words:
            self._begin(piece)
        self.line.append((word, self.blanks.before(word)))
        if self._ends_line(word):
            self._finish()

    def _begin(self, piece: Spaced) -> None:
        """The first word of a line: which level it has, and what stands above it."""
        word = piece.word
        if word in ("end", "}"):
            self.level = max(0, self.level - 1)
            self.gap = False
        elif word == "Agent" or word in _OUTER:
            self.level = 0
            self.gap = bool(self.done) and (piece.lines > 1 or not self._comment_above())
        else:
            self._gap_if_written(piece)

    def _gap_if_written(self, piece: Spaced) -> None:
        if piece.lines > 1 and self.done and not self.fresh:
            self.gap = True

    def _comment_above(self) -> bool:
        return bool(self.done) and self.done[-1].lstrip().startswith(COMMENT) and not self.gap

    def _ends_line(self, word: str) -> bool:
        words = self.words
        if word == ";":
            return True
        if words[0] == "Agent":
            return word == "]" or (len(words) == 2 and not self._family)
        if len(words) == 2 and words[0] == "end":
            return True
        if words[0] == "}" or opens_block(words):
            return True
        if len(words) == 1 and word in _OUTER:
            return True
        return len(words) == 2 and words[0] in HEADERS and word == ":"

    def _finish(self) -> None:
        words = self.words
        opens = (
            words[0] == "Agent"
            or words[0] in _OUTER
            or opens_block(words)
            or (words[0] in HEADERS and words[-1] == ":")
        )
        closes_item = words[0] == "end" and self.level == 0
        setting = self.level == 0 and words[-1] == ";"
        if words[0] in _OUTER:
            self.in_formulae = words[0] in ("Formulae", "Fairness", "Goals")
        self._end_line()
        if opens:
            self.level += 1
            self.fresh = True
        if closes_item or setting:
            self.gap = True

    def _end_line(self) -> None:
        if self.line:
            self._flush()
        self.line, self.blanks = [], Blanks(self.in_formulae)
        self._continued = False

    def _emit(self, level: int, lines: list[tuple[int, str]]) -> None:
        if self.gap and self.done and self.done[-1]:
            self.done.append("")
        self.gap = self.fresh = False
        self.done += [INDENT * (level + further) + line for further, line in lines]

    def _flush(self) -> None:
        """Writes the line at hand, broken where it is too long."""
        level = self.level + (1 if self._continued else 0)
        self._emit(level, wrap(self.line, WIDTH - len(INDENT) * level, len(INDENT)))
