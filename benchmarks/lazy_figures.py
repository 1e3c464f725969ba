"""The figures of the paper on lazy model checking (Cimatti, Gario, Tonetta, AAMAS 2016), with our times beside the published ones.

Figures 8 and 9 of the paper are clouds of points without numbers, and there is none with a higher number than 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.lazy_points import RESULTS, Log, Point

from epistrat.engines.lazy.tuning import OPTIMISATIONS
from epistrat.experiments.chart import Curve, shapes
from epistrat.experiments.formats import write_svg

_GENERALISATION = ("--without", "cores,involutions,projection,static")
_BASIC = ("--without", ",".join(OPTIMISATIONS))

Line = tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Figure:
    """A figure of the paper: what it shows, the published curves, and ours; ``by_recall`` says what the axis shows."""

    number: str
    title: str
    published: dict[str, Line]
    ours: dict[str, tuple[Point, ...]]
    by_recall: bool = False
    remark: str = ""


def _payers(
    spec: str, sizes: tuple[int, ...], options: tuple[str, ...] = (), engine: str = "lazy"
) -> tuple[Point, ...]:
    return tuple(Point("payers", spec, n, options=options, engine=engine) for n in sizes)


def _boxes(sizes: tuple[int, ...], engine: str) -> tuple[Point, ...]:
    return tuple(Point("magic", "target", n, engine=engine) for n in sizes)


def _battery(recalls: tuple[int, ...], options: tuple[str, ...] = ()) -> tuple[Point, ...]:
    return tuple(Point("battery", "seven", 1, recall, options) for recall in recalls)


FIGURES = (
    Figure(
        "5",
        "Dining cryptographers, invariant: seconds over cryptographers",
        {
            "paper, without generalisation": ((3, 0.26), (5, 1.01), (7, 6.07), (9, 58.03), (11, 1358.11)),
            "paper, with generalisation": ((3, 0.15), (5, 0.15), (7, 0.13), (9, 0.15), (11, 0.15), (13, 0.15)),
        },
        {
            "ours, without generalisation": _payers("payer", (3, 5, 7, 9, 11), _GENERALISATION),
            "ours": _payers("payer", (3, 5, 7, 9, 11, 13)),
        },
    ),
    Figure(
        "6",
        "Battery-sensor, seven invariants: seconds over recall + 1",
        {
            "paper, basic": ((1, 3.28), (6, 3536.17)),
            "paper, best": ((1, 1.46), (6, 52.72), (11, 103.47), (21, 288.31), (41, 981.11)),
        },
        {"ours, basic": _battery((0, 5), _BASIC), "ours": _battery((0, 5, 10, 20, 40))},
        by_recall=True,
        remark="Basic: without any optimisation.",
    ),
    Figure(
        "7",
        "Battery-sensor, seven invariants, eager and lazy: seconds over recall + 1",
        {
            "paper, eager": ((1, 3.38), (2, 29.48), (3, 153.16), (4, 661.28), (5, 3028.94)),
            "paper, lazy": ((1, 1.46), (2, 2.18), (3, 5.15), (4, 10.24), (5, 13.44), (6, 52.72)),
        },
        {
            "ours, eager": _battery((0, 1, 2, 3, 4, 5), ("--eager",)),
            "ours, lazy": _battery((0, 1, 2, 3, 4, 5)),
        },
        by_recall=True,
    ),
    Figure(
        "8 and 9",
        "Finite systems, lazily and with decision diagrams: seconds over size",
        {},
        {
            "magic boxes, ours, lazy": _boxes((4, 8, 16, 24), "lazy"),
            "magic boxes, ours, decision diagrams": _boxes((4, 8, 16, 24), "symbolic"),
            "cryptographers, ours, lazy": _payers("payer", (20, 40, 80, 160)),
            "cryptographers, ours, decision diagrams": _payers("payer", (20, 40, 80, 160), engine="symbolic"),
        },
        remark="The paper compares its lazy engine with MCK (figure 8) and MCMAS (figure 9) on 118 models of these two families by clouds"
        " of points without numbers: MCK does not finish 66 of them within an hour, MCMAS 20, the lazy engine all. So there is no published"
        " curve to draw; ours stands beside our own decision diagrams.",
    ),
    Figure(
        "10",
        "Dining cryptographers, linear formula: seconds over cryptographers",
        {
            "paper, MCMAS": ((40, 3.66), (80, 26.57), (120, 169.43), (160, 322.45), (200, 528.42), (240, 1582.68)),
            "paper, lazy": (
                (40, 1.83),
                (80, 8.54),
                (120, 25.9),
                (160, 55.2),
                (200, 104.02),
                (240, 174.86),
                (280, 287.06),
                (320, 391.57),
                (360, 598.4),
                (400, 765.96),
            ),
        },
        {"ours": _payers("linear", (40, 80, 120, 160, 200, 240, 280, 320, 360, 400))},
        remark="The paper has no figure with a higher number.",
    ),
)


def curves() -> Iterator[tuple[Point, ...]]:
    """What is to be measured."""
    for figure in FIGURES:
        yield from figure.ours.values()


def pictures(log: Log) -> Iterator[str]:
    """Draw the figures; the lines of their tables."""
    for figure in FIGURES:
        yield from _picture(figure, log)


def _picture(figure: Figure, log: Log) -> Iterator[str]:
    shift = 1 if figure.by_recall else 0
    lines = {name: list(points) for name, points in figure.published.items()}
    undecided = []
    for name, points in figure.ours.items():
        own = [(point.recall if figure.by_recall else point.n, log[point]) for point in points if point in log]
        lines[name] = [(size + shift, found.cpu) for size, found in own if found.complete]
        undecided += [f"{name}, {size}: {found} CPU s" for size, found in own if not found.complete]
    lines = {name: points for name, points in lines.items() if points}
    file = f"lazy_figure_{figure.number.replace(' and ', '_')}.svg"
    write_svg(RESULTS / file, shapes(figure.title, {name: Curve(tuple(line)) for name, line in lines.items()}))
    sizes = sorted({n for points in lines.values() for n, _ in points})
    yield from (f"## Figure {figure.number}: {figure.title}", "", f"![figure {figure.number}]({file})", "")
    yield f"| {'recall' if shift else 'n'} | {' | '.join(str(n - shift) for n in sizes)} |"
    yield f"| --- |{' --- |' * len(sizes)}"
    for name, line in lines.items():
        known = dict(line)
        yield f"| {name} | {' | '.join(f'{known[n]:g}' if n in known else '' for n in sizes)} |"
    yield ""
    if undecided:
        yield from (f"Not all decided within the limit: {'; '.join(undecided)}.", "")
    if figure.remark:
        yield from (figure.remark, "")
