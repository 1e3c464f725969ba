"""Which tests run which statements: recorded once, kept in build/mutants, and brought up to date where tests have changed.

Statements are known by their place in the program (`statements`), so a change of the source makes nothing stale but the
statements that changed: for those, the tests of their function count.  Test files that are new or have changed are recorded
again.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.mutants.catalogue import ROOT, SOURCE
from tests.mutants.generated.statements import MODULE, files, noting
from tests.mutants.tree import copied

KEPT = ROOT / "build" / "mutants" / "recorded.pickle"
_LEFT_OUT = ("tests/release", "tests/mutants", "tests/docs", "tests/benchmarks", "tests/editors")
"""Tests of documents and packaging, and those that say themselves which bug they plant."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What one test took, in seconds of processor time, whether it passed, and the numbers of the statements that ran."""

    seconds: float
    passed: bool
    statements: frozenset[int]


@dataclass(slots=True)
class Recording:
    """Tests with what they ran; the numbers of statements by key; the test files as they were."""

    tests: dict[str, Ran] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def running(self, keys: Iterable[str]) -> dict[str, float]:
        """The tests that passed and ran one of the statements, with the seconds they took."""
        wanted = {self.numbers[key] for key in keys if key in self.numbers}
        return {
            test: ran.seconds
            for test, ran in self.tests.items()
            if ran.passed and not wanted.isdisjoint(ran.statements)
        }


def recording(jobs: int, kept: Path = KEPT) -> Recording:
    """The recording of the tests as they are now; what is missing is recorded, which takes a few minutes at first."""
    old: Recording = pickle.loads(kept.read_bytes()) if kept.exists() else Recording()
    now = {str(file.relative_to(ROOT)): _digest(file) for file in _test_files()}
    stale = [name for name, digest in now.items() if old.files.get(name) != digest]
    gone = {name for name in old.files if name not in now} | set(stale)
    tests = {test: ran for test, ran in old.tests.items() if test.partition("::")[0] not in gone}
    result = Recording(tests, dict(old.numbers), now)
    if stale:
        print(f"recording which statements the tests of {len(stale)} files run", flush=True)
        result.tests |= _recorded(stale, result.numbers, jobs)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pickle.dumps(result))
    return result


def _test_files() -> list[Path]:
    found = sorted((ROOT / "tests").rglob("test_*.py"))
    return [file for file in found if not str(file.relative_to(ROOT)).startswith(_LEFT_OUT)]


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _recorded(tests: list[str], numbers: dict[str, int], jobs: int) -> dict[str, Ran]:
    """Run the tests in a copy that notes what runs; new statements get numbers."""
    with tempfile.TemporaryDirectory(prefix="recording-") as folder:
        tree, notes = copied(Path(folder) / "tree"), Path(folder) / "notes"
        notes.mkdir()
        for file in files(tree / SOURCE):
            text = file.read_text(encoding="utf-8")
            file.write_text(noting(text, numbers, str(file.relative_to(tree / SOURCE))), encoding="utf-8")
        (tree / SOURCE / "_ran.py").write_text(MODULE.format(size=len(numbers)), encoding="utf-8")
        _run(tree, notes, tests, len(numbers), jobs)
        return {test: ran for file in notes.glob("*.tests") for test, ran in _read(file)}


def _run(tree: Path, notes: Path, tests: list[str], size: int, jobs: int) -> None:
    places = os.pathsep.join((str(tree / "src"), str(tree)))
    plugins = ("-p", "no:cacheprovider", "-p", "tests.mutants.patient", "-p", "tests.mutants.generated.recorder")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--tb=no",
        "-n",
        str(jobs),
        "--dist",
        "worksteal",
        *plugins,
        *tests,
    ]
    own = {"PYTHONPATH": places, "EPISTRAT_RAN_FOLDER": str(notes), "EPISTRAT_RAN_SIZE": str(size)}
    done = subprocess.run(command, cwd=tree, env={**os.environ, **own}, capture_output=True, text=True, check=False)
    print("\n".join(done.stdout.splitlines()[-40:]), done.stderr[-2000:], sep="\n", flush=True)


def _read(file: Path) -> Iterable[tuple[str, Ran]]:
    with file.open("rb") as stream:
        while True:
            try:
                test, seconds, passed, numbers = pickle.load(stream)
            except EOFError:
                return
            ran = array("I")
            ran.frombytes(numbers)
            yield test, Ran(seconds, passed, frozenset(ran))
