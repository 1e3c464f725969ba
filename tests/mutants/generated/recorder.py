"""A plugin for pytest that records, test by test, which statements ran, in this process and all that it started.

Runs in a copy of the tree whose statements note in a shared file that they run (`statements.noting`); the file lies at the
path in ``EPISTRAT_RAN`` and each process of pytest-xdist has its own.  One pickle per test is appended to a file beside it.
"""

from __future__ import annotations

import mmap
import os
import pickle
from array import array
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from tests.mutants.generated.statements import TREE

_FOLDER = Path(os.environ["EPISTRAT_RAN_FOLDER"])
_SIZE = int(os.environ["EPISTRAT_RAN_SIZE"])
_OWN = _FOLDER / f"ran-{os.getpid()}"


def _shared() -> mmap.mmap:
    _OWN.write_bytes(bytes(_SIZE))
    os.environ["EPISTRAT_RAN"] = str(_OWN)
    with _OWN.open("r+b") as file:
        return mmap.mmap(file.fileno(), 0)


_ran = _shared()
_failed: set[str] = set()


def _processor_time() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, None]:
    _ran[:] = bytes(_SIZE)
    started = _processor_time()
    yield
    seconds = _processor_time() - started
    now = bytes(_ran)
    numbers = array("I", (number for number, ran in enumerate(now) if ran))
    with _OWN.with_suffix(".tests").open("ab") as file:
        pickle.dump(
            (
                item.nodeid.replace(str(Path.cwd()), TREE),
                round(seconds, 3),
                item.nodeid not in _failed,
                numbers.tobytes(),
            ),
            file,
        )


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    outcome = yield
    if outcome.get_result().outcome != "passed":
        _failed.add(item.nodeid)
