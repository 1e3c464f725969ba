"""Growth as a picture: CPU seconds over size, both logarithmic, one line per curve, as plain SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

WIDTH, HEIGHT = 980, 620
LEFT, RIGHT, TOP, BOTTOM = 70, 250, 40, 60
COLOURS = ("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e", "#555555")
DASHES = ("", "6 3", "2 3")


@dataclass(frozen=True)
class Frame:
    """Where a size and a time are on the page."""

    sizes: tuple[float, float]
    times: tuple[float, float]

    def x(self, n: float) -> float:
        """The horizontal place of a size."""
        return LEFT + (WIDTH - LEFT - RIGHT) * _share(n, self.sizes)

    def y(self, seconds: float) -> float:
        """The vertical place of a time."""
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * _share(seconds, self.times)


def _share(value: float, bounds: tuple[float, float]) -> float:
    low, high = bounds
    return (math.log(value) - math.log(low)) / (math.log(high) - math.log(low) or 1.0)


def draw(path: Path, title: str, lines: dict[str, list[tuple[int, float]]]) -> None:
    """Draw lines of sizes and seconds."""
    points = [point for line in lines.values() for point in line]
    sizes = (min(n for n, _ in points), max(n for n, _ in points))
    times = (
        10 ** math.floor(math.log10(min(t for _, t in points))),
        10 ** math.ceil(math.log10(max(t for _, t in points))),
    )
    frame = Frame(sizes, times)
    path.write_text("\n".join(_svg(title, lines, frame)) + "\n", encoding="utf-8")


def _svg(title: str, lines: dict[str, list[tuple[int, float]]], frame: Frame) -> Iterator[str]:
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">'
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    yield f'<text x="{LEFT}" y="24" font-size="16">{escape(title)}</text>'
    yield from _axes(frame, sorted({n for line in lines.values() for n, _ in line}))
    for index, (name, points) in enumerate(lines.items()):
        yield from _curve(frame, index, name, points)
    yield "</svg>"


def _axes(frame: Frame, sizes: Sequence[int]) -> Iterator[str]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    decade = frame.times[0]
    while decade <= frame.times[1] * 1.001:
        y = frame.y(decade)
        yield f'<line x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{decade:g} s</text>'
        decade *= 10
    last = -math.inf
    for n in sizes:
        x = frame.x(n)
        if x - last > 28:
            yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{bottom}" y2="{bottom + 5}" stroke="black"/>'
            yield f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{n}</text>'
            last = x
    yield f'<line x1="{LEFT}" x2="{right}" y1="{bottom}" y2="{bottom}" stroke="black"/>'
    yield f'<line x1="{LEFT}" x2="{LEFT}" y1="{TOP}" y2="{bottom}" stroke="black"/>'
    yield f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 14}" text-anchor="middle">size n (logarithmic)</text>'


def _curve(frame: Frame, index: int, name: str, points: Sequence[tuple[int, float]]) -> Iterator[str]:
    colour = COLOURS[index % len(COLOURS)]
    dash = DASHES[index // len(COLOURS) % len(DASHES)]
    places = [(frame.x(n), frame.y(seconds)) for n, seconds in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
    yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
    x, y = WIDTH - RIGHT + 20, TOP + 10 + 18 * index
    yield f'<line x1="{x}" x2="{x + 24}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
    yield f'<text x="{x + 30}" y="{y + 4}">{escape(name)}</text>'
