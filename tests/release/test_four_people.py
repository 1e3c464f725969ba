"""The first tasks of a lecturer, a student, an engineer and a researcher, by what README and the book say."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from tests.release.four_people import PEOPLE, TASKS, Task, replayed


@pytest.mark.parametrize("task", TASKS, ids=lambda task: f"{task.person}: {task.wish}")
def test_task(task: Task, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(PEOPLE, home)
    assert not list(replayed(task, home, Path(sys.executable)))
