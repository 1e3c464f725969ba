"""Measures the lazy engine: whole commands, CPU seconds of all processes, with optimisations switched off one at a time.

``python -m benchmarks.lazy`` measures everything, keeps it in ``results/lazy.jsonl`` and writes ``results/lazy.md`` (figures to reach,
ablation) and ``results/lazy_figures.md`` with its pictures (beside the published ones).  What the log has already is not measured
again: remove lines, or the file, to repeat.  ``--draw`` writes the pages alone, ``--limit S`` sets the CPU time of a process.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.lazy_points import RESULTS, Log, Point, measure_curves, read

from benchmarks import lazy_figures
from epistrat.engines.lazy.tuning import OPTIMISATIONS


@dataclass(frozen=True)
class Row:
    """A family at some sizes with one spec; ``figure`` are the seconds to reach for the largest size."""

    family: str
    spec: str
    sizes: tuple[int, ...]
    figure: float
    recalls: tuple[int, ...] = (0,)

    @property
    def points(self) -> tuple[Point, ...]:
        """What is measured, from small to large."""
        return tuple(Point(self.family, self.spec, n, recall) for n in self.sizes for recall in self.recalls)


ROWS = (
    Row("payers", "payer", (40, 200, 400), 6),
    Row("payers", "anonymity", (40, 200, 400), 6),
    Row("payers", "linear", (40, 200, 400), 6),
    Row("voters", "first", (10, 50, 200), 4),
    Row("voters", "second", (10, 50, 200), 4),
    Row("magic", "target", (8, 16, 24), 8),
    Row("magic", "row", (8, 16, 24), 8),
    Row("battery", "seven", (1,), 30, (0, 10, 40)),
    Row("battery", "diagnosis", (1,), 30),
)
BASES = (*(row.points[0] for row in ROWS if row.spec != "diagnosis"), Point("battery", "seven", 1, 10))
VARIANTS = {
    "all on": (),
    **{f"no {name}": ("--without", name) for name in OPTIMISATIONS},
    "all off": ("--without", ",".join(OPTIMISATIONS)),
    "eager": ("--eager",),
    "parameters": ("--parameters",),
}


def _variant(base: Point, options: tuple[str, ...]) -> Point:
    return Point(base.family, base.spec, base.n, base.recall, options)


def curves() -> Iterator[tuple[Point, ...]]:
    """Everything that is measured here."""
    for row in ROWS:
        yield row.points
    for base in BASES:
        for options in VARIANTS.values():
            yield (_variant(base, options),)


def table(log: Log) -> Iterator[str]:
    """The figures to reach."""
    yield "| family, question | n | CPU s | figure |"
    yield "| --- | --- | --- | --- |"
    for row in ROWS:
        for point in row.points:
            goal = f"{row.figure:g}" if point == row.points[-1] else ""
            yield f"| {_named(point)} | {point.n} | {log.get(point, '')} | {goal} |"


def ablation(log: Log) -> Iterator[str]:
    """The smallest size of every row with each optimisation switched off in turn, with all of them off, and eagerly."""
    yield f"| | {' | '.join(f'{_named(base)}, {base.n}' for base in BASES)} |"
    yield f"| --- |{' --- |' * len(BASES)}"
    for name, options in VARIANTS.items():
        cells = [str(log.get(_variant(base, options), "")) for base in BASES]
        yield f"| {name} | {' | '.join(cells)} |"


def _named(point: Point) -> str:
    return f"{point.family}, {point.spec}{f', recall {point.recall}' if point.recall else ''}"


def main() -> None:
    """Measure and write the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", action="store_true", help="write the pages from what was measured before")
    parser.add_argument("--limit", type=float, default=20, help="CPU seconds for a process")
    arguments = parser.parse_args()
    log = read()
    if not arguments.draw:
        measure_curves(log, (*lazy_figures.curves(), *curves()), arguments.limit)
    _write("lazy.md", (*_HEAD, *table(log), *_ABLATION, *ablation(log)))
    _write("lazy_figures.md", (*_FIGURES, *lazy_figures.pictures(log)))


def _write(name: str, lines: tuple[str, ...]) -> None:
    (RESULTS / name).write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


_HEAD = (
    "# The lazy engine: figures",
    "",
    "Made by `python -m benchmarks.lazy`. Whole commands, CPU seconds of the process and its children, on a machine with two cores and",
    "other work, once or twice (the smaller one counts). *Figure*: what was to be reached for the largest size. `(5/7)`: so many of the",
    "formulae were decided within 20 (some: 40) CPU seconds of a process. All verdicts are compared with those known.",
    "",
)
_ABLATION = (
    "",
    "## Every optimisation switched off in turn",
    "",
    "CPU seconds of the smallest size; compare within a column. [What the optimisations are](../../docs/lazy.md).",
    "",
)
_FIGURES = (
    "# The lazy engine beside the published figures",
    "",
    "Made by `python -m benchmarks.lazy`. Ours: whole commands, CPU seconds of all processes, on a machine with other work, start-up",
    "(0.4 s) included. The paper's: seconds on its authors' machine, on their models; ours are rebuilt from the description.",
    "",
)


if __name__ == "__main__":
    main()
