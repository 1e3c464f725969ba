"""Words that first users stumbled over."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.lamp_models import Run

from epistrat.answers.explanation import Moment, Scene
from epistrat.experiments.tables import tally
from epistrat.render.page import _repeats


def test_a_formula_without_strategy_is_no_question_about_one(run: Run, models: Path) -> None:
    for formula in ("AG lit", "EF lit"):
        done = run("strategy", "lamp.ispl", "-f", formula)
        assert done.status == 2
        assert "the formula asks for no strategy: ask `<group>F goal`" in done.err
        assert "No." not in done.out
    assert run("strategy", "lamp.ispl", "-f", "AF lit", "--strategies", "uniform").status == 0


def test_numbers_and_verbs_agree() -> None:
    assert tally(["fails"] * 5 + ["holds"] * 2 + ["unknown"]) == "5 fail, 2 hold, 1 unknown"
    assert tally(["fails", "holds", "error"]) == "1 fails, 1 holds, 1 error"


def test_several_packages_are_not_installed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("epistrat.cli.studio.find_spec", lambda name: None)
    assert "starlette, uvicorn, websockets are not installed" in run("studio").err


def scene(*states: int, loop: int) -> Scene:
    return Scene("", tuple(Moment(n, (state,), None, (), (), False) for n, state in enumerate(states)), loop)


def test_pages_say_which_moments_repeat() -> None:
    assert _repeats(scene(0, 1, 2, 3, 1, loop=1), 1) == "Moments 1 to 3 repeat for ever."
    assert _repeats(scene(0, 1, 1, loop=1), 1) == "Moment 1 repeats for ever."
