"""A way to run the command, in a directory with small models."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cli.lamp_models import COUNTER, LAMP, Ran, Run


@pytest.fixture
def models(tmp_path: Path) -> Path:
    (tmp_path / "lamp.ispl").write_text(LAMP)
    (tmp_path / "counter.ispl").write_text(COUNTER)
    return tmp_path


@pytest.fixture
def run(models: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process, in the directory of the models."""
    from epistrat.cli.main import main

    monkeypatch.chdir(models)
    monkeypatch.setenv("EPISTRAT_IN_PROCESS", "1")

    def command(*arguments: str) -> Ran:
        try:
            status = main(arguments)
        except SystemExit as exit_:
            status = int(exit_.code or 0)
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return command


@pytest.fixture
def shell(models: Path) -> Run:
    """Run the command as its own process, supervised and all."""

    def command(*arguments: str, **options: Any) -> Ran:
        done = subprocess.run(
            [sys.executable, "-c", "from epistrat.cli.main import run; run()", *arguments],
            cwd=models,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            **options,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return command
