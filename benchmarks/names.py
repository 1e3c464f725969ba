"""Strategies with names on the example files of MCMAS-SL[1G] and MCMAS-SLK, on GDL-II games, and on games of EVE.

    python -m benchmarks.names FOLDER[=PROGRAM]... [--limit 120] [--write]

Every ``.ispl``, ``.slk`` and ``.rml`` file below the folders is checked as it is by the whole command.  Its verdicts stand
beside those of the output that was recorded with it (``FILE.out``), or, where there is none and a program is given for the
folder, of a run of that program here.  Schedulers of our own, in the syntax of families, come last.  Times are CPU seconds;
recorded ones are what the output says, and for EVE's games what its paper says.  With ``--write`` the table goes to ``results/names.md``,
with a picture of the families that grow: ours beside the figures of others.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import EPISTRAT, execute

from epistrat.experiments.chart import Curve, Shape, shapes
from epistrat.experiments.formats import write_svg
from epistrat.experiments.machine import machine

RESULTS = Path(__file__).parent / "results"
SCHEDULER = """
Semantics = SingleAssignment;
Parameters n = 3 in 1..; end Parameters
Agent Environment
  Obsvars: w[i in 1..n]: boolean; end Obsvars
  Actions = { serve[i in 1..n], none };
  Protocol:
    for i in 1..n: w[i] = true: { serve[i] };
    Other: { none };
  end Protocol
  Evolution:
    for i in 1..n: w[i] = true if P[i].Action = rq;
    for i in 1..n: w[i] = false if P[i].Action = rn or Action = serve[i];
  end Evolution
end Agent
Agent P[i in 1..n]
  Vars: state: {in, wt, rs}; end Vars
  Actions = { id, rq, rn, rl };
  Protocol:
    state = in: { id, rq };
    state = wt: { id, rn };
    state = rs: { id, rl };
  end Protocol
  Evolution:
    state = wt if state = in and Action = rq;
    state = in if state = wt and Action = rn;
    state = rs if state = wt and !(Action = rn) and Environment.Action = serve[i];
    state = in if state = rs and (Action = rl or !(Environment.Action = none));
  end Evolution
end Agent
Evaluation wt[i in 1..n] if P[i].state = wt; rs[i in 1..n] if P[i].state = rs; end Evaluation
InitStates forall i in 1..n: (Environment.w[i] = false and P[i].state = in); end InitStates
Formulae
  TAG <<x>> [[y[i in 1..n]]] (Environment, x) (P[i in 1..n], y[i]) (forall i in 1..n: G (wt[i] -> F !wt[i]));
  TAG <<x>> [[y[i in 1..n]]] (Environment, x) (P[i in 1..n], y[i]) (forall i in 1..n: G (wt[i] -> F rs[i]));
end Formulae
"""
"""Waiting ends for everybody, as one who is never served may give up; but nobody need be served who gives up."""
GENERATED = (("#PR", 3), ("#PR", 6), ("#PR", 12), ("#Ir", 2), ("#Ir", 3))
PUBLISHED = {
    "gossip_protocol": (0.02, 0.09, 0.42, 2.30, 16.63, 203.05, 4697.49),
    "gossip_protocol_enash": (0.24, 0.43, 3.51, 35.80, 633.68),
    "gossip_protocol_anash": (0.08, 0.26, 1.41, 25.77, 336.42),
    "gifford": (0.04, 0.11, 0.34, 1.43, 5.87, 32.84, 166.60),
    "gifford_enash": (0.11, 1.53, 1.73, 2.66, 13.69, 76.50, 485.99),
    "gifford_anash": (0.10, 0.22, 0.68, 2.91, 16.03, 102.12, 746.55),
}
"""EVE's seconds for 2, 3, ... players, by the names of its files (tables 1 and 2 of its paper of 2020); later ones ran out of time."""
GROWING = {
    "gossip": ("gossip_protocol", "gossip_protocol_enash", "gossip_protocol_anash"),
    "replica control": ("gifford", "gifford_enash", "gifford_anash"),
    "names": ("scheduler/scheduler{}_sl1gas_opt", "dining_cryptographers{}"),
}
"""Pictures: the files that are its curves, with ``{}`` or the end for the size."""
_VERDICT = re.compile(r"ormula (?:number )?\d+:.*?, is (TRUE|FALSE) in the model", re.DOTALL)
_SECONDS = re.compile(r"execution time = ([\d.]+)")
_LETTER = {"holds": "T", "fails": "F", "unknown": "?", "TRUE": "T", "FALSE": "F"}


