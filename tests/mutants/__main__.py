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
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.catalogue import ROOT, Mutant, Stale, catalogue

LONGEST = 300
"""Seconds that the tests of one mutant may take: a bug that makes them run for ever is seen too."""

_PASSED, _FAILED = 0, 1


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant: killed, survived, stale, or broken (its tests could not be run)."""

    mutant: Mutant
    word: str
    seconds: float
    detail: str = ""


def main() -> int:
    """Run the mutants; the status is 1 if one survived that is not listed as a survivor, or is stale or broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("only", nargs="?", default="")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2)))
    arguments = parser.parse_args()
    mutants = [mutant for mutant in catalogue(arguments.only) if not mutant.equivalent]
    if not mutants:
        print(f"no mutant is called like {arguments.only!r}")
        return 2
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        trees = [_copy(Path(folder) / str(number)) for number in range(min(arguments.jobs, len(mutants)))]
        if not _sound(trees[0], mutants, len(trees)):
            return 2
        free: SimpleQueue[Path] = SimpleQueue()
        for tree in trees:
            free.put(tree)
        with ThreadPoolExecutor(len(trees)) as pool:
            fates = list(map(_told, pool.map(lambda mutant: _try(mutant, free), mutants)))
    return _summary(fates)


def _copy(target: Path) -> Path:
    """A copy of the tree, as far as tests need it."""
    target.mkdir()
    for name in ("src", "tests", "examples", "docs", "benchmarks"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for file in ROOT.iterdir():
        if file.is_file():
            shutil.copy(file, target)
    return target


def _pytest(tree: Path, tests: Iterable[str], *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *options, *tests]
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
    )


def _sound(tree: Path, mutants: list[Mutant], jobs: int) -> bool:
    """Whether the tests pass without any bug planted; otherwise nothing could be learnt from their failing."""
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-n", str(jobs), *tests]
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != _PASSED:
        print("the tests fail without any planted bug:", done.stdout[-2000:], done.stderr[-2000:], sep="\n")
    return done.returncode == _PASSED


def _try(mutant: Mutant, free: SimpleQueue[Path]) -> Fate:
    tree = free.get()
    file = tree / mutant.path
    before = file.read_text(encoding="utf-8")
    started = time.monotonic()
    try:
        file.write_text(mutant.planted(before), encoding="utf-8")
        done = _pytest(tree, mutant.tests)
        seconds = time.monotonic() - started
        if done.returncode == _PASSED:
            return Fate(mutant, "survived", seconds)
        if done.returncode == _FAILED or "error" in done.stdout:
            return Fate(mutant, "killed", seconds)
        return Fate(mutant, "broken", seconds, (done.stdout + done.stderr)[-500:])
    except subprocess.TimeoutExpired:
        return Fate(mutant, "killed", time.monotonic() - started, "by the clock")
    except Stale as stale:
        return Fate(mutant, "stale", 0.0, str(stale))
    finally:
        file.write_text(before, encoding="utf-8")
        free.put(tree)


def _told(fate: Fate) -> Fate:
    if fate.word != "killed" or fate.detail:
        print(f"{fate.word:9} {fate.mutant.file}: {fate.mutant.name} ({fate.seconds:.0f} s) {fate.detail}", flush=True)
    return fate


def _summary(fates: list[Fate]) -> int:
    killed = sum(fate.word == "killed" for fate in fates)
    listed = [fate for fate in fates if fate.word == "survived" and fate.mutant.survives]
    wrong = [fate for fate in fates if fate.word != "killed" and fate not in listed]
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
