"""Several files side by side, a check whenever a file changes, and the manual page."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from tests.cli.lamp_models import LAMP, Run

COMMAND = [sys.executable, "-c", "from epistrat.cli.main import run; run()"]


def test_files_side_by_side_print_what_they_print_one_by_one(shell: Run) -> None:
    files = ("lamp.ispl", "counter.ispl", "nothing.ispl")
    alone = shell("check", *files, "--json")
    beside = shell("check", *files, "--json", "-j", "2")
    assert beside.status == alone.status == 3
    assert _verdicts(beside.out) == _verdicts(alone.out)
    assert [model for model, _ in _verdicts(beside.out)] == list(files)
    assert "nothing.ispl cannot be read" in beside.out + beside.err


def _verdicts(lines: str) -> list[tuple[str, list[str]]]:
    reports = [json.loads(line) for line in lines.splitlines()]
    return [(one["model"], [result["verdict"] for result in one["results"]]) for one in reports]


@pytest.mark.parametrize("form", ["junit", "sarif", "github"])
def test_files_side_by_side_make_one_document(shell: Run, models: Path, form: str) -> None:
    files = ("lamp.ispl", "counter.ispl", "nothing.ispl")
    asked = ("check", *files, "--format", form, "--html", "all.html")
    alone, page = shell(*asked), (models / "all.html").read_text()
    (models / "all.html").unlink()
    beside = shell(*asked, "--jobs", "2")
    assert beside.status == alone.status == 3
    assert _untimed(beside.out) == _untimed(alone.out)
    assert _untimed((models / "all.html").read_text()) == _untimed(page)
    assert re.findall("<h1>(.*?)</h1>", page) == ["lamp.ispl", "counter.ispl"]
    places = re.findall('<section id="(.*?)"', page)
    assert len(set(places)) == len(places)
    if form == "junit":
        assert [suite.get("name") for suite in ElementTree.fromstring(beside.out)] == list(files)
    elif form == "sarif":
        assert len(json.loads(beside.out)["runs"]) == 1


def _untimed(text: str) -> str:
    return re.sub(r"(time=\"|\()[\d.]+( m?s\))?", "", text)


def test_what_cannot_be_meant_is_said(run: Run) -> None:
    assert "--jobs needs files" in run("check", "lamp.ispl", "-", "--jobs", "2").err
    assert "--watch needs files" in run("check", "-", "--watch").err


def test_a_watched_file_is_checked_again_when_it_changes(models: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "check", "lamp.ispl", "--watch"],
        cwd=models,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "EPISTRAT_IN_PROCESS": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        first = _until_waiting(process)
        (models / "lamp.ispl").write_text(LAMP.replace("end Formulae", "  AG (lit or !lit);\nend Formulae"))
        second = _until_waiting(process)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 1  # as the last check
    finally:
        process.kill()
        process.communicate()
    assert first.count(" holds  ") + 1 == second.count(" holds  ")


def _until_waiting(process: subprocess.Popen[str]) -> str:
    """What is printed until the command waits for a change."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if "waiting for a change" in line:
            break
    return "".join(lines)


def test_the_manual_page_names_every_command_and_option(run: Run) -> None:
    from epistrat.cli.completion import known

    page = run("help", "--man")
    assert page.status == 0
    assert page.out.startswith(".TH EPISTRAT 1")
    for verb, one in known().items():
        assert f".SS {verb}\n" in page.out
        assert all(flag.replace("-", "\\-") in page.out for flag in one.options if flag != "--help")
    assert ".SH EXIT STATUS" in page.out
