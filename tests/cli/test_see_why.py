"""The hint that is printed below the answers reproduces the verdict, and shows why."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.lamp_models import LAMP, Run

COMMAND = [sys.executable, "-c", "from epistrat.cli.main import run; run()"]


def hint(shown: str) -> list[str]:
    _, _, command = shown.partition("See why: epistrat ")
    return shlex.split(command.strip().removesuffix(" (with the same input)"))


@pytest.mark.parametrize(
    "options",
    [
        ["-f", "AG !lit"],
        ["-f", "EF lit", "-f", "<g>G (lit and !lit)", "--strategies", "uniform", "--group", "g"],
        ["-f", "AF lit", "--strategies", "objective", "--engine", "reference"],
        ["--only", "1-2", "--recall", "1"],
        ["--strategies=subjective", "--time", "60"],
    ],
)
def test_all_options_are_kept(run: Run, options: list[str]) -> None:
    done = run("check", "lamp.ispl", *options)
    again = hint(done.out)
    places = [place for place, word in enumerate(options) if word in ("-f", "--only")]
    kept = [word for place, word in enumerate(options) if place not in places and place - 1 not in places]
    assert again[:-3] == ["check", "lamp.ispl", *kept]
    asked = [options[place + 1] for place in places if options[place] == "-f"]
    assert again[-3:] == (["-f", asked[-1], "--evidence"] if asked else ["--only", "2", "--evidence"])
    why = run(*again)
    failing = next(line for line in done.out.splitlines() if "FAILS" in line)
    assert why.status == 1
    assert failing.partition("FAILS")[2] in why.out
    assert "Re-checked independently" in why.out


def test_of_several_files_the_one_that_fails(run: Run) -> None:
    done = run("check", "counter.ispl", "lamp.ispl", "--no-replay")
    assert hint(done.out) == ["check", "lamp.ispl", "--no-replay", "--only", "2", "--evidence"]


def test_a_simulation_is_not_asked_for_again(shell: Run) -> None:
    done = shell("check", "lamp.ispl", "--simulate", "2", input="q\n")
    assert hint(done.out)[:5] == ["check", "lamp.ispl", "--only", "2", "--evidence"]


def test_standard_input_again(models: Path) -> None:
    piped = subprocess.run(
        [*COMMAND, "check", "-", "-f", "AF lit"], input=LAMP, capture_output=True, text=True, timeout=60, check=False
    )
    assert piped.stdout.rstrip().endswith("See why: epistrat check - -f 'AF lit' --evidence (with the same input)")
    with (models / "lamp.ispl").open() as file:
        redirected = subprocess.run(
            [*COMMAND, "check", "-"], stdin=file, capture_output=True, text=True, timeout=60, check=False
        )
    assert redirected.stdout.rstrip().endswith(
        f"See why: epistrat check - --only 2 --evidence < {models / 'lamp.ispl'}"
    )


def test_of_many_formulae_only_the_one_that_fails_is_repeated(run: Run) -> None:
    many = [word for _ in range(10) for word in ("-f", "EF lit")]
    done = run("check", "lamp.ispl", *many, "-fAG lit", "--formula=EF !lit")
    assert hint(done.out) == ["check", "lamp.ispl", "-f", "AG lit", "--evidence"]
