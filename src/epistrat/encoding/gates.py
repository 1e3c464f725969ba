"""Boolean circuits as clauses: literals are integers, negation is the sign, and every gate is made once.

Literal 1 is true.  Numbers are unsigned words, lowest bit first; arithmetic never overflows, because words grow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import TypeAlias

Literal: TypeAlias = int
Word: TypeAlias = list[Literal]

YES: Literal = 1  # the literal of variable 1, which is always true
NO: Literal = -1  # and its negation


class Gates:
    """Builds gates over variables that ``variable`` hands out; the clauses that define them go to ``add``."""

    def __init__(self, variable: Callable[[], int], add: Callable[[list[Literal]], None]) -> None:
        self._variable = variable
        self._add = add
        self._known: dict[tuple[Literal, ...], Literal] = {}

    def conjunction(self, literals: Iterable[Literal]) -> Literal:
        """All of the literals."""
        kept = set(literals)
        kept.discard(YES)
        if NO in kept or any(-literal in kept for literal in kept):
            return NO
        if len(kept) < 2:
            return kept.pop() if kept else YES
        key = tuple(sorted(kept))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._variable()
            for literal in key:
                self._add([-found, literal])
            self._add([found, *[-literal for literal in key]])
        return found

    def disjunction(self, literals: Iterable[Literal]) -> Literal:
        """Some of the literals."""
        return -self.conjunction(-literal for literal in literals)

    def exclusive(self, one: Literal, other: Literal) -> Literal:
        """Exactly one of two literals."""
        if abs(one) == 1:
            return other if one == NO else -other
        if abs(other) == 1:
            return one if other == NO else -one
        if abs(one) == abs(other):
            return NO if one == other else YES
        sign = 1 if (one > 0) == (other > 0) else -1
        low, high = sorted((abs(one), abs(other)))
        key = (0, low, high)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._variable()
            self._add([-found, low, high])
            self._add([-found, -low, -high])
            self._add([found, -low, high])
            self._add([found, low, -high])
        return sign * found

    def equal(self, one: Literal, other: Literal) -> Literal:
        """Both or neither."""
        return -self.exclusive(one, other)

    # Words

    def add(self, one: Sequence[Literal], other: Sequence[Literal]) -> Word:
        """The sum, one bit longer than the longer word."""
        carry = NO
        total: Word = []
        for a, b in zip_longest(one, other, fillvalue=NO):
            half = self.exclusive(a, b)
            total.append(self.exclusive(half, carry))
            carry = self.disjunction((self.conjunction((a, b)), self.conjunction((half, carry))))
        return [*total, carry]

    def product(self, one: Sequence[Literal], other: Sequence[Literal]) -> Word:
        """The product, by shifting and adding."""
        total: Word = [NO]
        for shift, bit in enumerate(one):
            if bit != NO:
                total = self.add(total, [NO] * shift + [self.conjunction((bit, b)) for b in other])
        return total

    def less_equal(self, one: Sequence[Literal], other: Sequence[Literal]) -> Literal:
        """Whether one word is at most the other, as numbers."""
        result = YES
        for a, b in zip_longest(one, other, fillvalue=NO):
            differ = self.exclusive(a, b)
            result = self.disjunction((self.conjunction((differ, b)), self.conjunction((-differ, result))))
        return result

    def same(self, one: Sequence[Literal], other: Sequence[Literal]) -> Literal:
        """Whether two words are the same number."""
        return self.conjunction(self.equal(a, b) for a, b in zip_longest(one, other, fillvalue=NO))


def constant(number: int) -> Word:
    """A natural number as a word."""
    return [YES if number >> position & 1 else NO for position in range(number.bit_length())]
