"""Growth as a picture: CPU seconds over size, one line per curve; what reached the limit is marked on the limit.

The picture is a list of lines, dots and texts (`shapes`), which `formats` writes as SVG or PNG.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

WIDTH, HEIGHT = 1020, 620
LEFT, RIGHT, TOP, BOTTOM = 70, 290, 40, 60
COLOURS = ("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e", "#555555")
DASHES = ((), (6, 3), (2, 3))
_LETTER = 6.8
"""About how wide a letter of the legend is."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """A line through points."""

    points: tuple[Point, ...]
    colour: str = "#000000"
    width: int = 1
    dashes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Dot:
    """A filled circle."""

    at: Point
    colour: str


@dataclass(frozen=True)
class Words:
    """A text; ``anchor`` says which end stands at the place: start, middle or end."""

    at: Point
    text: str
    size: int = 13
    anchor: str = "start"


Shape = Line | Dot | Words


@dataclass(frozen=True)
class Curve:
    """Sizes with the seconds they took, and the sizes for which there was no answer within the limit."""

    points: tuple[tuple[int, float], ...] = ()
    undecided: tuple[int, ...] = ()


@dataclass(frozen=True)
class Frame:
    """Where a size and a time are on the page."""

    sizes: tuple[float, float]
    times: tuple[float, float]

    @property
    def logarithmic(self) -> bool:
        """Whether sizes are drawn by their logarithms; those below 1 have none."""
        return self.sizes[0] > 0

    def x(self, n: float) -> float:
        """The horizontal place of a size."""
        low, high = self.sizes
        share = _share(n, self.sizes) if self.logarithmic else (n - low) / (high - low or 1.0)
        return LEFT + (WIDTH - LEFT - RIGHT) * share

    def y(self, seconds: float) -> float:
        """The vertical place of a time."""
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * _share(seconds, self.times)


def _share(value: float, bounds: tuple[float, float]) -> float:
    low, high = bounds
    return (math.log(value) - math.log(low)) / (math.log(high) - math.log(low) or 1.0)


def shapes(
    title: str, curves: Mapping[str, Curve], *, axis: str = "size n", limit: float | None = None
) -> Iterator[Shape]:
    """The picture; ``limit`` is how many seconds a check may take."""
    drawn = [n for curve in curves.values() for n in (*(n for n, _ in curve.points), *curve.undecided)]
    seconds = [t for curve in curves.values() for _, t in curve.points] + ([limit] if limit is not None else [])
    least, most = (min(seconds), max(seconds)) if seconds else (1.0, 1.0)
    times = (10.0 ** math.floor(math.log10(least)), 10.0 ** math.ceil(math.log10(most * 1.001)))
    frame = Frame((min(drawn), max(drawn)), times)
    yield Words((LEFT, 24), title, 16)
    yield from _axes(frame, sorted(set(drawn)), axis)
    if limit is not None:
        yield from _limit(frame, limit)
    for index, curve in enumerate(curves.values()):
        yield from _curve(frame, index, curve, limit)
    yield from _legend(list(curves))


def _axes(frame: Frame, sizes: Sequence[int], axis: str) -> Iterator[Shape]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    decade = frame.times[0]
    while decade <= frame.times[1] * 1.001:
        y = frame.y(decade)
        yield Line(((LEFT, y), (right, y)), "#dddddd")
        yield Words((LEFT - 8, y + 4), f"{decade:g} s", anchor="end")
        decade *= 10
    last = -math.inf
    for n in sizes:
        x = frame.x(n)
        if x - last > 28:
            yield Line(((x, bottom), (x, bottom + 5)))
            yield Words((x, bottom + 20), str(n), anchor="middle")
            last = x
    yield Line(((LEFT, bottom), (right, bottom)))
    yield Line(((LEFT, TOP), (LEFT, bottom)))
    scale = " (logarithmic)" if frame.logarithmic else ""
    yield Words(((LEFT + right) / 2, HEIGHT - 14), f"{axis}{scale}", anchor="middle")


def _limit(frame: Frame, limit: float) -> Iterator[Shape]:
    y = frame.y(limit)
    yield Line(((LEFT, y), (WIDTH - RIGHT, y)), "#888888", 1, (4, 4))
    yield Words((LEFT + 6, y + 14), f"limit {limit:g} s; x: no answer within it", 11)


def _look(index: int) -> tuple[str, tuple[int, ...]]:
    """The colour and the dashes of a curve, by its number."""
    return COLOURS[index % len(COLOURS)], DASHES[index // len(COLOURS) % len(DASHES)]


def _legend(names: Sequence[str]) -> Iterator[Shape]:
    """The names of the curves, long ones in several lines; in smaller steps where there are many."""
    entries = [wrap(name, int((RIGHT - 60) / _LETTER)) or [""] for name in names]
    step = min(18.0, (HEIGHT - TOP - 10) / max(sum(map(len, entries)), 1))
    x, y = WIDTH - RIGHT + 20.0, TOP + 10.0
    for index, lines in enumerate(entries):
        colour, dashes = _look(index)
        yield Line(((x, y), (x + 24, y)), colour, 2, dashes)
        for text in lines:
            yield Words((x + 30, y + 4), text, 13 if step > 14 else 10)
            y += step


def _curve(frame: Frame, index: int, curve: Curve, limit: float | None) -> Iterator[Shape]:
    colour, dashes = _look(index)
    places = tuple((frame.x(n), frame.y(seconds)) for n, seconds in curve.points)
    if len(places) > 1:
        yield Line(places, colour, 2, dashes)
    yield from (Dot(place, colour) for place in places)
    for n in curve.undecided if limit is not None else ():
        # those of several curves stand above each other, so that each is seen
        yield from _cross(frame.x(n), frame.y(limit or 1.0) - 10.0 * (index % 4), colour)


def _cross(x: float, y: float, colour: str) -> Iterator[Shape]:
    yield Line(((x - 4, y - 4), (x + 4, y + 4)), colour, 2)
    yield Line(((x - 4, y + 4), (x + 4, y - 4)), colour, 2)
