"""Ask random questions for some minutes; write down what does not fit together, and which pairs of features were met.

Exit status 1 if something was found, 2 if a pair of features was met less often than ``--threshold`` says.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tests.fuzz.compare import ENGINES, Comparison, Finding, compare
from tests.fuzz.draw import draw
from tests.fuzz.report import write
from tests.fuzz.shrink import shrink
from tests.fuzz.table import Table
from tests.generators.features import Case

from epistrat.lang.load import load
from epistrat.model.show import to_ispl

LONG = 10
"""Runs of so many minutes have time to meet every pair of features."""


def main() -> int:
    """Run until the minutes are over, or until interrupted."""
    options = _options()
    options.findings.mkdir(parents=True, exist_ok=True)
    run = Run(options.findings, options.engines)
    seed = options.seed
    with suppress(KeyboardInterrupt):
        while time.process_time() < 60 * options.minutes:
            run.one(seed)
            seed += 1
    threshold = options.threshold
    if threshold is None:
        threshold = 1 if options.minutes >= LONG else 0
    return run.finish(threshold)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="of processor time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--threshold", type=int, help=f"how often each pair of features must be met (once, from {LONG} minutes on)"
    )
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--engines", type=lambda text: tuple(text.split(",")), default=ENGINES)
    return parser.parse_args()


class Run:
    """One run: its table of pairs, and what it found."""

    def __init__(self, folder: Path, engines: tuple[str, ...]) -> None:
        self._folder = folder
        self._engines = engines
        self.table = Table()
        self.found: Counter[str] = Counter()
        self.modes: Counter[str] = Counter()
        self._known: set[tuple[str, str, str]] = set()
        self.cases = self.verdicts = self.compared = self.enumerated = 0

    def one(self, seed: int) -> None:
        """Draw a case for a pair that was seldom met, and compare."""
        rng = random.Random(seed)
        case = draw(rng, self.table.next_pair(rng))
        result = compare(case, engines=self._engines)
        self.cases += 1
        self.modes[f"{case.system.composition.value.lower()}, {case.reading.value}"] += 1
        self.verdicts += len(result.answered)
        self.compared += result.compared
        self.enumerated += result.enumerated
        self.table.note(result.answered)
        self._note(seed, case, result)

    def _note(self, seed: int, case: Case, result: Comparison) -> None:
        for finding in result.findings:
            self.found[f"{finding.kind} {finding.engine}"] += 1
            key = (finding.kind, finding.engine, _gist(finding, case))
            if key in self._known or len([one for one in self._known if one[:2] == key[:2]]) >= 5:
                continue
            self._known.add(key)
            print(f"seed {seed}: {finding.kind} at {finding.engine}: {finding.words}", flush=True)
            small = shrink(case, lambda smaller, like=finding: self._same(smaller, like))  # type: ignore[misc]
            words = next(
                (f.words for f in compare(small, engines=self._engines).findings if f.kind == finding.kind), ""
            )
            print(f"  written to {write(self._folder, small, finding, words, seed)}", flush=True)

    def _same(self, case: Case, like: Finding) -> bool:
        """Whether a case has a fault of the same kind at the same engine, and no new crash."""
        try:
            if load(to_ispl(replace(case.system, formulae=case.formulae))).system is None:
                return False
            found = compare(case, engines=tuple(dict.fromkeys((ENGINES[0], like.engine)))).findings
        except Exception:  # not a model any more
            return False
        here = [one for one in found if (one.kind, one.engine) == (like.kind, like.engine)]
        if like.kind == "crash":
            return any(_place(one) == _place(like) for one in here)
        return bool(here) and not any(one.kind == "crash" for one in found)

    def finish(self, threshold: int) -> int:
        """Say what was done; the exit status."""
        self.table.write(self._folder / "pairs.json")
        rare = self.table.below(max(threshold, 1))
        pairs = sum(len(pairs) for pairs in self.table.possible.values())
        print(f"{self.cases} cases, {self.verdicts} verdicts, {self.compared} compared with the reference engine")
        print(f"{self.enumerated} verdicts of the reference engine checked by going through everything")
        print(f"{time.process_time() / 60:.1f} minutes of processor time")
        print("; ".join(f"{count} {mode}" for mode, count in sorted(self.modes.items())))
        print(f"{pairs - len(rare)} of {pairs} pairs of features were met (per engine)")
        for engine, pair, count in rare[:40] if threshold else ():
            print(f"  {engine}: {' with '.join(pair)}: {count}")
        for what, count in sorted(self.found.items()):
            print(f"  found: {what}: {count}")
        if self.found:
            return 1
        return 2 if threshold and rare else 0


def _place(finding: Finding) -> str:
    """Where a crash happened."""
    return finding.words.rpartition("(")[2]


def _gist(finding: Finding, case: Case) -> str:
    """What tells faults apart: where a crash happened, else under which reading."""
    return _place(finding) if finding.kind == "crash" else case.reading.value


if __name__ == "__main__":
    sys.exit(main())