@dataclass(frozen=True)
class Recorded:
    """What another program said, in what time; ``here`` says that it ran on this machine."""

    verdicts: str
    seconds: float | None
    here: bool = False

    @property
    def took(self) -> str:
        """The time in words."""
        return "" if self.seconds is None else f"{self.seconds:,.2f}{' (here)' if self.here else ''}"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if a verdict differs from a recorded one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.names", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", metavar="FOLDER[=PROGRAM]")
    parser.add_argument("--limit", type=float, default=120, help="seconds for each file (default: 120)")
    parser.add_argument("--write", action="store_true", help="write results/names.md")
    options = parser.parse_args(arguments)
    about = (__doc__ or "").strip().splitlines()
    lines = ["# Strategies with names", "", *about, "", *(f"- {key}: {value}" for key, value in machine().items()), ""]
    lines += ["| model | recorded | ours | recorded, s | ours, s | states | |", "|---|---|---|--:|--:|--:|---|"]
    differing = 0
    for line, differs in rows(options.folders, options.limit):
        print(line, flush=True)
        lines.append(line)
        differing += differs
    if options.write:
        for name, picture in pictures(lines):
            write_svg(RESULTS / f"names_{name}.svg", picture)
            lines += ["", f"![{name.replace('_', ' ')}](names_{name}.svg)"]
        (RESULTS / "names.md").write_text("\n".join([*lines, ""]), encoding="utf-8")
    print(f"{differing} files with verdicts that differ")
    return 1 if differing else 0


def rows(folders: Sequence[str], limit: float) -> Iterator[tuple[str, bool]]:
    """A line of the table for each model, and whether verdicts differ."""
    for given in folders:
        name, _, program = given.partition("=")
        folder = Path(name)
        for file in sorted(one for one in folder.rglob("*") if one.suffix in (".ispl", ".slk", ".rml")):
            recorded = _recorded(file, limit, program) or _published(file)
            yield _row(str(file.relative_to(folder)), file, recorded, limit)
    with TemporaryDirectory() as place:
        for tag, size in GENERATED:
            file = Path(place) / "scheduler.ispl"
            file.write_text(SCHEDULER.replace("TAG", tag).replace("n = 3", f"n = {size}"), encoding="utf-8")
            yield _row(f"scheduler {size} {tag}", file, None, limit)


def _row(name: str, file: Path, recorded: Recorded | None, limit: float) -> tuple[str, bool]:
    run = execute([*EPISTRAT, "--time", f"{limit:g}", str(file)], limit + 20)
    ours = "".join(map(_LETTER.__getitem__, run.verdicts)) or "not read"
    differs = recorded is not None and any(
        one != other for one, other in zip(recorded.verdicts, ours, strict=False) if other != "?"
    )
    verdicts, took = ("", "") if recorded is None else (recorded.verdicts, recorded.took)
    remark = "differs" if differs else ""
    return f"| {name} | {verdicts} | {ours} | {took} | {run.cpu:.2f} | {run.states or ''} | {remark} |", differs


def _recorded(file: Path, limit: float, program: str) -> Recorded | None:
    output = file.with_suffix(".out")
    if output.exists():
        return _read(output.read_text(encoding="utf-8", errors="replace"))
    if not program:
        return None
    run = execute([program, str(file)], limit)
    found = _read(run.output)
    return Recorded(found.verdicts, run.cpu if run.finished else None, here=True)


def _published(file: Path) -> Recorded | None:
    """What EVE's paper says of one of its games: the seconds."""
    told = re.fullmatch(r"(.*?)(\d+)", file.stem)
    seconds = PUBLISHED.get(told[1], ()) if told else ()
    size = int(told[2]) - 2 if told else 0
    return Recorded("", seconds[size]) if 0 <= size < len(seconds) else None


def pictures(lines: Sequence[str]) -> Iterator[tuple[str, Iterator[Shape]]]:
    """For each group of families that grow a picture: ours, and the figures of others."""
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| ")]
    rows = {row[0].rsplit(".", 1)[0]: row for row in cells}
    for title, families in GROWING.items():
        curves: dict[str, Curve] = {}
        for family in families:
            pattern = re.compile(re.escape(family).replace(r"\{\}", r"(\d+)") if "{}" in family else rf"{family}(\d+)")
            found = sorted((int(told[1]), row) for name, row in rows.items() if (told := pattern.fullmatch(name)))
            label = family.replace("{}", "").split("/")[-1].strip("_")
            for whose, column in (("ours", 4), ("published", 3)):
                timed = [(size, re.match(r"[\d.]+", row[column].replace(",", ""))) for size, row in found]
                points = tuple((size, max(float(seconds[0]), 0.01)) for size, seconds in timed if seconds)
                curves[f"{label}, {whose}"] = Curve(points)
        drawn = {name: curve for name, curve in curves.items() if curve.points}
        if drawn:
            yield title.replace(" ", "_"), shapes(f"{title}: CPU seconds", drawn)


def _read(output: str) -> Recorded:
    seconds = _SECONDS.search(output)
    verdicts = "".join(_LETTER[one] for one in _VERDICT.findall(output))
    return Recorded(verdicts, float(seconds[1]) if seconds else None)


if __name__ == "__main__":
    sys.exit(main())
