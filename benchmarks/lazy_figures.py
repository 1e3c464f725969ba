"""The figures of the paper on lazy model checking (Cimatti, Gario, Tonetta, AAMAS 2016), redrawn with our times beside the published ones.

``python -m benchmarks.lazy_figures`` measures and draws: ``results/lazy_figures.jsonl`` keeps the measurements,
``results/lazy_figure_N.svg`` are the pictures and ``results/lazy_figures.md`` has the numbers.  ``--draw`` draws again without measuring,
``--only 5,10`` takes some figures, ``--limit S`` sets the time for one command.  Figures 8 and 9 of the paper are clouds of points without
published numbers, and there is none with a higher number than 10.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.lazy import Row, measure

from epistrat.experiments.chart import draw

RESULTS = Path(__file__).parent / "results"
LOG = RESULTS / "lazy_figures.jsonl"
_GENERALISATION = "cores,involutions,projection,static"

Line = tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Ours:
    """One curve of ours: a question of a family, with sizes or recalls along the axis, and further options."""

    name: str
    family: str
    spec: str
    sizes: tuple[int, ...]
    extra: tuple[str, ...] = ()
    by_recall: bool = False


@dataclass(frozen=True)
class Figure:
    """A figure of the paper: what it shows, the published curves, and ours."""

    number: int
    title: str
    published: dict[str, Line]
    ours: tuple[Ours, ...]


FIGURES = (
    Figure(
        5,
        "Dining cryptographers, invariant: seconds over cryptographers",
        {
            "paper, without generalisation": ((3, 0.26), (5, 1.01), (7, 6.07), (9, 58.03), (11, 1358.11)),
            "paper, with generalisation": ((3, 0.15), (5, 0.15), (7, 0.13), (9, 0.15), (11, 0.15), (13, 0.15)),
        },
        (
            Ours("ours, without generalisation", "payers", "payer", (3, 5, 7, 9), ("--without", _GENERALISATION)),
            Ours("ours", "payers", "payer", (3, 5, 7, 9, 11, 13)),
        ),
    ),
    Figure(
        6,
        "Battery-sensor, seven invariants: seconds over recall + 1",
        {
            "paper, basic": ((1, 3.28), (6, 3536.17)),
            "paper, best": ((1, 1.46), (6, 52.72), (11, 103.47), (21, 288.31), (41, 981.11)),
        },
        (Ours("ours", "battery", "seven", (0, 1, 5, 10, 20, 40), (), by_recall=True),),
    ),
    Figure(
        7,
        "Battery-sensor, seven invariants, eager and lazy: seconds over recall + 1",
        {
            "paper, eager": ((1, 3.38), (2, 29.48), (3, 153.16), (4, 661.28), (5, 3028.94)),
            "paper, lazy": ((1, 1.46), (2, 2.18), (3, 5.15), (4, 10.24), (5, 13.44), (6, 52.72)),
        },
        (
            Ours("ours, eager", "battery", "seven", (0, 1), ("--eager",), by_recall=True),
            Ours("ours, lazy", "battery", "seven", (0, 1, 5), (), by_recall=True),
        ),
    ),
    Figure(
        10,
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
        (Ours("ours", "payers", "linear", (40, 80, 120, 160, 200, 240, 280, 320, 360, 400)),),
    ),
)


def measured(figure: Figure, limit: float) -> Iterator[dict[str, object]]:
    """One measurement after the other; a curve ends with its first question that is not decided."""
    for ours in figure.ours:
        for size in ours.sizes:
            row = Row(ours.family, ours.spec, (size,), 0, recall=size if ours.by_recall else 0)
            seconds, mark = measure(row, 1 if ours.by_recall else size, list(ours.extra), limit)
            yield {
                "figure": figure.number,
                "curve": ours.name,
                "n": size,
                "cpu": round(seconds, 2),
                "mark": mark.strip(),
            }
            if mark:
                break


def picture(figure: Figure, rows: list[dict[str, object]]) -> Iterator[str]:
    """Draw the figure; the lines of its table."""
    shift = 1 if any(ours.by_recall for ours in figure.ours) else 0
    lines = {name: list(points) for name, points in figure.published.items()}
    for ours in figure.ours:
        own = [row for row in rows if row["figure"] == figure.number and row["curve"] == ours.name and not row["mark"]]
        if own:
            lines[ours.name] = [(int(str(row["n"])) + shift, float(str(row["cpu"]))) for row in own]
    draw(RESULTS / f"lazy_figure_{figure.number}.svg", figure.title, lines)
    sizes = sorted({n for points in lines.values() for n, _ in points})
    yield f"## Figure {figure.number}: {figure.title}"
    yield ""
    yield f"![figure {figure.number}](lazy_figure_{figure.number}.svg)"
    yield ""
    yield f"| {'recall' if shift else 'n'} | {' | '.join(str(n - shift) for n in sizes)} |"
    yield f"| --- |{' --- |' * len(sizes)}"
    for name, points in lines.items():
        known = dict(points)
        yield f"| {name} | {' | '.join(f'{known[n]:g}' if n in known else '' for n in sizes)} |"
    undecided = [row for row in rows if row["figure"] == figure.number and row["mark"]]
    for row in undecided:
        yield ""
        yield f"Not decided within the limit: {row['curve']}, {row['n']}."
    yield ""


def main() -> None:
    """Measure, draw and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", action="store_true", help="draw what was measured before")
    parser.add_argument("--only", default="", help="numbers of figures, with commas")
    parser.add_argument("--limit", type=float, default=60, help="seconds for one command")
    arguments = parser.parse_args()
    chosen = [figure for figure in FIGURES if not arguments.only or str(figure.number) in arguments.only.split(",")]
    rows = [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()] if LOG.exists() else []
    if not arguments.draw:
        for figure in chosen:
            rows = [row for row in rows if row["figure"] != figure.number]
            for row in measured(figure, arguments.limit):
                print(row, flush=True)
                rows.append(row)
            LOG.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    known = [figure for figure in FIGURES if any(row["figure"] == figure.number for row in rows)]
    text = [line for figure in known for line in picture(figure, rows)]
    (RESULTS / "lazy_figures.md").write_text("\n".join([*_HEAD, *text]).rstrip() + "\n", encoding="utf-8")


_HEAD = (
    "# The lazy engine beside the published figures",
    "",
    "Made by `python -m benchmarks.lazy_figures`. Ours: whole commands, CPU seconds of all processes, on a busy machine.",
    "The paper's: seconds on its authors' machine, on their models; ours are rebuilt from",
    "the description.",
    "",
)


if __name__ == "__main__":
    main()
