"""What a suite measured, as data (one JSON object per line) and as a table for people."""

from __future__ import annotations

import itertools
import json
import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measure import Run
from benchmarks.suite import Case, Suite

from epistrat.experiments.machine import machine

__all__ = ["Row", "bdd_variables", "growth", "machine", "medians", "misses", "write_lines", "write_table"]


@dataclass(frozen=True)
class Row:
    """A case, the run of the default command, and the run of the plain variant beside it."""

    case: Case
    run: Run
    plain: Run | None = None

    @property
    def ratio(self) -> float | None:
        """How many times slower the plain variant is; a lower bound if it did not finish."""
        if self.plain is None or not self.run.decided:
            return None
        return self.plain.cpu / self.run.cpu

    @property
    def problem(self) -> str:
        """What is wrong with the answers: empty if they are as expected and both variants agree."""
        if not self.run.decided:
            return _unfinished(self.run)
        for index, (said, meant) in enumerate(zip(self.run.verdicts, self.case.expected(), strict=True), start=1):
            if meant is not None and said != meant:
                return f"WRONG: formula {index} {said}"
        known = self.case.states()
        if known is not None and self.run.states is not None and self.run.states != known:
            return f"WRONG: {self.run.states} states, not {known}"
        if self.plain is not None and self.plain.decided and self.plain.verdicts != self.run.verdicts:
            return "WRONG: the plain variant disagrees"
        return ""

    @property
    def missed(self) -> bool:
        """Whether a figure was set and not reached."""
        return self.case.figure is not None and (not self.run.decided or self.run.cpu > self.case.figure)

    def record(self) -> dict[str, Any]:
        """The row as plain data."""
        return {
            "case": self.case.name,
            "family": self.case.family,
            "n": self.case.n,
            "spec": self.case.spec,
            "figure": self.case.figure,
            "problem": self.problem,
            "run": _run(self.run),
            "plain": _run(self.plain) if self.plain else None,
            "ratio": self.ratio,
        }


def _unfinished(run: Run) -> str:
    if not run.finished:
        return "time is up (killed)"
    if "unknown" in run.verdicts:
        results = run.report["results"] if run.report else []
        return next((str(result["reason"]) for result in results if result["verdict"] == "unknown"), "unknown")
    return f"exit {run.status}: {run.complaint[-200:]}"


def _run(run: Run) -> dict[str, Any]:
    return {
        "cpu": round(run.cpu, 3),
        "wall": round(run.wall, 3),
        "peak_mb": round(run.peak_mb, 1),
        "status": run.status,
        "decided": run.decided,
        "verdicts": run.verdicts,
        "states": run.states,
        "bdd_variables": bdd_variables(run),
    }


def bdd_variables(run: Run) -> int | None:
    """The number of BDD variables that the symbolic engine reports."""
    found = run.statistic("bdd variables", "BDD variables", "bdd_variables", "variables")
    return found if isinstance(found, int) else None


