"""Copies of the tree, with processes in them that run tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from tests.mutants.catalogue import ROOT

LONGEST = 300
"""Seconds of processor time that the tests of one mutant may take: a bug that makes them run for ever is seen too."""

T = TypeVar("T")
R = TypeVar("R")

PASSED, FAILED, COLLECTION_FAILED = 0, 1, 2
"""Statuses of pytest."""


def copied(target: Path) -> Path:
    """A copy of the tree, as far as tests need it."""
    target.mkdir()
    for name in ("src", "tests", "examples", "docs", "benchmarks"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for file in ROOT.iterdir():
        if file.is_file():
            shutil.copy2(file, target)
    return target


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

    def text(self, path: Path) -> str:
        """A file's text in the copy."""
        return (self._root / path).read_text(encoding="utf-8")

    def test(self, tests: Iterable[str], limit: float = LONGEST) -> tuple[int | None, str]:
        """Pytest's status (None: the time ran out), and the end of what it said."""
        assert self._worker.stdin is not None
        assert self._worker.stdout is not None
        self._worker.stdin.write(json.dumps({"tests": list(tests), "limit": limit}) + "\n")
        self._worker.stdin.flush()
        answer = json.loads(self._worker.stdout.readline())
        return answer["status"], answer["said"]

    def test_with(self, path: Path, text: str, tests: Iterable[str], limit: float = LONGEST) -> tuple[int | None, str]:
        """The same with another text in one file, which is taken out again."""
        file = self._root / path
        before, times = file.read_text(encoding="utf-8"), file.stat()
        try:
            file.write_text(text, encoding="utf-8")
            os.utime(file, (times.st_atime, times.st_mtime + 10))  # so that what was compiled before does not count
            return self.test(tests, limit)
        finally:
            file.write_text(before, encoding="utf-8")
            os.utime(file, (times.st_atime, times.st_mtime))

    def close(self) -> None:
        """End the process."""
        assert self._worker.stdin is not None
        self._worker.stdin.close()
        self._worker.wait()


def shared_out(items: Sequence[T], trees: Sequence[Tree], attempt: Callable[[Tree, T], R]) -> list[R]:
    """Each item is attempted in a tree that is free; the results in the items' order."""
    free: SimpleQueue[Tree] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def taken(item: T) -> R:
        tree = free.get()
        try:
            return attempt(tree, item)
        finally:
            free.put(tree)

    with ThreadPoolExecutor(len(trees)) as pool:
        return list(pool.map(taken, items))
