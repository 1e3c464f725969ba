"""The words of a template for the ordinary parser: each repeated part once, and one word for whatever depends on indices.

A `Hole` is such a word.  To the parser it is a name or a number like any other; it keeps the piece that it stands for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epistrat.lang.families.constants import Constant
from epistrat.lang.families.counting import Counted
from epistrat.lang.families.expansion import ExpandedWords
from epistrat.lang.families.pieces import Copy, Defined, Member, Piece, Range, Repeat, Value
from epistrat.lang.families.reader import Reader
from epistrat.lang.lexer import Words
from epistrat.source import Span

_QUANTIFIERS = {"and": "forall", "or": "exists", "+": "sum"}


class NotATree(Exception):
    """Raised for a template, or a part of one, that has no tree; ``at`` is the word in the text that it is about."""

    def __init__(self, why: str, at: int) -> None:
        super().__init__(why)
        self.why, self.at = why, at


class Hole(str):
    """A word that stands for a piece; ``ranges`` are those of the list in which it stands."""

    piece: Piece
    ranges: tuple[Range, ...]

    @staticmethod
    def of(word: str, piece: Piece, ranges: tuple[Range, ...] = ()) -> Hole:
        """A word with what it stands for."""
        made = Hole(word)
        made.piece, made.ranges = piece, ranges
        return made


class OpenReader(Reader):
    """A reader that keeps the expressions of parameters and constants, not only their values."""

    def __init__(self, words: Words, given: dict[str, int]) -> None:
        super().__init__(words, given, {})
        self.expressions: dict[str, Constant] = {}
        self._first: Constant | None = None

    def _constant(self, kind: str) -> None:
        name, self._first = self.words[self.at], None
        super()._constant(kind)
        if kind == "Constants" and self._first is not None:
            self.expressions[name] = self._first

    def _constant_here(self) -> Constant:
        found = super()._constant_here()
        self._first = self._first or found
        return found


class Laid:
    """Words written down once for each piece; ``lines`` are the ranges of the lines that a word stands in."""

    def __init__(self, base: Words, pieces: Sequence[Piece], ends: Mapping[int, int]) -> None:
        self.base, self._ends = base, ends
        self.list: list[str] = []
        self.origin: list[int] = []
        self.lines: list[tuple[Repeat, ...]] = []
        self._lay(pieces, (), ())

    @property
    def words(self) -> Words:
        """The words as the parser reads them."""
        return ExpandedWords(self.base, self.list, self.origin, [], {})

    def span(self, start: int, end: int) -> Span:
        """The characters in the text of the words from ``start`` up to, not including, ``end``, with all that holes stand for."""
        places = self.origin[start : max(end, start + 1)]
        return self.base.span(places[0], max(self._ends.get(place, place + 1) for place in places))

    def _put(self, word: str, at: int, lines: tuple[Repeat, ...]) -> None:
        self.list.append(word)
        self.origin.append(at)
        self.lines.append(lines)

    def _lay(self, pieces: Sequence[Piece], lines: tuple[Repeat, ...], ranges: tuple[Range, ...]) -> None:
        for piece in pieces:
            match piece:
                case Copy(words=words, origin=origin):
                    self.list += words
                    self.origin += origin
                    self.lines += [lines] * len(words)
                case Value(at=at, truth=truth):
                    self._put(Hole.of("true" if truth else "0", piece), at, lines)
                case Member(at=at, name=name):
                    self._put(Hole.of(f"{name}[]", piece, ranges), at, lines)
                case Counted(at=at):
                    self._put(Hole.of("count'", piece), at, lines)
                case Defined(at=at):
                    self._put(Hole.of("defined'", piece), at, lines)
                case Repeat(at=at, joint=","):
                    self._lay(piece.body, lines, (*ranges, piece.range))
                case Repeat(at=at, joint=joint) if joint:
                    self._put(Hole.of(f"{_QUANTIFIERS[joint]}'", piece), at, lines)
                case Repeat(
                    body=[Copy(words=["("]), *_, Copy(words=[")"])]
                ):  # a strategy for each member: the formula has no tree
                    self._lay(piece.body, lines, ranges)
                case Repeat(body=body):
                    self._lay(body, (*lines, piece), ranges)
                case _:
                    raise NotATree("this part", 0)
