"""Exit statuses do not depend on who reads the output; what cannot be written is no bug."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.lamp_models import LAMP, Run

COMMAND = [sys.executable, "-c", "from epistrat.cli.main import run; run()"]


def closed() -> int:
    """A pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.mark.parametrize(("text", "status"), [(LAMP, 1), ("Agnet A", 3), (LAMP.replace("  AF lit;\n", ""), 0)])
def test_a_closed_pipe_changes_nothing(tmp_path: Path, text: str, status: int) -> None:
    (tmp_path / "model.ispl").write_text(text)
    pipe = closed()
    done = subprocess.run(
        [*COMMAND, "check", "model.ispl"], stdout=pipe, stderr=pipe, cwd=tmp_path, timeout=60, check=False
    )
    os.close(pipe)
    assert done.returncode == status


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("command", [["check", "lamp.ispl"], ["export", "lamp.ispl", "--svg"], ["explain"]])
def test_a_full_disk_is_no_bug(models: Path, command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, *command], stdout=full, stderr=subprocess.PIPE, text=True, cwd=models, timeout=60, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "epistrat: standard output cannot be written: No space left on device\n"


def test_closed_streams(models: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -c 'from epistrat.cli.main import run; run()' check lamp.ispl >&- 2>&-"],
        cwd=models,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1


def test_one_byte_of_memory(shell: Run) -> None:
    done = shell("check", "lamp.ispl", "--memory", "1")
    assert done.status == 4
    assert "memory limit of 1 B reached" in done.out
