"""Where the time goes: ``python -m benchmarks.hot_spots [FAMILY N SPEC]`` profiles checks and prints shares, as Markdown.

The check runs in this process, every thread under the profiler of the standard library, and each second is booked where it was
spent: in the BDD library and the thin layer around it, in the language (text to model), in the encoding, in the engine, or elsewhere.
Waiting for another thread is not work and is left out, imports have happened before.  Python's share is overstated: the profiler slows
down Python only, and a native operation written with an operator (``f & g``) is booked to the function that contains it.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
import threading
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from operator import itemgetter
from types import FrameType
from typing import Any

from benchmarks.families import text

from epistrat.lang import load
from epistrat.service import models, pipeline

CASES = (
    ("dc", 400, "privacy"),
    ("muddy", 60, "one"),
    ("prisoners", 25, "strategy"),
    ("tianji", 30, "strategy"),
    ("cards", 12, "ctl"),
    ("ring", 60, "all"),
    ("grid", 16, "all"),
    ("vote", 24, "all"),
    ("sparse", 16, "all"),
    ("gossip", 5, "all"),
    ("cache", 16, "all"),
    ("lift", 16, "all"),
)
PACKAGES = {
    "epistrat/solvers/bdd/": "BDD library",
    "/oxidd/": "BDD library",
    "epistrat/lang/": "language",
    "epistrat/encoding/": "encoding",
    "epistrat/engines/": "engine",
}
PLACES = ("BDD library", "language", "encoding", "engine", "other Python")


@dataclass(frozen=True)
class Profile:
    """Seconds by place, and the functions that took most, for one check."""

    seconds: dict[str, float]
    hottest: list[tuple[str, float]]

    @property
    def total(self) -> float:
        """All seconds of work."""
        return sum(self.seconds.values())

    def share(self, place: str) -> float:
        """The part of the time spent there, from 0 to 1."""
        return self.seconds.get(place, 0.0) / self.total


def place(file: str, function: str) -> str | None:
    """Where a profiled function belongs; None for waiting."""
    if file == "~":
        if "oxidd" in function or "dd.cudd" in function:
            return "BDD library"
        return None if "acquire" in function or "sleep" in function else "other Python"
    path = file.replace("\\", "/")
    return next((name for part, name in PACKAGES.items() if part in path), "other Python")


def profile(source: str) -> Profile:
    """Profile the check of a model, all threads together."""
    profilers: list[cProfile.Profile] = []
    _check(text("ring", 3, "all"))

    def begin(_frame: FrameType | None = None, _event: str = "", _argument: Any = None) -> None:
        profilers.append(cProfile.Profile())
        profilers[-1].enable()

    threading.setprofile(begin)
    begin()
    try:
        _check(source)
    finally:
        threading.setprofile(None)
        for profiler in profilers:
            profiler.disable()
    return _summed(profilers)


def _check(source: str) -> None:
    system = load(source).system
    assert system is not None
    pipeline.check(system, models.questions(system), engine="symbolic")


def _summed(profilers: Sequence[cProfile.Profile]) -> Profile:
    seconds: defaultdict[str, float] = defaultdict(float)
    functions: defaultdict[str, float] = defaultdict(float)
    for profiler in profilers:
        profiler.create_stats()
        for (file, _line, function), (_, _, own, _, _) in pstats.Stats(profiler).stats.items():  # type: ignore[attr-defined]
            where = place(file, function)
            if where is not None:
                seconds[where] += own
                functions[f"{file.rsplit('/', 1)[-1]}:{function}" if file != "~" else function] += own
    return Profile(seconds, nlargest(5, functions.items(), key=itemgetter(1)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print shares for the cases of this module, or for one that is given, then with its hottest functions."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.hot_spots", description="where the time of a check goes"
    )
    parser.add_argument("case", nargs="*", metavar="FAMILY N SPEC")
    given = parser.parse_args(arguments).case
    if len(given) not in (0, 3):
        parser.error("a case is a family, a size and a spec")
    print(f"| model | seconds | {' | '.join(PLACES)} |\n|---|--:|{'--:|' * len(PLACES)}")
    chosen: Sequence[tuple[str, int, str]] = [(given[0], int(given[1]), given[2])] if given else CASES
    for family, n, spec in chosen:
        found = profile(text(family, n, spec))
        shares = " | ".join(f"{found.share(name):.0%}" for name in PLACES)
        print(f"| {family} {n} {spec} | {found.total:.2f} | {shares} |", flush=True)
        if given:
            print("\n".join(["", *(f"    {seconds:7.3f} s  {function}" for function, seconds in found.hottest)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
