"""Path formulae on a lasso: the truth of a formula with future and past at every point of an infinite, repeating run.

The truth of a subformula along such a run is an ultimately periodic word.  Every operator turns words of period p into a word of
period p; the future operators keep the length of the part before the repetition, the past operators make it longer by at most one
period, because what they say about the loop can depend on how the loop was entered, but only in its first round.

Truth values are True, False or None (not known), combined by Kleene's rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from epistrat.evidence.conditions import combine
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands
from epistrat.records import dataclass

Value: TypeAlias = bool | None


@dataclass(frozen=True, slots=True)
class Word:
    """``values`` for the points 0, 1, ...; after the last one it goes on at index ``loop``."""

    values: tuple[Value, ...]
    loop: int

    def at(self, point: int) -> Value:
        """The value at a point, however late."""
        if point < len(self.values):
            return self.values[point]
        return self.values[self.loop + (point - self.loop) % (len(self.values) - self.loop)]

    def unrolled(self, loop: int) -> Word:
        """The same word, written so that the repetition starts at ``loop`` (at the present one or later)."""
        period = len(self.values) - self.loop
        return Word(tuple(self.at(point) for point in range(loop + period)), loop)


class LassoTruth:
    """Evaluates path formulae on one lasso of ``length`` states; ``base(position, formula)`` tells state formulae."""

    def __init__(self, length: int, loop: int, base: Callable[[int, Formula], Value]) -> None:
        self._length = length
        self._loop = loop
        self._base = base
        self._memo: dict[Formula, Word] = {}

    def word(self, formula: Formula) -> Word:
        """The formula's truth at every point."""
        found = self._memo.get(formula)
        if found is None:
            found = self._memo[formula] = self._compute(formula)
        return found

    def _compute(self, formula: Formula) -> Word:
        if isinstance(formula, logic.CONNECTIVES) and not is_state(formula):
            words = self._aligned(*[self.word(operand) for operand in operands(formula)])
            values = [combine(formula, list(column)) for column in zip(*[w.values for w in words], strict=True)]
            return Word(tuple(values), words[0].loop)
        match formula:
            case logic.Next(arg):
                word = self.word(arg)
                return Word(tuple(word.at(point + 1) for point in range(len(word.values))), word.loop)
            case logic.Finally(arg):
                return self._until(logic.Truth(True), arg)
            case logic.Globally(arg):
                return self._dual(logic.Finally(logic.Not(arg)))
            case logic.Until(left, right):
                return self._until(left, right)
            case logic.WeakUntil(left, right):
                return self.word(logic.Or((logic.Until(left, right), logic.Globally(left))))
            case logic.Release(left, right):
                return self.word(logic.WeakUntil(right, logic.And((left, right))))
            case logic.Yesterday(arg):
                return self._past(lambda point, last: self.word(arg).at(point - 1) if point else False, arg)
            case logic.Once(arg):
                return self._past(lambda point, last: _or(self.word(arg).at(point), last), arg)
            case logic.Historically(arg):
                return self._dual(logic.Once(logic.Not(arg)))
            case logic.Since(left, right):
                return self._past(
                    lambda point, last: _or(self.word(right).at(point), _and(self.word(left).at(point), last)),
                    left,
                    right,
                )
            case _:
                return Word(tuple(self._base(position, formula) for position in range(self._length)), self._loop)

    def _aligned(self, *words: Word) -> list[Word]:
        loop = max(word.loop for word in words)
        return [word.unrolled(loop) for word in words]

    def _dual(self, formula: Formula) -> Word:
        word = self.word(formula)
        return Word(tuple(None if value is None else not value for value in word.values), word.loop)

    def _until(self, left: Formula, right: Formula) -> Word:
        """Backwards, twice around the loop: the least solution of v(n) = right(n) or (left(n) and v(n+1))."""
        one, other = self._aligned(self.word(left), self.word(right))
        loop, length = one.loop, len(one.values)
        values: list[Value] = [False] * length
        following: Value = False
        for point in [*range(length - 1, loop - 1, -1), *range(length - 1, -1, -1)]:
            following = values[point] = _or(other.values[point], _and(one.values[point], following))
        return Word(tuple(values), loop)

    def _past(self, step: Callable[[int, Value], Value], *args: Formula) -> Word:
        """Forwards, with one extra round of the loop, after which the values repeat."""
        words = self._aligned(*[self.word(arg) for arg in args])
        period = len(words[0].values) - words[0].loop
        loop = words[0].loop + period
        values: list[Value] = []
        last: Value = False
        for point in range(loop + period):
            last = step(point, last)
            values.append(last)
        return Word(tuple(values), loop)


def _and(one: Value, other: Value) -> Value:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def _or(one: Value, other: Value) -> Value:
    if one is True or other is True:
        return True
    return None if one is None or other is None else False
