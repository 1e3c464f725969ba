"""How many words a template makes at least, found before they are written: what is far too much is told at once."""

from __future__ import annotations

from math import prod

from epistrat.lang.families.constants import Env, Wrong
from epistrat.lang.families.pieces import MOST_STEPS, MOST_WORDS, Copy, Defined, Definition, Piece, Range, Repeat


class Extent:
    """Lower bounds; those of definitions are found once, because definitions that use each other twice double in length."""

    def __init__(self, env: Env) -> None:
        self._env = env
        self._known: dict[Definition, int] = {}

    def least(self, piece: Piece) -> int:
        """So many words at least; raises `Wrong` for the innermost part that makes too many."""
        if isinstance(piece, Copy):
            return len(piece.words)
        if isinstance(piece, Repeat):
            number, words = self._number(piece.range), self._sum(piece.body) + bool(piece.joint)
            if number * words > MOST_WORDS or number > MOST_STEPS:
                binders = piece.range.binders
                raise _too_many(binders[0].low.start, binders[-1].high.end)
            return number * max(words, 1)  # a copy without words has to be looked at all the same
        if isinstance(piece, Defined):
            if piece.definition not in self._known:
                self._known[piece.definition] = self._sum(piece.definition.body)
            if self._known[piece.definition] > MOST_WORDS:
                raise _too_many(piece.at, piece.end)
            return self._known[piece.definition]
        return 0

    def _sum(self, pieces: list[Piece]) -> int:
        return sum(self.least(piece) for piece in pieces)

    def _number(self, scope: Range) -> int:
        """How many copies there are; 0 where that depends on other indices, on a condition, or is a mistake that the writer finds."""
        if scope.where is not None:
            return 0
        try:
            return prod(len(binder.values(self._env, some=scope.some)) for binder in scope.binders)
        except (KeyError, Wrong):
            return 0


def _too_many(at: int, end: int) -> Wrong:
    return Wrong("E063", f"the model would have more than {MOST_WORDS:,} words", at, end, "this is repeated too often")
