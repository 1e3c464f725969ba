"""Measures the lazy engine: whole commands, CPU seconds of all processes, with optimisations switched off one at a time.

``python -m benchmarks.lazy`` prints a table in Markdown; ``--ablation`` switches every optimisation off in turn, ``--only NAME`` measures
one family, ``--limit S`` sets the time for one command.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.families import questions, text

from epistrat.engines.lazy.tuning import OPTIMISATIONS


@dataclass(frozen=True)
class Row:
    """A family at some sizes with one spec; ``off`` are the optimisations to measure without, ``figure`` the seconds to reach."""

    family: str
    spec: str
    sizes: tuple[int, ...]
    figure: float
    off: tuple[str, ...] = ()
    recall: int = 0


ROWS = (
    Row("payers", "payer", (40, 200, 400), 6, ("cores", "cone")),
    Row("payers", "anonymity", (40, 200, 400), 6, ("involutions",)),
    Row("payers", "linear", (40, 200, 400), 6, ("rails",)),
    Row("voters", "first", (10, 200), 4, ("projection",)),
    Row("voters", "second", (10, 200), 4, ("projection",)),
    Row("magic", "target", (8, 16, 24), 8, ("frames",)),
    Row("battery", "seven", (1,), 5, ("cores", "projection", "static")),
    Row("battery", "seven", (1,), 12, ("pairs", "layers"), 10),
    Row("battery", "seven", (1,), 30, (), 40),
    Row("battery", "diagnosis", (1,), 5),
)


def measure(row: Row, size: int, extra: list[str], limit: float) -> tuple[float, str]:
    """CPU seconds of the command and its children, and whether the verdicts are right."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.ispl"
        file.write_text(text(row.family, size, row.spec), encoding="utf-8")
        command = [
            str(Path(sys.executable).with_name("epistrat")),
            "check",
            str(file),
            "--engine",
            "lazy",
            "--time",
            str(limit),
        ]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        recall = ["--recall", str(row.recall)] if row.recall else []
        done = subprocess.run([*command, *recall, *extra, "--json"], capture_output=True, text=True, env=os.environ)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = [word for word in ("holds", "fails", "unknown") for _ in range(done.stdout.count(f'"verdict": "{word}"'))]
    wanted = [question.holds for question in questions(row.family, size, row.spec)]
    right = sorted(said) == sorted("holds" if one else "fails" for one in wanted)
    return seconds, "" if right else " unknown" if "unknown" in said else " wrong"


def table(rows: tuple[Row, ...], limit: float) -> Iterator[str]:
    """The lines of the table, one by one."""
    yield "| family, question | n | CPU s | figure | switched off: CPU s |"
    yield "| --- | --- | --- | --- | --- |"
    for row in rows:
        for size in row.sizes:
            seconds, mark = measure(row, size, [], limit)
            off = []
            for name in row.off if size == min(row.sizes) else ():
                without, other = measure(row, size, ["--without", name], limit)
                off.append(f"{name} {without:.1f}{other}")
            recall = f", recall {row.recall}" if row.recall else ""
            goal = f"{row.figure:g}" if size == max(row.sizes) else ""
            yield f"| {row.family}, {row.spec}{recall} | {size} | {seconds:.1f}{mark} | {goal} | {'; '.join(off)} |"


def ablation(rows: tuple[Row, ...], limit: float) -> Iterator[str]:
    """The smallest size of every row with each optimisation switched off in turn, with all of them off, and eagerly."""
    variants = {"all on": [], **{f"no {name}": ["--without", name] for name in OPTIMISATIONS}}
    variants |= {"all off": ["--without", ",".join(OPTIMISATIONS)], "eager": ["--eager"]}
    yield f"| family, question, n | {' | '.join(variants)} |"
    yield f"| --- |{' --- |' * len(variants)}"
    for row in rows:
        size = min(row.sizes)
        found = [measure(row, size, extra, limit) for extra in variants.values()]
        cells = " | ".join(f"{seconds:.1f}{mark}" for seconds, mark in found)
        yield f"| {row.family}, {row.spec}, {size} | {cells} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="the family to measure")
    parser.add_argument("--limit", type=float, default=60, help="seconds for one command")
    parser.add_argument(
        "--ablation", action="store_true", help="switch every optimisation off in turn, for the smallest size"
    )
    arguments = parser.parse_args()
    rows = tuple(row for row in ROWS if arguments.only in (None, row.family))
    lines = ablation if arguments.ablation else table
    for line in lines(tuple(row for row in rows if not (arguments.ablation and row.recall)), arguments.limit):
        print(line, flush=True)


if __name__ == "__main__":
    main()
