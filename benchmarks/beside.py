"""Another version of epistrat beside this one: ``python -m benchmarks.beside OTHER/.venv/bin/epistrat [--suite papers] [--only TEXT]``.

For each case of a suite both versions check the same text, one right after the other, on one core; compared is the CPU time of all their
processes, the least of so many runs.  Verdicts must be equal.  A row is *slower* where this version takes more than a tenth and more than
a twentieth of a second longer; such a row is measured again, since other programs on the machine make a run longer, never shorter.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import EPISTRAT, Run, check

from epistrat.experiments import suite
from epistrat.experiments.suite import Case

MOST, NOISE = 1.1, 0.05
AGAIN = 3  # times as many runs, at most, before a row counts as slower


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if verdicts differ or a row is slower."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.beside", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("other", help="the other version's command")
    parser.add_argument("--suite", default="papers", help="the suite whose cases are measured (default: papers)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only cases with this text in their names")
    parser.add_argument("--repeats", type=int, default=1, help="runs of each (default: 1)")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for a run (default: 120)")
    parser.add_argument(
        "--ours", default="--no-proof", metavar="OPTIONS", help="options of this one (default: --no-proof)"
    )
    options = parser.parse_args(arguments)
    both = ((options.other, *EPISTRAT[1:]), (*EPISTRAT, *options.ours.split()))
    ratios: list[float] = []
    bad = 0
    with TemporaryDirectory() as folder:
        for case in suite.load(options.suite).cases:
            if options.only in case.name:
                ratio, said = compared(case, both, Path(folder), options.repeats, options.limit)
                bad += said in {"slower", "differ"}
                ratios += [ratio] * (not math.isnan(ratio))
    if ratios:
        mean = math.exp(math.fsum(map(math.log, ratios)) / len(ratios))
        print(f"{len(ratios)} rows: geometric mean {mean:.2f}, largest {max(ratios):.2f}; {bad} slower or different")
    return 1 if bad else 0


def compared(
    case: Case, both: tuple[Sequence[str], Sequence[str]], folder: Path, repeats: int, limit: float
) -> tuple[float, str]:
    """How many times as long this version takes, and what is wrong with that; the row is printed."""
    file = folder / "model.ispl"
    file.write_text(case.task.text, encoding="utf-8")
    given = [part for name, value in case.task.parameters for part in ("--set", f"{name}={value}")]
    given += ["--only", case.task.only] if case.task.only else []
    given += ["--cores", "1", *case.task.options]
    runs: tuple[list[Run], list[Run]] = ([], [])
    said = ""
    for turn in range(repeats * AGAIN):
        if turn >= repeats and said != "slower":
            break
        for command, made in zip(both, runs, strict=True):
            made.append(check(file, limit, given, command))
        old, new = (min(one.cpu for one in made) for made in runs)
        verdicts = {tuple(one.verdicts) for made in runs for one in made if one.decided}
        said = "differ" if len(verdicts) > 1 else "slower" if new > MOST * old + NOISE else ""
    ratio = new / old if all(one.decided for made in runs for one in made) else math.nan
    print(f"{case.name:70} {old:8.2f} {new:8.2f} {ratio:6.2f} {said}", flush=True)
    return ratio, said


if __name__ == "__main__":
    sys.exit(main())
