"""What choosing between engines costs: ``python -m benchmarks.scheduling [SUITE ...]``.

For every case each engine is run alone, then the default on one core and on two.  On one core what counts is CPU time over that of the
engine that answers first, on two cores wall time.  The geometric means should be at most 1.6 and 1.15.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from math import exp, log

from epistrat.experiments.suite import Case, load
from epistrat.experiments.task import Measured, measure

ENGINES = ("symbolic", "explicit")
MOST_CPU, MOST_WALL = 1.6, 1.15


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if a geometric mean is too large."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.scheduling", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("suites", nargs="*", default=["quick", "figures"], help="suites to take cases from")
    parser.add_argument("--limit", type=float, default=30.0, help="seconds for one run")
    parser.add_argument("--only", action="append", metavar="MODEL", help="only this scenario (repeatable)")
    options = parser.parse_args(arguments)
    cases = {case.name: case for suite in options.suites for case in load(suite).cases}
    chosen = [case for case in cases.values() if not case.task.options]
    chosen = [case for case in chosen if not options.only or any(one in case.name for one in options.only)]
    found = [ratios for case in chosen if (ratios := _ratios(case, options.limit)) is not None]
    one, two = (_mean([ratio[place] for ratio in found]) for place in (0, 1))
    print(
        f"{len(found)} cases; one core: {one:.2f} times the CPU of the best engine, two cores: {two:.2f} times its wall time"
    )
    return 1 if one > MOST_CPU or two > MOST_WALL else 0


def _ratios(case: Case, limit: float) -> tuple[float, float] | None:
    """CPU on one core and wall time on two, over those of the engine that answers first; None if none does."""

    def check(seconds: float, *options: str) -> Measured:
        return measure(replace(case.task, options=options, seconds=seconds))

    alone = {name: check(limit, "--engine", name, "--cores", "1") for name in ENGINES}
    answered = {name: run for name, run in alone.items() if run.decided}
    if not answered:
        return None
    one, two = check(4 * limit, "--cores", "1"), check(4 * limit, "--cores", "2")
    cpu = one.cpu / min(run.cpu for run in answered.values())
    wall = two.wall / min(run.wall for run in answered.values())
    times = ", ".join(f"{name} {run.cpu:.2f} s" for name, run in answered.items())
    print(
        f"{case.name:32} {times}; one core {one.cpu:.2f} s ({cpu:.2f}), two cores {two.wall:.2f} s ({wall:.2f})",
        flush=True,
    )
    return cpu, wall


def _mean(ratios: Sequence[float]) -> float:
    """The geometric mean."""
    return exp(sum(map(log, ratios)) / len(ratios)) if ratios else 1.0


if __name__ == "__main__":
    sys.exit(main())
