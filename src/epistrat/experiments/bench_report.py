"""What a suite measured: JSON lines for programs, a table for people, a picture of how it grows."""

from __future__ import annotations

import json
import math
import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

from epistrat.experiments.bench import Row, by_size, misses
from epistrat.experiments.chart import Curve, shapes
from epistrat.experiments.formats import write_svg
from epistrat.experiments.suite import Suite
from epistrat.experiments.tables import tally
from epistrat.experiments.task import Measured


def write(
    folder: Path, suite: Suite, rows: Sequence[Row], about: Mapping[str, str], startup: float = 0.0
) -> list[Path]:
    """The suite's results in a folder; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    data, table, picture = (folder / f"{suite.name}.{ending}" for ending in ("jsonl", "md", "svg"))
    head = {"suite": suite.name, "startup_cpu": startup, **about}
    lines = [json.dumps(head), *(json.dumps(_record(row)) for row in rows)]
    fresh = data.with_suffix(".part")  # an interrupted run leaves whole files
    fresh.write_text("\n".join(lines) + "\n", encoding="utf-8")
    fresh.replace(data)
    table.write_text("\n".join(_pages(suite, rows, about, startup)) + "\n", encoding="utf-8")
    curves = _curves(rows)
    if curves:
        write_svg(picture, shapes(f"epistrat, suite {suite.name}: CPU seconds", curves, limit=_limit(rows)))
    return [data, table] + ([picture] if curves else [])


def read(folder: Path, suite: Suite) -> dict[str, Row]:
    """The rows that a folder holds for cases of the suite as it is now, by the name of the case."""
    cases = {case.name: case for case in suite.cases}
    found = {}
    for name, record in _records(folder / f"{suite.name}.jsonl").items():
        case = cases.get(name)
        if case is not None:
            runs = tuple(Measured.of_data(one) for one in record["runs"])
            beside = tuple((name, Measured.of_data(one)) for name, one in record["beside"].items())
            found[case.name] = Row(case, runs, beside)
    return found


def seconds(path: Path) -> dict[str, float]:
    """The CPU seconds that a file of results holds, by the names of the cases; those without an answer are left out."""
    return {name: record["cpu"] for name, record in _records(path).items() if not record["problem"]}


def _records(path: Path) -> dict[str, dict[str, Any]]:
    """The lines of a file of results, by the names of the cases; lines of an older format are left out."""
    lines = path.read_text(encoding="utf-8").splitlines()[1:] if path.is_file() else []
    return {f"{one['table']}: {one['case']}": one for one in map(json.loads, lines) if "runs" in one}


def _record(row: Row) -> dict[str, object]:
    task = row.case.task
    return {
        "table": row.case.table,
        "case": row.case.title,
        "parameters": dict(task.parameters),
        "verdicts": row.verdicts,
        "problem": row.problem,
        "cpu": row.cpu,
        "figure": row.case.figure,
        "spread": round(row.spread, 2),
        "peak_mb": row.peak_mb,
        "states": row.states,
        "published": dict(row.case.published),
        "runs": [asdict(run) for run in row.runs],
        "beside": {name: asdict(run) for name, run in row.beside},
    }


def _pages(suite: Suite, rows: Sequence[Row], about: Mapping[str, str], startup: float) -> Iterator[str]:
    yield f"# {suite.name}\n\n{suite.summary}\n"
    yield from (f"- {title}: {words}" for title, words in about.items())
    yield f"- start-up (a model of one state): {startup:.2f} s CPU"
    yield from (f"- {name}: `epistrat check {' '.join(options)}`" for name, options in suite.variants)
    yield "\nThe whole command, from text to verdict: the median of CPU seconds, child processes included. Published figures are from the"
    yield "papers' own machines; ratios are measured here, in the same run, and are lower bounds (>) where the other did not finish."
    if any(row.case.figure is not None for row in rows):
        yield "A figure is the number of CPU seconds to reach; in bold it is missed."
    for title in dict.fromkeys(row.case.table for row in rows):
        yield from _table(title, [row for row in rows if row.case.table == title])
    exponents = list(_growth(rows, startup))
    if exponents:
        yield "\n## Growth\n\nExponent k of time ~ n^k between neighbouring sizes, start-up taken off.\n"
        yield "| table | exponents |\n|---|---|"
        yield from exponents


def _table(title: str, rows: Sequence[Row]) -> Iterator[str]:
    sources = list(dict.fromkeys(source for row in rows for source, _ in row.case.published))
    others = list(dict.fromkeys(name for row in rows for name, _ in row.beside))
    aims = any(row.case.figure is not None for row in rows)
    heads = ["case", "CPU s", *(["figure"] if aims else []), "spread", "peak MB", "states", "verdicts"]
    rate = any(source == "ms/state" for source in sources)
    heads += (["ms/state"] if rate else []) + [f"published: {source}" for source in sources]
    heads += [head for name in others for head in (f"{name} s", "ratio")]
    missed = misses(rows)
    yield f"\n## {title}\n"
    yield "| " + " | ".join([*heads, "remarks"]) + " |"
    yield "|---" + "|--:" * (len(heads) - 1) + "|---|"
    for row in rows:
        published = dict(row.case.published)
        cells = [row.case.title, f"{row.cpu:.2f}", *([_figure(row, missed)] if aims else [])]
        cells += [f"{row.spread:.2f}", f"{row.peak_mb:.0f}", _states(row.states), _verdicts(row.verdicts)]
        cells += [f"{1000 * row.cpu / int(row.states):.2g}" if row.states else ""] if rate else []
        cells += [published.get(source, "") for source in sources]
        for name in others:
            cells += _beside(row, name)
        yield "| " + " | ".join([*cells, row.problem]) + " |"
    for (_, size), group in by_size(rows).items():
        if len(group) > 1 and len({_without_seed(row) for row in group}) == 1:
            median = statistics.median(row.cpu if row.decided else math.inf for row in group)
            yield f"\nSize {size}, median of {len(group)} cases: {median:.2f} s."


def _without_seed(row: Row) -> str:
    """The case in a few words, but for the seed."""
    return re.sub(r" seed=\S+", "", row.case.title)


def _figure(row: Row, missed: Sequence[str]) -> str:
    if row.case.figure is None:
        return ""
    return f"**{row.case.figure:g}**" if f"{row.case.table}, {row.case.size}" in missed else f"{row.case.figure:g}"


def _beside(row: Row, name: str) -> list[str]:
    run, ratio = dict(row.beside).get(name), row.ratio(name)
    if run is None:
        return ["", ""]
    bound = "" if run.decided else "> "
    return [f"{bound}{run.cpu:.2f}", "" if ratio is None else f"{bound}{ratio:.1f}"]


def _states(states: str | None) -> str:
    return "" if states is None else states if len(states) < 10 else f"{states[0]}.{states[1]}e{len(states) - 1}"


def _verdicts(verdicts: Sequence[str]) -> str:
    return tally(verdicts) if len(verdicts) > 2 else ", ".join(verdicts)


def _curves(rows: Sequence[Row]) -> dict[str, Curve]:
    """Median CPU seconds over size, a curve for each table and, in it, for each choice of formulae, options and other parameters."""
    details: dict[str, set[str]] = {}
    for row in rows:
        details.setdefault(row.case.table, set()).add(_detail(row))
    times: dict[str, dict[int, list[float]]] = {}
    undecided: dict[str, set[int]] = {}
    for row in rows:
        if not row.case.size.isdigit() or int(row.case.size) <= 0:
            continue
        name = row.case.table
        if len(details[name]) > 1:
            name = f"{name}: {_detail(row)}".strip(": ")
        sizes = times.setdefault(name, {})
        if row.decided:
            sizes.setdefault(int(row.case.size), []).append(max(row.cpu, 0.001))
        else:
            undecided.setdefault(name, set()).add(int(row.case.size))
    return {
        name: Curve(
            tuple(sorted((size, statistics.median(cpu)) for size, cpu in sizes.items())),
            tuple(sorted(undecided.get(name, ()))),
        )
        for name, sizes in times.items()
        if len(sizes) > 1
    }


def _limit(rows: Sequence[Row]) -> float | None:
    """The limit that all cases without an answer had; None where there is none, or it was not the same."""
    limits = {row.case.task.seconds for row in rows if not row.decided}
    return limits.pop() if len(limits) == 1 else None


def _detail(row: Row) -> str:
    """What a case asks besides its size: formulae, options and other parameters, but for the seed."""
    task = row.case.task
    others = [f"{name}={value}" for name, value in task.parameters[1:] if name != "seed"]
    return " ".join([task.only, *others, *task.options]).strip()


def _growth(rows: Sequence[Row], startup: float) -> Iterator[str]:
    """Lines of exponents; pairs of which one is within the noise of start-up say nothing and are left out."""
    for name, curve in _curves(rows).items():
        steps = []
        for (small, before), (large, after) in pairwise(curve.points):
            if large > small and min(before, after) - startup > max(startup, 0.1) / 4:
                exponent = math.log((after - startup) / (before - startup)) / math.log(large / small)
                steps.append(f"{small} to {large}: {exponent:.1f}")
        if steps:
            yield f"| {name} | {', '.join(steps)} |"
