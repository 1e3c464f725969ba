"""Verdicts under `--strategies uniform` say what that means, in text, JSON and pages."""

from __future__ import annotations

from pathlib import Path

from tests.cli.lamp_models import LAMP, Run

from epistrat.answers import Strategies
from epistrat.service import CheckRequest, Text, ask
from epistrat.studio.data import result_data

MEANS = "if all agents fix their rules first, and cooperate"


def test_each_verdict_says_what_it_means(run: Run, models: Path) -> None:
    done = run("check", "lamp.ispl", "--strategies", "uniform")
    holding = [line for line in done.out.splitlines() if "  holds  " in line]
    assert len(holding) == 3  # AF lit too: the lamp cooperates
    assert all(line.endswith(f", {MEANS}") for line in holding)
    assert "is asked by --strategies objective" in done.out
    found = run("check", "lamp.ispl", "--strategies", "uniform", "--json").json["results"]
    assert {one["read_as"] for one in found} == {MEANS}


def test_failing_and_groups(run: Run, models: Path) -> None:
    done = run("check", "lamp.ispl", "--strategies", "uniform", "-f", "AG lit")
    assert "FAILS  AG lit, whatever rules all agents fix first" in done.out
    assert "--strategies objective" not in done.out  # no strategy is asked for
    named = run("check", "lamp.ispl", "--strategies", "uniform", "--group", "g", "-f", "AF lit")
    assert "holds  AF lit, if Lamp fixes its rules first" in named.out


def test_other_readings_say_nothing(run: Run, models: Path) -> None:
    for reading in ("any", "objective", "subjective"):
        assert "fix" not in run("check", "lamp.ispl", "--strategies", reading).out


def test_pages_say_it_too(run: Run, models: Path) -> None:
    run("check", "lamp.ispl", "--strategies", "uniform", "--html", "page.html")
    assert MEANS in (models / "page.html").read_text()


def test_the_studio_says_it_too() -> None:
    report = ask(CheckRequest(model=Text(LAMP, "lamp.ispl"), strategies=Strategies.UNIFORM))[0]
    assert all(f"holds, {MEANS}." in result_data(report.system, result)["notes"] for result in report.results)
