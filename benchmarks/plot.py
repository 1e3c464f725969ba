"""A suite's growth as a picture: CPU seconds over size, one line per curve."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import Row

from epistrat.experiments.chart import draw


def curves(rows: Sequence[Row]) -> dict[str, list[tuple[int, float]]]:
    """The points of every curve that has at least two of them."""
    found: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        if row.run.decided:
            found.setdefault(row.case.curve, []).append((row.case.n, row.run.cpu))
    return {name: sorted(points) for name, points in found.items() if len(points) > 1}


def write(path: Path, title: str, rows: Sequence[Row]) -> bool:
    """Draw the curves; False if there is nothing to draw."""
    lines = curves(rows)
    if lines:
        draw(path, title, lines)
    return bool(lines)
