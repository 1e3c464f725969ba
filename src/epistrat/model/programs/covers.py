"""Short conditions that tell some rows of values from others; rows that never occur may satisfy them or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from epistrat.model.agent import Variable
from epistrat.records import dataclass
from epistrat.terms import FALSE, TRUE, Boolean, Enumeration, Expr, Terms

Row: TypeAlias = tuple[object, ...]
Bounds: TypeAlias = tuple[int | None, int | None]
"""The least and the greatest value, as numbers in the domain's order; None: it makes no difference."""


@dataclass(frozen=True)
class _Cube:
    """Bounds for some of the variables, by their number."""

    bounds: dict[int, Bounds]

    def holds(self, codes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which rows lie within."""
        found = np.ones(len(codes), dtype=np.bool_)
        for place, (low, high) in self.bounds.items():
            if low is not None:
                found &= codes[:, place] >= low
            if high is not None:
                found &= codes[:, place] <= high
        return found


def condition(terms: Terms, variables: Sequence[Variable], yes: Sequence[Row], no: Sequence[Row]) -> Expr:
    """A condition that the rows of ``yes`` satisfy, and those of ``no`` do not; variables that come first are left out first."""
    if not yes or not no:
        return TRUE if yes else FALSE
    values = [_Values(variable, [row[place] for row in (*yes, *no)]) for place, variable in enumerate(variables)]
    inside, outside = _codes(values, yes), _codes(values, no)
    direct, opposite = _cover(values, inside, outside), _cover(values, outside, inside)
    if _size(opposite) < _size(direct):
        return terms.negate(_written(terms, values, opposite))
    return _written(terms, values, direct)


class _Values:
    """The values of one variable that occur, in their order."""

    def __init__(self, variable: Variable, seen: Sequence[object]) -> None:
        self.variable = variable
        self.ordered = not isinstance(variable.domain, (Boolean, Enumeration))
        known = set(seen)
        if self.ordered:
            self.values = sorted(known)  # type: ignore[type-var]  # numbers
        else:
            self.values = sorted(known, key=str)
        self.code = {value: number for number, value in enumerate(self.values)}

    def written(self, terms: Terms, bounds: Bounds) -> Expr:
        """That the variable's value lies within."""
        low, high = bounds
        least, most = low or 0, len(self.values) - 1 if high is None else high
        if least == most:
            return self._compared(terms, "=", least)
        parts = [] if low is None else [self._compared(terms, ">=", low)]
        parts += [] if high is None else [self._compared(terms, "<=", high)]
        return terms.conjunction(parts)

    def _compared(self, terms: Terms, op: str, code: int) -> Expr:
        value, reference = self.values[code], self.variable.reference
        if isinstance(value, bool):
            return reference if value else terms.negate(reference)
        constant = terms.name(value) if isinstance(value, str) else terms.number(value)  # type: ignore[arg-type]
        return terms.compare(op, reference, constant)


def _codes(values: Sequence[_Values], rows: Sequence[Row]) -> NDArray[np.int64]:
    columns = [[one.code[row[place]] for row in rows] for place, one in enumerate(values)]
    return np.array(columns, dtype=np.int64).T.reshape(len(rows), len(values))


def _cover(values: Sequence[_Values], inside: NDArray[np.int64], outside: NDArray[np.int64]) -> list[_Cube]:
    """Cubes that hold all rows inside, and none outside."""
    left = np.ones(len(inside), dtype=np.bool_)
    cubes: list[_Cube] = []
    while left.any():
        cube = _widest(values, inside[int(np.argmax(left))], outside)
        cubes.append(cube)
        left &= ~cube.holds(inside)
    return cubes


def _widest(values: Sequence[_Values], row: NDArray[np.int64], outside: NDArray[np.int64]) -> _Cube:
    """The row, with as little asked as keeps the rows outside apart."""
    wrong = outside != row  # which places keep which row apart
    apart = wrong.sum(axis=1)
    asked = []
    for place in range(len(values)):
        if (apart > wrong[:, place]).all():
            apart = apart - wrong[:, place]
        else:
            asked.append(place)
    bounds: dict[int, Bounds] = {place: (int(row[place]), int(row[place])) for place in asked}
    for place in asked:
        if values[place].ordered:
            others = _Cube({one: limits for one, limits in bounds.items() if one != place}).holds(outside)
            near = outside[others, place]
            bounds[place] = _stretched(int(row[place]), near)
    return _Cube(bounds)


def _stretched(value: int, near: NDArray[np.int64]) -> Bounds:
    """The widest range around a value without these; one-sided where it can be."""
    low = None if not (near < value).any() else int(near[near < value].max()) + 1
    high = None if not (near > value).any() else int(near[near > value].min()) - 1
    return low, high


def _size(cubes: Sequence[_Cube]) -> tuple[int, int]:
    return sum(len(cube.bounds) for cube in cubes), len(cubes)


def _written(terms: Terms, values: Sequence[_Values], cubes: Sequence[_Cube]) -> Expr:
    return terms.disjunction(
        [
            terms.conjunction([values[place].written(terms, bounds) for place, bounds in cube.bounds.items()])
            for cube in cubes
        ]
    )