def _seeds(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows with figures, those that differ in their seed only put together."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if row.case.figure is not None:
            groups.setdefault(row.case.name.replace(f" seed {row.case.seed}", ""), []).append(row)
    return groups


def medians(rows: Iterable[Row]) -> dict[str, tuple[float, float]]:
    """For random models with several seeds: the median of the CPU seconds, and the figure it is held to.

    A run without an answer counts as infinitely long.
    """
    return {
        name: (
            statistics.median(row.run.cpu if row.run.decided else math.inf for row in group),
            group[0].case.figure or math.inf,
        )
        for name, group in _seeds(rows).items()
        if len(group) > 1
    }


def misses(rows: Sequence[Row]) -> list[str]:
    """The cases that missed their figure; of random models with several seeds the median counts."""
    single = [name for name, group in _seeds(rows).items() if len(group) == 1 and group[0].missed]
    return single + [name for name, (seconds, figure) in medians(rows).items() if seconds > figure]


def growth(rows: Iterable[Row], startup: float) -> dict[str, list[tuple[int, int, float]]]:
    """For every curve the exponent between neighbouring sizes: log(time ratio) / log(size ratio), start-up taken off.

    Pairs of which one is within start-up noise say nothing and are left out.
    """
    curves: dict[str, list[Row]] = {}
    for row in rows:
        if row.run.decided:
            curves.setdefault(row.case.curve, []).append(row)
    found: dict[str, list[tuple[int, int, float]]] = {}
    for name, points in curves.items():
        points.sort(key=lambda row: row.case.n)
        for one, two in itertools.pairwise(points):
            small, large = one.run.cpu - startup, two.run.cpu - startup
            if min(small, large) > startup / 4 and two.case.n > one.case.n:
                exponent = math.log(large / small) / math.log(two.case.n / one.case.n)
                found.setdefault(name, []).append((one.case.n, two.case.n, exponent))
    return found


def write_lines(path: Path, suite: Suite, rows: Sequence[Row], about: Mapping[str, str], startup: float) -> None:
    """The measurements as JSON lines: first where they come from, then one row each."""
    head = {"suite": suite.name, "startup_cpu": round(startup, 3), **about}
    path.write_text(
        "".join(json.dumps(record) + "\n" for record in (head, *(row.record() for row in rows))), encoding="utf-8"
    )


def write_table(path: Path, suite: Suite, rows: Sequence[Row], about: Mapping[str, str], startup: float) -> None:
    """The measurements as Markdown."""
    path.write_text("\n".join(_table(suite, rows, about, startup)) + "\n", encoding="utf-8")


def _table(suite: Suite, rows: Sequence[Row], about: Mapping[str, str], startup: float) -> Iterator[str]:
    yield f"# Benchmarks: {suite.name}\n\n{suite.summary}\n"
    yield from (f"- {title}: {about[title]}" for title in ("date", "machine", "versions"))
    yield f"- start-up (a model of one state): {startup:.2f} s CPU\n"
    yield "Whole command, text to verdict. CPU and memory include child processes. *plain* is MCMAS's algorithm in the same engine"
    yield "(`--reach mcmas --order 2 --reorder`), run right after; *ratio* is plain CPU over default CPU, a lower bound (>) where plain"
    yield "ran into its limit. A figure in bold is missed.\n"
    yield "| model | n | questions | CPU s | figure | wall s | peak MB | BDD variables | states | plain CPU s | ratio | remarks |"
    yield "|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|---|"
    yield from map(_line, rows)
    middle = medians(rows)
    if middle:
        yield "\n## Random models\n\nSeeds vary widely; the figure is for the median.\n"
        yield "| models | median CPU s | figure |\n|---|--:|--:|"
        for name, (seconds, figure) in middle.items():
            yield f"| {name} | {seconds:.2f} | {f'**{figure:g}**' if seconds > figure else f'{figure:g}'} |"
    exponents = growth(rows, startup)
    if exponents:
        yield "\n## Growth\n\nExponent k of time ~ n^k between neighbouring sizes, start-up taken off.\n"
        yield "| curve | exponents |\n|---|---|"
        for name, steps in exponents.items():
            yield f"| {name} | {', '.join(f'{small} to {large}: {k:.1f}' for small, large, k in steps)} |"


def _line(row: Row) -> str:
    case, run, plain = row.case, row.run, row.plain
    figure = "" if case.figure is None else f"**{case.figure:g}**" if row.missed else f"{case.figure:g}"
    disguise = "" if case.scrambled is None else " (scrambled)"
    seed = f" (seed {case.seed})" if case.family == "sparse" else ""
    beside, ratio = "", ""
    if plain is not None:
        beside = f"{plain.cpu:.2f}" if plain.decided else f"> {plain.cpu:.0f}"
        ratio = "" if row.ratio is None else f"{'' if plain.decided else '> '}{row.ratio:.1f}"
    cells = [
        case.family + disguise + seed,
        case.n,
        case.spec,
        f"{run.cpu:.2f}",
        figure,
        f"{run.wall:.2f}",
        f"{run.peak_mb:.0f}",
        bdd_variables(run) or "",
        _states(run.states),
        beside,
        ratio,
        row.problem,
    ]
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _states(states: int | None) -> str:
    if states is None:
        return ""
    if states < 10**7:
        return str(states)
    exponent = len(str(states)) - 1
    return f"{states // 10 ** (exponent - 1) / 10:.1f}e{exponent}"
