"""What a sweep found, as a table: one row for each task and formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from epistrat.experiments.task import Measured, Task

Rows = list[dict[str, Any]]
_FOUND = ("label", "formula", "verdict", "reason", "cpu", "wall", "peak_mb", "states")


class NoParquet(Exception):
    """What writing Parquet needs is not installed."""


def rows(results: Iterable[tuple[Task, Measured]]) -> Rows:
    """One row for each formula, or one with the complaint where there is no verdict."""
    found: Rows = []
    for task, measured in results:
        common = {"model": Path(task.model).stem, **dict(task.parameters)}
        took = {"cpu": measured.cpu, "wall": measured.wall, "peak_mb": measured.peak_mb, "states": measured.states}
        for one in measured.verdicts:
            said = {"label": one.label, "formula": one.formula, "verdict": one.verdict, "reason": one.reason}
            found.append({**common, **said, **took})
        if not measured.verdicts:
            found.append(
                {**common, "label": task.only, "formula": "", "verdict": "error", "reason": measured.complaint, **took}
            )
    return found


def columns(found: Rows) -> list[str]:
    """The columns: model and parameters, then what was found."""
    names = dict.fromkeys(name for row in found for name in row)
    return [*(name for name in names if name not in _FOUND), *_FOUND]


def write_csv(path: Path, found: Rows) -> None:
    """The table as comma-separated values."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns(found), restval="")
        writer.writeheader()
        writer.writerows(found)


def write_parquet(path: Path, found: Rows) -> None:
    """The table as Parquet, where pandas is installed with a Parquet library."""
    try:
        import pandas

        pandas.DataFrame(found, columns=columns(found)).to_parquet(path)
    except ImportError:
        raise NoParquet("Parquet needs pandas and pyarrow: pip install 'epistrat[parquet]', or write .csv") from None


def curves(found: Rows, axis: str) -> dict[str, list[tuple[int, float]]]:
    """CPU seconds over one parameter, a line for each model and combination of the other parameters; undecided tasks are left out."""
    lines: dict[str, dict[int, float]] = {}
    undecided = {_place(row, axis) for row in found if row["verdict"] not in ("holds", "fails")}
    others = [name for name in columns(found) if name != axis and name not in ("model", *_FOUND)]
    for row in found:
        if _place(row, axis) in undecided or not str(row.get(axis, "")).lstrip("-").isdigit():
            continue
        label = " ".join([row["model"], *(f"{name}={row[name]}" for name in others if name in row)])
        lines.setdefault(label, {})[int(row[axis])] = max(row["cpu"], 0.001)
    return {label: sorted(points.items()) for label, points in lines.items()}


def _place(row: dict[str, Any], axis: str) -> tuple[Any, ...]:
    return tuple(value for name, value in row.items() if name not in _FOUND)
