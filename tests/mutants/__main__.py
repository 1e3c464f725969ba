"""``make mutants``: plants every bug in a copy of the tree, runs the tests that should see it, and lists those that nobody saw.

python -m tests.mutants [TEXT] [--jobs N]      TEXT: only mutants whose package, file or name contains it
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.catalogue import ROOT, Mutant, Stale, catalogue

LONGEST = 300
"""Seconds of processor time that the tests of one mutant may take: a bug that makes them run for ever is seen too."""

_PASSED, _FAILED, _COLLECTION_FAILED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant: killed, survived, stale, or broken (its tests could not be run)."""

    mutant: Mutant
    word: str
    seconds: float
    detail: str = ""


class Tree:
    """A copy of the tree, with a process in it that runs tests."""

    def __init__(self, root: Path) -> None:
        self._root = root
        places = os.pathsep.join((str(root / "src"), str(root)))
        self._worker = subprocess.Popen(
            [sys.executable, "-m", "tests.mutants.worker"],
            cwd=root,
            env={**os.environ, "PYTHONPATH": places},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def test(self, tests: Iterable[str], limit: float = LONGEST) -> tuple[int | None, str]:
        """Pytest's status (None: the time ran out), and the end of what it said."""
        assert self._worker.stdin is not None
        assert self._worker.stdout is not None
        self._worker.stdin.write(json.dumps({"tests": list(tests), "limit": limit}) + "\n")
        self._worker.stdin.flush()
        answer = json.loads(self._worker.stdout.readline())
        return answer["status"], answer["said"]

    def attempt(self, mutant: Mutant) -> Fate:
        """Plant the bug, run its tests, and take it out again."""
        file = self._root / mutant.path
        before, times = file.read_text(encoding="utf-8"), file.stat()
        started = time.monotonic()
        try:
            file.write_text(mutant.planted(before), encoding="utf-8")
            os.utime(file, (times.st_atime, times.st_mtime + 10))  # so that what was compiled before does not count
            status, said = self.test(mutant.tests)
        except Stale as stale:
            return Fate(mutant, "stale", 0.0, str(stale))
        finally:
            file.write_text(before, encoding="utf-8")
            os.utime(file, (times.st_atime, times.st_mtime))
        seconds = time.monotonic() - started
        if status is None:
            return Fate(mutant, "killed", seconds, "by the clock")
        if status == _PASSED:
            return Fate(mutant, "survived", seconds)
        if status == _FAILED or (status == _COLLECTION_FAILED and "error" in said) or status < 0:
            return Fate(mutant, "killed", seconds)
        return Fate(mutant, "broken", seconds, said[-500:])

    def close(self) -> None:
        """End the process."""
        assert self._worker.stdin is not None
        self._worker.stdin.close()
        self._worker.wait()


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
        first = _copy(Path(folder) / "0")
        if not _prepared(first, mutants, arguments.jobs, arguments.unchecked):
            return 2
        others = [Path(folder) / str(number) for number in range(1, min(arguments.jobs, len(mutants)))]
        trees = [Tree(first), *(Tree(shutil.copytree(first, other)) for other in others)]
        fates = _attempts(mutants, trees)
        for tree in trees:
            tree.close()
    return _summary(fates)


def _copy(target: Path) -> Path:
    """A copy of the tree, as far as tests need it."""
    target.mkdir()
    for name in ("src", "tests", "examples", "docs", "benchmarks"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for file in ROOT.iterdir():
        if file.is_file():
            shutil.copy2(file, target)
    return target


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
    if done.returncode != _PASSED:
        print("the tests fail without any planted bug:", done.stdout[-2000:], done.stderr[-2000:], sep="\n")
    return done.returncode == _PASSED


def _attempts(mutants: list[Mutant], trees: list[Tree]) -> list[Fate]:
    free: SimpleQueue[Tree] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def attempt(mutant: Mutant) -> Fate:
        tree = free.get()
        try:
            return _told(tree.attempt(mutant))
        finally:
            free.put(tree)

    with ThreadPoolExecutor(len(trees)) as pool:
        return list(pool.map(attempt, mutants))


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
        print(f"  {fate.word}: {fate.mutant.name} ({fate.mutant.path}): {fate.mutant.breaks}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
