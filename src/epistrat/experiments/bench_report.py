"""What a suite measured: JSON lines for programs, a table for people, a picture of how it grows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from epistrat.experiments.bench import Row
from epistrat.experiments.chart import draw
from epistrat.experiments.suite import Suite


def write(folder: Path, suite: Suite, rows: Sequence[Row], about: Mapping[str, str]) -> list[Path]:
    """The suite's results in a folder; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    data, table, picture = (folder / f"{suite.name}.{ending}" for ending in ("jsonl", "md", "svg"))
    lines = [json.dumps({"suite": suite.name, **about}), *(json.dumps(_record(row)) for row in rows)]
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    table.write_text("\n".join(_pages(suite, rows, about)) + "\n", encoding="utf-8")
    curves = _curves(rows)
    if curves:
        draw(picture, f"epistrat, suite {suite.name}: CPU seconds", curves)
    return [data, table] + ([picture] if curves else [])


def _record(row: Row) -> dict[str, object]:
    task = row.case.task
    return {
        "table": row.case.table,
        "case": task.name,
        "parameters": dict(task.parameters),
        "verdicts": row.verdicts,
        "problem": row.problem,
        "cpu": row.cpu,
        "spread": round(row.spread, 2),
        "peak_mb": row.peak_mb,
        "states": row.states,
        "published": dict(row.case.published),
        "runs": [asdict(run) for run in row.runs],
        "beside": {name: asdict(run) for name, run in row.beside},
    }


def _pages(suite: Suite, rows: Sequence[Row], about: Mapping[str, str]) -> Iterator[str]:
    yield f"# {suite.name}\n\n{suite.summary}\n"
    yield from (f"- {title}: {words}" for title, words in about.items())
    yield "\nThe whole command, from text to verdict: the median of CPU seconds, child processes included. Published figures are from the"
    yield "papers' own machines; ratios are measured here, in the same run."
    for title in dict.fromkeys(row.case.table for row in rows):
        yield from _table(title, [row for row in rows if row.case.table == title])


def _table(title: str, rows: Sequence[Row]) -> Iterator[str]:
    sources = list(dict.fromkeys(source for row in rows for source, _ in row.case.published))
    peers = list(dict.fromkeys(name for row in rows for name, _ in row.beside))
    heads = ["case", "CPU s", "spread", "peak MB", "states", "verdicts"]
    heads += [f"published: {source}" for source in sources] + [
        head for name in peers for head in (f"{name} s", "ratio")
    ]
    yield f"\n## {title}\n"
    yield "| " + " | ".join([*heads, "remarks"]) + " |"
    yield "|---" + "|--:" * (len(heads) - 1) + "|---|"
    for row in rows:
        published = dict(row.case.published)
        cells = [row.case.task.name, f"{row.cpu:.2f}", f"{row.spread:.2f}", f"{row.peak_mb:.0f}", _states(row.states)]
        cells += [_verdicts(row.verdicts), *(published.get(source, "") for source in sources)]
        for name in peers:
            run, ratio = dict(row.beside).get(name), row.ratio(name)
            cells += ["" if run is None else f"{run.cpu:.2f}", "" if ratio is None else f"{ratio:.1f}"]
        yield "| " + " | ".join([*cells, row.problem]) + " |"


def _states(states: str | None) -> str:
    return "" if states is None else states if len(states) < 10 else f"{states[0]}.{states[1]}e{len(states) - 1}"


def _verdicts(verdicts: Sequence[str]) -> str:
    return (
        ", ".join(f"{verdicts.count(word)} {word}" for word in dict.fromkeys(verdicts))
        if len(verdicts) > 2
        else ", ".join(verdicts)
    )


def _curves(rows: Sequence[Row]) -> dict[str, list[tuple[int, float]]]:
    lines: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        if row.decided and row.case.size.isdigit() and int(row.case.size) > 0:
            lines.setdefault(row.case.table, []).append((int(row.case.size), max(row.cpu, 0.001)))
    return {name: sorted(points) for name, points in lines.items() if len(points) > 1}
