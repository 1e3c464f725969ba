"""Names of formulae: in the text, in what is asked, in every answer, and back in ISPL."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import epistrat
from epistrat.answers import Misuse
from epistrat.cli.main import main
from epistrat.lang.load import load

LAMP = """
Agent Lamp
  Vars: on: boolean; end Vars
  Actions = {press};
  Protocol: Other: {press}; end Protocol
  Evolution: on = true if on = false; on = false if on = true; end Evolution
end Agent
Evaluation lit if Lamp.on = true; end Evaluation
InitStates Lamp.on = false; end InitStates
Formulae
  blinks: AG AF lit;
  AG lit;
  knows: AG(lit -> K(Lamp, lit));
end Formulae
-- expect: blinks holds, 2 fails, knows holds; states 2
"""


def test_names_select_questions_and_stand_in_results() -> None:
    model = epistrat.load(LAMP)
    assert model.formula_names == ("blinks", "", "knows")
    assert [(one.index, one.name, one.text) for one in model.check(only=["knows", 1])] == [
        (1, "blinks", "AG AF lit"),
        (3, "knows", "AG(lit -> K(Lamp, lit))"),
    ]
    assert model.check(only=["knows"])[0].to_json()["name"] == "knows"
    with pytest.raises(Misuse, match=r"there is no formula privacy: the model has 3 \(blinks, knows\)"):
        model.check(only=["privacy"])


def test_names_survive_printing_and_the_builder() -> None:
    model = epistrat.load(LAMP)
    assert load(model.to_ispl()).system == model
    builder = epistrat.Builder()
    builder.agent("Lamp").actions("press")
    builder.formula("true", sure="AG true")
    assert builder.build().formula_names == ("", "sure")


def test_every_format_shows_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lamp.ispl"
    file.write_text(LAMP)
    assert main(["check", str(file), "--expect"]) == 0
    assert "blinks: AG AF lit" in capsys.readouterr().out
    assert main(["check", str(file), "--only", "blinks", "--json"]) == 0
    assert [one["name"] for one in json.loads(capsys.readouterr().out)["results"]] == ["blinks"]
    assert main(["info", str(file), "--no-states"]) == 0
    assert "blinks: AG AF lit" in capsys.readouterr().out
    page = tmp_path / "page.html"
    for form in ("junit", "text"):
        assert (
            main(["check", str(file), "--only", "blinks,3", "--evidence", "--format", form, "--html", str(page)]) == 0
        )
        assert "knows: AG(lit" in capsys.readouterr().out
    assert "<b>knows</b>" in page.read_text()


def test_mistakes() -> None:
    twice = load(LAMP.replace("knows:", "blinks:"))
    assert [(one.code, one.message) for one in twice.diagnostics] == [
        ("W007", "the formula's name `blinks` is written twice")
    ]
    strict = load(LAMP, strict=True)
    assert [one.message for one in strict.diagnostics] == ["MCMAS has no names for formulae"] * 2
