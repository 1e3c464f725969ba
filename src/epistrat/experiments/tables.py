"""What a sweep found, as a table: one row for each task and formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from epistrat.experiments.chart import Curve
from epistrat.experiments.task import Measured, Task

Rows = list[dict[str, Any]]
_FOUND = ("label", "formula", "verdict", "reason", "cpu", "check_cpu", "wall", "peak_mb", "states")
_DECIDED = ("holds", "fails")
SHORTEST = 0.001
"""Seconds below which a time is drawn as if it were that long: a logarithm needs something."""


def column(parameter: str) -> str:
    """The column of a parameter; one that is called like a column of every table is marked, so that neither hides the other."""
    return f"{parameter} (parameter)" if parameter in ("model", *_FOUND) else parameter


def rows(results: Iterable[tuple[Task, Measured]]) -> Rows:
    """One row for each formula, or one with the complaint where there is no verdict.

    ``cpu`` is what the formula took; where a check had one formula only, what the whole check took, as ``check_cpu`` always is.
    """
    found: Rows = []
    for task, measured in results:
        common = {"model": Path(task.model).stem, **{column(name): value for name, value in task.parameters}}
        whole = {
            "check_cpu": measured.cpu,
            "wall": measured.wall,
            "peak_mb": measured.peak_mb,
            "states": measured.states,
        }
        alone = len(measured.verdicts) == 1
        for one in measured.verdicts:
            said = {"label": one.label, "formula": one.formula, "verdict": one.verdict, "reason": one.reason}
            cpu = measured.cpu if alone or one.cpu is None else one.cpu
            found.append({**common, **said, "cpu": cpu, **whole})
        if not measured.verdicts:
            said = {"label": task.only, "formula": "", "verdict": "error", "reason": measured.complaint}
            found.append({**common, **said, "cpu": measured.cpu, **whole})
    return found


def tally(verdicts: Iterable[str]) -> str:
    """How many hold, fail, and so on, in words: ``5 fail, 1 holds``."""
    plural = {"holds": "hold", "fails": "fail", "error": "errors"}
    counts = Counter(verdicts)
    return ", ".join(f"{number} {plural.get(word, word) if number > 1 else word}" for word, number in counts.items())


def columns(found: Rows) -> list[str]:
    """The columns: model and parameters, then what was found."""
    names = dict.fromkeys(name for row in found for name in row)
    return [*(name for name in names if name not in _FOUND), *_FOUND]


def curves(found: Rows, axis: str) -> dict[str, Curve]:
    """CPU seconds over one parameter, a curve for each model, combination of the other parameters, and formula."""
    lines: dict[str, dict[int, float | None]] = {}
    axis = column(axis)
    others = [name for name in columns(found) if name != axis and name not in ("model", *_FOUND)]
    several = {row["model"] for row in found}
    labels = {row["label"] for row in found if row["verdict"] != "error"}
    for row in found:
        if not str(row.get(axis, "")).lstrip("-").isdigit():
            continue
        words = [row["model"]] if len(several) > 1 or len(labels) < 2 else []
        words += [f"{name}={row[name]}" for name in others if name in row]
        words += [f"formula {row['label']}" if row["label"].isdigit() else row["label"]] if len(labels) > 1 else []
        line = lines.setdefault(" ".join(filter(None, words)), {})
        line[int(row[axis])] = max(row["cpu"], SHORTEST) if row["verdict"] in _DECIDED else None
    return {label: _curve(line) for label, line in lines.items()}


def _curve(line: dict[int, float | None]) -> Curve:
    decided = tuple((n, seconds) for n, seconds in sorted(line.items()) if seconds is not None)
    return Curve(decided, tuple(n for n, seconds in sorted(line.items()) if seconds is None))
