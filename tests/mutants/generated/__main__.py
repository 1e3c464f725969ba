"""``make mutants SAMPLE=200 SEED=1``: plants generated bugs and lists those that no test saw.

python -m tests.mutants.generated --sample N [--seed S] [--jobs N]     a random sample
python -m tests.mutants.generated --sample N --kind "memo key"          a sample of one kind of bug
python -m tests.mutants.generated --names A,B                          bugs by the names that a sample showed
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from tests.mutants.catalogue import ROOT, SOURCE
from tests.mutants.generated.candidates import Candidate, candidates
from tests.mutants.generated.equivalents import equivalents
from tests.mutants.generated.recording import Recording, recording
from tests.mutants.generated.sample import Fate, attempt, drawn, run
from tests.mutants.tree import PASSED, Tree, copied, shared_out

GOAL = 0.9
"""The part of the bugs that tests must see, of those that can be seen at all."""


def main() -> int:
    """Run a sample; the status is 1 if fewer are killed than should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.generated")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--names", default="")
    parser.add_argument("--kind", default="", help="only bugs of the operators whose names contain this")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2)))
    parser.add_argument(
        "--results", type=Path, help="also append what becomes of each bug to this file, one JSON line each"
    )
    arguments = parser.parse_args()
    bugs = _wanted(
        arguments.names.split(",") if arguments.names else [], arguments.kind, arguments.sample, arguments.seed
    )
    listed = equivalents()
    equal = {bug: entry.reason for bug in bugs for entry in listed if entry.is_about(bug)}
    recorded = recording(arguments.jobs)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        first = copied(Path(folder) / "0")
        others = [Path(folder) / str(number) for number in range(1, arguments.jobs)]
        trees = [Tree(first), *(Tree(shutil.copytree(first, other)) for other in others)]
        planted = [bug for bug in bugs if bug not in equal]
        done = count(1)

        def one(tree: Tree, bug: Candidate) -> Fate:
            fate = attempt(tree, bug, recorded)
            if arguments.results:
                with arguments.results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(_shown(fate)) + "\n")
            return _told(fate, f"{next(done)}/{len(planted)}")

        fates = shared_out(planted, trees, one)
        fates = _without_false_kills(fates, trees[0], recorded)
        for tree in trees:
            tree.close()
    return _summary(fates, equal)


def _wanted(names: Sequence[str], kind: str, size: int, seed: int) -> list[Candidate]:
    found = [bug for bug in candidates(ROOT / SOURCE) if kind in bug.operator]
    if names:
        return [bug for bug in found if bug.name in names]
    return drawn(found, size, seed, ROOT / SOURCE)


def _without_false_kills(fates: list[Fate], tree: Tree, recorded: Recording) -> list[Fate]:
    """A test that fails without any bug has seen nothing."""
    killers = sorted({fate.by for fate in fates if fate.word == "killed" and fate.by in recorded.tests})
    wrong = (
        {test for test in killers if not _passes(tree, test, recorded)} if not _pass(tree, killers, recorded) else set()
    )
    for test in sorted(wrong):
        print(f"fails without any bug: {test}", flush=True)
    return [Fate(fate.bug, "false kill", fate.by) if fate.by in wrong else fate for fate in fates]


def _passes(tree: Tree, test: str, recorded: Recording) -> bool:
    return _pass(tree, [test], recorded)


def _pass(tree: Tree, tests: list[str], recorded: Recording) -> bool:
    return not tests or run(tree, [(test, recorded.tests[test].seconds) for test in tests])[0] == PASSED


def _told(fate: Fate, progress: str = "") -> Fate:
    bug = fate.bug
    if fate.word != "killed":
        print(
            f"{fate.word:9} {bug.name} {bug.file}:{bug.line} {bug.function} | {bug.operator} | {_line(bug.old)} => {_line(bug.new)}"
            f" ({fate.tests} tests, {fate.seconds:.0f} s) {progress}",
            flush=True,
        )
    return fate


def _line(text: str) -> str:
    return " ".join(text.split())


def _shown(fate: Fate) -> dict[str, object]:
    bug = fate.bug
    return {
        "name": bug.name,
        "word": fate.word,
        "place": f"{bug.file}:{bug.line} {bug.function}",
        "operator": bug.operator,
        "old": bug.old,
        "new": bug.new,
        "by": fate.by,
        "seconds": round(fate.seconds, 1),
    }


def _summary(fates: list[Fate], equal: dict[Candidate, str]) -> int:
    killed = [fate for fate in fates if fate.killed]
    clock = sum(fate.word == "clock" for fate in fates)
    for kind in sorted({fate.bug.operator for fate in fates}):
        own = [fate for fate in fates if fate.bug.operator == kind]
        print(f"  {kind:18} {sum(fate.killed for fate in own)} of {len(own)}")
    print(
        f"{len(fates) + len(equal)} bugs: {len(equal)} equivalent, {len(killed)} of the other {len(fates)} killed"
        f" ({len(killed) / max(1, len(fates)):.1%}; {clock} of them by the clock)"
    )
    for fate in fates:
        if not fate.killed:
            _told(fate)
    return 0 if len(killed) >= GOAL * len(fates) else 1


if __name__ == "__main__":
    sys.exit(main())
