"""Growth of full and reduced state spaces, whole command: ``python -m benchmarks.interleaved [--largest N] [--only FAMILY]``.

Each case is one formula on one model, checked by ``epistrat check --engine explicit`` in a process of its own.  Prints a table
and writes it, with the raw figures, to ``benchmarks/results/interleaved.md`` and ``.jsonl``.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.interleaved import (
    dining_cryptographers,
    leader_election,
    mutual_exclusion,
    train_gate_controller,
    write_once_caches,
)

from benchmarks import measure
from epistrat.logic.formula import Exists, Finally, Formula, Globally, Not, Prop
from epistrat.model.show import to_ispl
from epistrat.model.system import System

RESULTS = Path(__file__).parent.parent / "results"
COMMAND = (*measure.EPISTRAT, "--engine", "explicit")


@dataclass(frozen=True)
class Case:
    """One formula on one model, with or without reduction."""

    family: str
    n: int
    formula: str
    reduce: str
    figure: float | None = None
    megabytes: float | None = None


@dataclass(frozen=True)
class Row:
    """What a case took."""

    case: Case
    verdict: str
    states: int
    cpu: float
    peak_mb: float
    seconds: float

    @property
    def rate(self) -> float:
        """States per CPU second of the whole command."""
        return self.states / self.cpu

    @property
    def missed(self) -> bool:
        """Whether a figure was set and not reached."""
        slow = self.case.figure is not None and self.cpu > self.case.figure
        return slow or (self.case.megabytes is not None and self.peak_mb > self.case.megabytes)


def cases(largest: int) -> Iterator[Case]:
    """All cases, the small ones of a family first."""
    for n in range(3, largest + 1):
        for family in ("dc", "dc-all") if n <= 7 else ("dc",):
            yield Case(family, n, "2", "auto", *((5, 512) if n == 8 else (None, None)))
            yield Case(family, n, "5", "auto")
            if family == "dc":
                yield Case(family, n, "2", "off", *((30, 1536) if n == 8 else (None, None)))
                yield Case(family, n, "EF EG", "off", *((60, 3584) if n == 8 else (None, None)))
    for n in (10, 20, 50, 100):
        yield Case("tgc", n, "1", "auto", 2 if n == 100 else None)
        yield Case("tgc", n, "4", "auto")
    for n in (2, 3, 4, 5):
        yield Case("woc", n, "3", "auto")
        yield Case("woc", n, "3", "off")
    for n in (4, 6, 8):
        for reduce in ("auto", "off"):
            yield Case("election", n, "winner", reduce)
            yield Case("lock", n, "alone", reduce)


def model(case: Case) -> tuple[System, tuple[Formula, ...]]:
    """The system of a case, and the formulae asked."""
    match case.family:
        case "dc" | "dc-all":
            system = dining_cryptographers(case.n, case.family == "dc-all")
            if case.formula == "EF EG":
                return system, (Exists(Finally(Prop("odd"))), Exists(Globally(Not(Prop("odd")))))
            return system, (system.formulae[case.formula == "5"],)
        case "tgc":
            system = train_gate_controller(case.n)
            return system, (system.formulae[case.formula == "4"],)
        case "woc":
            system = write_once_caches(case.n)
            return system, (system.formulae[0],)
        case "election":
            system = leader_election(case.n)
            return system, (system.formulae[2],)
        case _:
            system = mutual_exclusion(case.n)
            return system, (system.formulae[1],)


def run(case: Case, limit: float) -> Row:
    """Check one case."""
    system, formulae = model(case)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.ispl"
        path.write_text(to_ispl(replace(system, formulae=formulae)), encoding="utf-8")
        found = measure.check(path, limit, ("--reduce", case.reduce), COMMAND)
    if found.report is None:
        return Row(case, found.complaint or "no answer", 0, found.cpu, found.peak_mb, 0.0)
    results = found.report["results"]
    verdict = " ".join(str(one["verdict"]) for one in results)
    states = max(int(one["statistics"].get("states", 0)) for one in results)
    return Row(case, verdict, states, found.cpu, found.peak_mb, sum(float(one["seconds"]) for one in results))


def line(row: Row) -> str:
    """The row as a line of the table."""
    case = row.case
    figure = "" if case.figure is None else f"{case.figure:g} s" + (" MISSED" if row.missed else "")
    return (
        f"| {case.family} | {case.n} | {case.formula} | {case.reduce} | {row.verdict} | {row.states} "
        f"| {row.cpu:.2f} | {row.peak_mb:.0f} | {row.rate:,.0f} | {figure} |"
    )


HEAD = (
    "| family | n | formula | reduce | verdict | states | CPU s | peak MB | states/CPU s | figure |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


def main() -> int:
    """Run the cases that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=8, help="cryptographers at most")
    parser.add_argument("--only", help="one family")
    parser.add_argument("--limit", type=float, default=300, help="seconds per case")
    parser.add_argument("--dry", action="store_true", help="write no files")
    asked = parser.parse_args()
    print(HEAD)
    rows: list[Row] = []
    for case in cases(asked.largest):
        if asked.only is None or asked.only == case.family:
            rows.append(run(case, asked.limit))
            print(line(rows[-1]), flush=True)
    if not asked.dry:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "interleaved.md").write_text("\n".join([HEAD, *map(line, rows)]) + "\n", encoding="utf-8")
        data = [json.dumps(asdict(row) | {"rate": round(row.rate)}) for row in rows]
        (RESULTS / "interleaved.jsonl").write_text("\n".join(data) + "\n", encoding="utf-8")
    return int(any(row.missed for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
