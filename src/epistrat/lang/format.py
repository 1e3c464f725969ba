"""Canonical layout of ISPL text.

The words and comments of a text are kept, in their order; only the blanks between them change.  So the result always means
what the text meant, and formatting twice changes nothing more.  The layout: one line per declaration, rule, assignment or formula, four
blanks per level, an empty line between agents and sections, long lines broken before ``if``, ``and``, ``or`` and ``->``.
A comment stays on the line whose end it marks, or on a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from epistrat.lang.lexer import COMMENT, WORD
from epistrat.lang.vocabulary import (
    AGENT_SECTIONS,
    BETWEEN,
    COMPARISONS,
    EPISTEMIC,
    MODEL_SECTIONS,
    PATH_PREFIX,
    PATH_WORDS,
)
from epistrat.lang.wrap import wrap

WIDTH = 100
INDENT = "    "

_HEADERS = frozenset(section for section in AGENT_SECTIONS if section not in ("Lobsvars", "Actions")) | {"Definitions"}
_OUTER = frozenset(MODEL_SECTIONS) | {"Parameters", "Constants"}
_TIGHT_AFTER = frozenset({"(", "{", "[", ".", "!", "~", ".."})
_TIGHT_BEFORE = frozenset({")", "}", "[", "]", ",", ";", ".", ".."})
_OPERATORS = COMPARISONS | frozenset(
    {"and", "or", "->", "<->", "xor", "&", "|", "^", "+", "-", "*", "/", "if", ":", "LTL", "CTL*"}
)


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
        self.words: list[str] = []  # the words of the line at hand, without comments
        self.coalition = False
        self.in_formulae = False
        self.gap = False  # an empty line is wanted before the next one
        self.fresh = True  # nothing may be separated from what is above: a section has just begun
        self._continued = False  # part of what the line says stands on the line above
        self._opened = False  # the word before opened a coalition
        self._minus = False  # the word before is the sign of a number
        self._family = False  # a bracket with indices follows

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
        blank = self._blank_before(word)
        self.line.append((word, blank))
        self.words.append(word)
        self._track(word)
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
        if words[0] == "}" or self._block(words):
            return True
        if len(words) == 1 and word in _OUTER:
            return True
        return len(words) == 2 and words[0] in _HEADERS and word == ":"

    def _finish(self) -> None:
        words = self.words
        opens = (
            words[0] == "Agent"
            or words[0] in _OUTER
            or self._block(words)
            or (words[0] in _HEADERS and words[-1] == ":")
        )
        closes_item = words[0] == "end" and self.level == 0
        setting = self.level == 0 and words[-1] == ";"
        if words[0] in _OUTER:
            self.in_formulae = words[0] in ("Formulae", "Fairness")
        self._end_line()
        if opens:
            self.level += 1
            self.fresh = True
        if closes_item or setting:
            self.gap = True

    def _end_line(self) -> None:
        if self.line:
            self._flush()
        self.line, self.words = [], []
        self._continued = self.coalition = False

    def _emit(self, level: int, lines: list[tuple[int, str]]) -> None:
        if self.gap and self.done and self.done[-1]:
            self.done.append("")
        self.gap = self.fresh = False
        self.done += [INDENT * (level + further) + line for further, line in lines]

    def _flush(self) -> None:
        """Writes the line at hand, broken where it is too long."""
        level = self.level + (1 if self._continued else 0)
        self._emit(level, wrap(self.line, WIDTH - len(INDENT) * level, len(INDENT)))

    def _block(self, words: list[str]) -> bool:
        """Whether a line opens a block of repeated lines."""
        return (
            words[-1] == "{"
            and words[0] in ("for", "where")
            and len(words) > 3
            and ":" not in words
            and words[1] not in ("=", ".")
        )

    @property
    def _binding(self) -> bool:
        """Whether the indices of a repeated part stand before the place at hand."""
        for word in reversed(self.words):
            if word in (":", "{", ";"):
                return False
            if word in ("in", "where"):
                return True
        return False

    # blanks

    def _operand_next(self) -> bool:
        """Whether an operand is to come: the word before is an operator or opens something."""
        before = self.words[-1] if self.words else ""
        if before in ("", "(", "{", ",", "!", "~", "..") or before in _OPERATORS:
            return True
        return self.in_formulae and (before in PATH_WORDS or before in BETWEEN or before in ("LTL", ">"))

    def _track(self, word: str) -> None:
        """Notes where a coalition opens and closes."""
        if word == "<" and self.in_formulae and self._opened:
            self.coalition = True
        elif word == ">" and self.coalition:
            self.coalition = False

    def _blank_before(self, word: str) -> bool:
        """Whether a blank stands between the word before and this one."""
        before = self.words[-1] if self.words else ""
        operand = self._operand_next()
        after_sign, self._minus = self._minus, word == "-" and operand
        after_open, self._opened = self._opened, word in ("<", "<>") and operand and self.in_formulae
        if not before:
            return False
        if word == "{" and self._block([*self.words, word]):
            return True
        if before in _TIGHT_AFTER or word in _TIGHT_BEFORE:
            return before + word in ("!=", "..", "...", "....")  # which would be another word
        if word == "(" and before in ("sum", "count", "min", "max", "pow"):
            return False
        if word == ":" and ((self.in_formulae and len(self.words) == 1) or self._binding):
            return False
        if word == ":" and len(self.words) == 1 and before in _HEADERS:
            return False
        if after_sign and word[0].isdigit():
            return False
        if after_open and before == "<":
            return False
        if self.coalition and word == ">":
            return False
        if before in (">", "<>") and self._closed:
            return not (word == "(" or word in PATH_PREFIX)
        if word == "(" and self.in_formulae:
            return not (before in EPISTEMIC or before in PATH_WORDS)
        return True

    @property
    def _closed(self) -> bool:
        """Whether the word before closed a coalition."""
        if not self.in_formulae or self.coalition:
            return False
        depth = len(self.words) - 1
        if self.words[depth] == "<>":
            return depth == 0 or not _is_operand(self.words[depth - 1])
        while depth > 0 and self.words[depth] != "<":
            depth -= 1
        return self.words[depth] == "<" and (depth == 0 or not _is_operand(self.words[depth - 1]))


def _is_operand(word: str) -> bool:
    return word == ")" or (
        word[0].isalnum() and word not in _OPERATORS and word not in PATH_WORDS and word not in BETWEEN
    )
