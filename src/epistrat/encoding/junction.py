"""Conjunctions and disjunctions of many operands, sharing work between them.

Operands are numbered when they are first seen.  A set of operands is split where the numbers cross the highest power of two between
them, and the two halves are remembered: "all but the i-th" of n operands then shares all but log n steps with "all but the j-th", which
is how models with n similar agents are written.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from epistrat.encoding.part import Part, Tick, no_tick
from epistrat.solvers.bdd import Algebra, Bdd

_STEPS_PER_TICK = 16  # operations between two looks at the clock


class Junctions:
    """N-ary connectives over one algebra."""

    def __init__(self, algebra: Algebra, tick: Tick = no_tick) -> None:
        self._tick = tick
        self._steps = 0
        self._true, self._false = algebra.true, algebra.false
        self._number: dict[Bdd, int] = {}
        self._operand: list[Part] = []
        self._all: dict[tuple[int, ...], Part] = {}
        self._any: dict[tuple[int, ...], Part] = {}

    def all(self, operands: Iterable[Part]) -> Part:
        """The conjunction; true if there are no operands."""
        numbers = self._numbers(operands, self._true, self._false)
        return Part(self._false, 0) if numbers is None else self._combine(numbers, True)

    def any(self, operands: Iterable[Part]) -> Part:
        """The disjunction; false if there are no operands."""
        numbers = self._numbers(operands, self._false, self._true)
        return Part(self._true, 0) if numbers is None else self._combine(numbers, False)

    def _numbers(self, operands: Iterable[Part], unit: Bdd, zero: Bdd) -> tuple[int, ...] | None:
        """The sorted numbers of the operands without units; None if one of them decides the result."""
        found: set[int] = set()
        for part in operands:
            function = part.function
            if function == unit:
                continue
            if function == zero:
                return None
            number = self._number.get(function)
            if number is None:
                number = self._number[function] = len(self._operand)
                self._operand.append(part)
            found.add(number)
        return tuple(sorted(found))

    def _combine(self, numbers: tuple[int, ...], conjunction: bool) -> Part:
        if not numbers:
            return Part(self._true if conjunction else self._false, 0)
        if len(numbers) == 1:
            return self._operand[numbers[0]]
        memo = self._all if conjunction else self._any
        found = memo.get(numbers)
        if found is None:
            self._steps += 1
            if self._steps % _STEPS_PER_TICK == 0:
                self._tick()
            top = (numbers[0] ^ numbers[-1]).bit_length() - 1
            cut = bisect_left(numbers, numbers[-1] >> top << top)
            left, right = self._combine(numbers[:cut], conjunction), self._combine(numbers[cut:], conjunction)
            joined = left.function & right.function if conjunction else left.function | right.function
            found = memo[numbers] = Part(joined, left.support | right.support)
        return found
