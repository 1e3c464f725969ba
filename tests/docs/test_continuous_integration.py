"""The commands of the page on continuous integration do what the page says, in a folder of models."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.cli.lamp_models import LAMP

PAGE = Path(__file__).parents[2] / "docs/continuous-integration.md"
COMMANDS = re.findall(r"^\s+(?:run: |- )(epistrat check .*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def done(command: str, folder: Path) -> int:
    """The exit status of a step, as the server's shell runs it."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    return subprocess.run(
        ["bash", "-e", "-c", command], cwd=folder, env=environment, capture_output=True, check=False
    ).returncode


@pytest.mark.skipif(shutil.which("bash") is None, reason="the server's shell is bash")
@pytest.mark.parametrize(
    ("text", "annotations", "scanning", "table"),
    [
        (LAMP, 0, 0, 0),
        (LAMP.replace("2 fails", "2 holds"), 1, 0, 1),
        (LAMP.replace("AG EF lit", "AG EF lti"), 3, 1, 3),
    ],
    ids=["as expected", "one differs", "no model"],
)
def test_the_steps(text: str, annotations: int, scanning: int, table: int, tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models/lamp.ispl").write_text(text)
    (tmp_path / "models/good.ispl").write_text(LAMP)
    assert len(COMMANDS) == 3
    assert [done(command, tmp_path) for command in COMMANDS] == [annotations, scanning, table]
    results = json.loads((tmp_path / "epistrat.sarif").read_text())["runs"][0]["results"]
    assert bool(results) == (annotations != 0)
    suites = list(ElementTree.parse(tmp_path / "epistrat.xml").getroot())
    assert [suite.get("name") for suite in suites] == ["models/good.ispl", "models/lamp.ispl"]
