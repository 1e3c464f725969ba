"""Measurements of the lazy engine: one point is one command on one model of a family."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.families import questions, text

RESULTS = Path(__file__).parent / "results"
LOG = RESULTS / "lazy.jsonl"
WALL = 10  # times the limit: wall time after which a command ends


@dataclass(frozen=True)
class Point:
    """A question of a family of some size, the observers' memory, the engine and its options."""

    family: str
    spec: str
    n: int
    recall: int = 0
    options: tuple[str, ...] = ()
    engine: str = "lazy"


@dataclass(frozen=True)
class Measured:
    """CPU seconds of the command and its children, how many formulae were decided of how many, and how many of them wrongly."""

    cpu: float
    decided: int
    asked: int
    wrong: int

    def __str__(self) -> str:
        part = "" if self.complete else f" ({self.decided}/{self.asked})"
        return f"{self.cpu:.1f}{part}{' WRONG' if self.wrong else ''}"

    @property
    def complete(self) -> bool:
        """Whether every formula was decided."""
        return self.decided == self.asked


Log = dict[Point, Measured]


def measure(point: Point, limit: float) -> Measured:
    """Run the command, each process of which may use so many CPU seconds: wall time says little on a machine with other work."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.ispl"
        file.write_text(text(point.family, point.n, point.spec), encoding="utf-8")
        command = [str(Path(sys.executable).with_name("epistrat")), "check", str(file), "--engine", point.engine]
        command += ["--time", str(WALL * limit), "--json", *point.options]
        command += ["--recall", str(point.recall)] if point.recall else []
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            ["sh", "-c", f'ulimit -S -t {limit:.0f}; exec "$@"', "sh", *command],
            capture_output=True,
            text=True,
            env=os.environ,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    right = ["holds" if one.holds else "fails" for one in questions(point.family, point.n, point.spec)]
    results = sorted(json.loads(done.stdout)["results"], key=lambda one: one["index"])
    said = [one["verdict"] for one in results]
    decided = [(one, wanted) for one, wanted in zip(said, right, strict=True) if one != "unknown"]
    return Measured(round(seconds, 2), len(decided), len(right), sum(one != wanted for one, wanted in decided))


def read() -> Log:
    """What was measured before."""
    if not LOG.exists():
        return {}
    found: Log = {}
    for line in LOG.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        point = {**row["point"], "options": tuple(row["point"]["options"])}
        found[Point(**point)] = Measured(**row["measured"])
    return found


def measure_curves(log: Log, curves: Iterable[tuple[Point, ...]], limit: float) -> None:
    """Measure what is missing; a curve ends with its first point that is not decided."""
    for curve in curves:
        for point in curve:
            if point not in log:
                log[point] = measure(point, limit)
                print(point, log[point], flush=True)
                write(log)
            if not log[point].complete:
                break


def write(log: Log) -> None:
    """Keep the measurements."""
    rows = [json.dumps({"point": asdict(point), "measured": asdict(found)}) for point, found in log.items()]
    LOG.write_text("\n".join(rows) + "\n", encoding="utf-8")
