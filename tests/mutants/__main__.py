"""``make mutants``: plants every bug in a copy of the tree, runs the tests that should see it, and lists those that nobody saw.

python -m tests.mutants [TEXT] [--jobs N]      TEXT: only mutants whose package, file or name contains it
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.catalogue import Mutant, Stale, catalogue
from tests.mutants.tree import COLLECTION_FAILED, FAILED, PASSED, Tree, copied, shared_out


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant: killed, survived, stale, or broken (its tests could not be run)."""

    mutant: Mutant
    word: str
    seconds: float
    detail: str = ""


def attempt(tree: Tree, mutant: Mutant) -> Fate:
    """Plant the bug, run its tests, and take it out again."""
    started = time.monotonic()
    try:
        path, text = mutant.planted()
    except Stale as stale:
        return Fate(mutant, "stale", 0.0, str(stale))
    status, said = tree.test_with(path, text, mutant.tests)
    seconds = time.monotonic() - started
    if status is None:
        return Fate(mutant, "killed", seconds, "by the clock")
    if status == PASSED:
        return Fate(mutant, "survived", seconds)
    if status == FAILED or (status == COLLECTION_FAILED and "error" in said) or status < 0:
        return Fate(mutant, "killed", seconds)
    return Fate(mutant, "broken", seconds, said[-500:])


def main() -> int:
    """Run the mutants; the status is 1 if one survived that is not listed as a survivor, or is stale or broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("only", nargs="?", default="")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2)))
    parser.add_argument("--unchecked", action="store_true", help="do not run the tests without any bug first")
    arguments = parser.parse_args()
    mutants = [mutant for mutant in catalogue(arguments.only) if not mutant.equivalent]
    if not mutants:
        print(f"no mutant is called like {arguments.only!r}")
        return 2
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        first = copied(Path(folder) / "0")
        if not _prepared(first, mutants, arguments.jobs, arguments.unchecked):
            return 2
        others = [Path(folder) / str(number) for number in range(1, min(arguments.jobs, len(mutants)))]
        trees = [Tree(first), *(Tree(shutil.copytree(first, other)) for other in others)]
        fates = _attempts(mutants, trees)
        for tree in trees:
            tree.close()
    return _summary(fates)


def _prepared(tree: Path, mutants: list[Mutant], jobs: int, unchecked: bool) -> bool:
    """Compile everything; and whether the tests pass without any bug, for else nothing could be learnt from their failing."""
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    options = ["--collect-only"] if unchecked else ["-n", str(jobs)]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-m",
            "",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "-p",
            "tests.mutants.patient",
            *options,
            *tests,
        ],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tree / "src"), str(tree)))},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != PASSED:
        print("the tests fail without any planted bug:", done.stdout[-2000:], done.stderr[-2000:], sep="\n")
    return done.returncode == PASSED


def _attempts(mutants: list[Mutant], trees: list[Tree]) -> list[Fate]:
    return shared_out(mutants, trees, lambda tree, mutant: _told(attempt(tree, mutant)))


def _told(fate: Fate) -> Fate:
    if fate.word != "killed" or fate.detail:
        print(f"{fate.word:9} {fate.mutant.file}: {fate.mutant.name} ({fate.seconds:.0f} s) {fate.detail}", flush=True)
    return fate


def _summary(fates: list[Fate]) -> int:
    killed = sum(fate.word == "killed" for fate in fates)
    listed = [fate for fate in fates if fate.word == "survived" and fate.mutant.survives]
    wrong = [fate for fate in fates if fate.word != "killed" and fate not in listed]
    for package in dict.fromkeys(fate.mutant.package for fate in fates):
        own = [fate for fate in fates if fate.mutant.package == package]
        print(f"  {package:12} {sum(fate.word == 'killed' for fate in own)} of {len(own)} killed")
    print(f"{len(fates)} mutants: {killed} killed, {len(fates) - killed} not ({killed / len(fates):.1%})")
    for fate in listed:
        print(f"  known survivor {fate.mutant.name}: {fate.mutant.survives}")
    for fate in fates:
        if fate.word == "killed" and fate.mutant.survives:
            print(f"  {fate.mutant.name} is listed as a survivor, but was killed: take it off the list")
    for fate in wrong:
        print(f"  {fate.word}: {fate.mutant.name} ({fate.mutant.file}): {fate.mutant.breaks}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
