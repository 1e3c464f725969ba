"""Short conditions that tell some rows of values from others; rows that never occur may satisfy them or not.

Rows are numbered, and a set of rows is one whole number, a bit for each of them: what a condition leaves is found by a few operations on
these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import and_, or_
from typing import TypeAlias

from epistrat.model.agent import Variable
from epistrat.records import dataclass
from epistrat.terms import Boolean, Enumeration, Expr, Terms

Row: TypeAlias = tuple[object, ...]
Bounds: TypeAlias = tuple[int | None, int | None]
"""The least and the greatest value, as numbers in the domain's order; None: it makes no difference."""
Cube: TypeAlias = dict[int, Bounds]
"""Bounds for some of the variables, by their place."""


@dataclass(frozen=True)
class Cover:
    """Cubes that hold all of some rows and none of others; or, ``negated``, the other way round."""

    values: tuple[_Values, ...]
    cubes: tuple[Cube, ...]
    negated: bool = False

    def written(self, terms: Terms, variables: Sequence[Variable]) -> Expr:
        """The condition, about variables with these values."""
        parts = [
            terms.conjunction(
                [self.values[place].written(terms, variables[place], bounds) for place, bounds in cube.items()]
            )
            for cube in self.cubes
        ]
        found = terms.disjunction(parts)
        return terms.negate(found) if self.negated else found


def cover(variables: Sequence[Variable], yes: Sequence[Row], no: Sequence[Row]) -> Cover:
    """What the rows of ``yes`` satisfy, and those of ``no`` do not; variables that come first are left out first."""
    values = tuple([_Values(one, {row[place] for row in (*yes, *no)}) for place, one in enumerate(variables)])
    if not yes or not no:
        return Cover(values, ({},) if yes else ())
    inside, outside = _Table(values, yes), _Table(values, no)
    direct = _cover(inside, outside)
    assert direct is not None
    opposite = _cover(outside, inside, _size(direct))
    return Cover(values, tuple(direct)) if opposite is None else Cover(values, tuple(opposite), negated=True)


class _Values:
    """The values of one variable that occur, in their order."""

    def __init__(self, variable: Variable, known: Iterable[object]) -> None:
        self.ordered = not isinstance(variable.domain, (Boolean, Enumeration))
        if self.ordered:
            self.values = sorted(known)  # type: ignore[type-var]  # numbers
        else:
            self.values = sorted(known, key=str)
        self.code = {value: number for number, value in enumerate(self.values)}

    def written(self, terms: Terms, variable: Variable, bounds: Bounds) -> Expr:
        """That the variable's value lies within."""
        low, high = bounds
        least, most = low or 0, len(self.values) - 1 if high is None else high
        if least == most:
            return self._compared(terms, variable, "=", least)
        parts = [] if low is None else [self._compared(terms, variable, ">=", low)]
        parts += [] if high is None else [self._compared(terms, variable, "<=", high)]
        return terms.conjunction(parts)

    def _compared(self, terms: Terms, variable: Variable, op: str, code: int) -> Expr:
        value, reference = self.values[code], variable.reference
        if isinstance(value, bool):
            return reference if value else terms.negate(reference)
        constant = terms.name(value) if isinstance(value, str) else terms.number(value)  # type: ignore[arg-type]
        return terms.compare(op, reference, constant)


class _Table:
    """Some rows: for each place and value the set of those that have it there."""

    def __init__(self, values: Sequence[_Values], rows: Sequence[Row]) -> None:
        self.all = (1 << len(rows)) - 1
        self.codes = [[one.code[row[place]] for row in rows] for place, one in enumerate(values)]
        self.ordered = [one.ordered for one in values]
        self.having = [_sets(codes, len(one.values)) for codes, one in zip(self.codes, values, strict=True)]

    def within(self, place: int, bounds: Bounds) -> int:
        """The rows whose value at a place lies within."""
        low, high = bounds
        having = self.having[place]
        if low == high and low is not None:
            return having[low]
        return reduce(or_, having[low or 0 : len(having) if high is None else high + 1], 0)

    def holding(self, cube: Cube) -> int:
        """The rows within a cube."""
        return reduce(and_, (self.within(place, bounds) for place, bounds in cube.items()), self.all)


def _sets(codes: Sequence[int], count: int) -> list[int]:
    """For each code the set of rows that have it."""
    rows: list[bytearray] = [bytearray((len(codes) + 7) // 8) for _ in range(count)]
    for number, code in enumerate(codes):
        rows[code][number >> 3] |= 1 << (number & 7)
    return [int.from_bytes(one, "little") for one in rows]


def _cover(inside: _Table, outside: _Table, most: tuple[int, int] | None = None) -> list[Cube] | None:
    """Cubes that hold all rows inside, and none outside; None where they are not shorter than ``most``."""
    left = inside.all
    cubes: list[Cube] = []
    while left:
        number = (left & -left).bit_length() - 1
        cube = _widest([codes[number] for codes in inside.codes], outside)
        cubes.append(cube)
        left &= ~inside.holding(cube)
        if most is not None and _size(cubes) >= most:
            return None
    return cubes


def _widest(row: Sequence[int], outside: _Table) -> Cube:
    """The row, with as little asked as keeps the rows outside apart."""
    alike = [outside.having[place][code] for place, code in enumerate(row)]
    later = [outside.all] * (len(row) + 1)  # the rows outside that are like it at this place and all after it
    for place in range(len(row) - 1, -1, -1):
        later[place] = later[place + 1] & alike[place]
    asked, kept = [], outside.all
    for place in range(len(row)):
        if kept & later[place + 1]:
            asked.append(place)
            kept &= alike[place]
    bounds: Cube = {place: (row[place], row[place]) for place in asked}
    for place in asked:
        if outside.ordered[place]:
            near = outside.holding({one: limits for one, limits in bounds.items() if one != place})
            bounds[place] = _stretched(row[place], [bool(near & one) for one in outside.having[place]])
    return bounds


def _stretched(value: int, near: Sequence[bool]) -> Bounds:
    """The widest range around a value without those that are near; one-sided where it can be."""
    low = next((code + 1 for code in range(value - 1, -1, -1) if near[code]), None)
    high = next((code - 1 for code in range(value + 1, len(near)) if near[code]), None)
    return low, high


def _size(cubes: Sequence[Cube]) -> tuple[int, int]:
    return sum(map(len, cubes)), len(cubes)
