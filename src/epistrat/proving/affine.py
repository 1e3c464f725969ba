"""The linear equations that some points satisfy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

Row = list[Fraction]


def equations(points: Sequence[Row]) -> Iterator[tuple[Row, Fraction]]:
    """A basis of the linear equations that all points satisfy: whole factors, and what the sum is."""
    if not points:
        return
    first = points[0]
    for factors in kernel([[a - b for a, b in zip(one, first, strict=True)] for one in points[1:]], len(first)):
        yield factors, sum((factor * value for factor, value in zip(factors, first, strict=True)), Fraction(0))


def kernel(rows: Sequence[Row], width: int) -> list[Row]:
    """A basis of all vectors whose product with every row is zero, in whole numbers."""
    pivots: list[tuple[int, Row]] = []
    for row in rows:
        current = list(row)
        for place, pivot in pivots:
            if current[place]:
                current = [a - current[place] * b for a, b in zip(current, pivot, strict=True)]
        lead = next((place for place, value in enumerate(current) if value), None)
        if lead is None:
            continue
        current = [value / current[lead] for value in current]
        pivots = [
            (place, [a - pivot[lead] * b for a, b in zip(pivot, current, strict=True)]) for place, pivot in pivots
        ]
        pivots.append((lead, current))
    leads = {place for place, _ in pivots}
    basis: list[Row] = []
    for free in range(width):
        if free in leads:
            continue
        vector = [Fraction(0)] * width
        vector[free] = Fraction(1)
        for place, pivot in pivots:
            vector[place] = -pivot[free]
        scale = lcm(*[value.denominator for value in vector])
        basis.append([value * scale for value in vector])
    return basis
