"""Formulae that hold only because runs end, or because there is no run, are said to do so."""

from __future__ import annotations

from pathlib import Path

import pytest

import epistrat
from epistrat.cli.main import main

OVERFLOW = """
Agent P Vars: n : 0..3; moon : boolean; end Vars Actions = {up, stay}; Protocol: Other : {up, stay}; end Protocol
  Evolution: n = n + 1 if Action = up; end Evolution end Agent
Evaluation on_moon if P.moon; end Evaluation
InitStates P.n = 0 and !P.moon; end InitStates
Groups p = {P}; end Groups
Formulae EF on_moon; <p>F on_moon; <p>G !on_moon; AG !on_moon; end Formulae
"""
DEAD_END = """
Agent A Vars: x : 0..2; end Vars Actions = {go}; Protocol: x < 2 : {go}; end Protocol
  Evolution: x = x + 1 if Action = go; end Evolution end Agent
Evaluation two if A.x = 2; end Evaluation
InitStates A.x = 0; end InitStates
Formulae LTL G !two; LTL F false; AF two; AG !two; end Formulae
"""
UNFAIR = """
Agent A Vars: x : 0..1; end Vars Actions = {go}; Protocol: Other : {go}; end Protocol
  Evolution: x = 1 if Action = go; end Evolution end Agent
Evaluation zero if A.x = 0; end Evaluation
InitStates A.x = 0; end InitStates
Fairness zero; end Fairness
Formulae AG zero; EF zero; end Formulae
"""
NOWHERE = """
Agent A Vars: x : 0..1; end Vars Actions = {go}; Protocol: Other : {go}; end Protocol
  Evolution: x = 1 if Action = go; end Evolution end Agent
Evaluation zero if A.x = 0; end Evaluation
InitStates A.x = 0 and A.x = 1; end InitStates
Formulae AG zero; end Formulae
"""


def trivial(text: str) -> list[bool]:
    return [result.only_because is not None for result in epistrat.load(text).check(evidence=False)]


def test_a_group_that_wins_by_leaving_a_range() -> None:
    assert trivial(OVERFLOW) == [False, True, False, False]


def test_runs_that_end() -> None:
    assert trivial(DEAD_END) == [True, True, False, False]


@pytest.mark.parametrize("engine", ["symbolic", "explicit", "reference"])
def test_the_reason_does_not_depend_on_the_engine(engine: str) -> None:
    found = epistrat.load(OVERFLOW).check("<p>F on_moon", engine=engine, evidence=False)
    assert found[0].only_because == "evolution line 1 of P leaves its range, and such a step leads nowhere"


@pytest.mark.parametrize(("text", "word"), [(UNFAIR, "no fair run"), (NOWHERE, "no initial state")])
def test_nothing_to_range_over_is_no_success(
    text: str, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "model.ispl"
    file.write_text(text, encoding="utf-8")
    assert main(["check", str(file)]) == 1
    said = capsys.readouterr().out
    assert f"only because there is {word}" in said
    assert f"Nothing was checked: {word}." in said
    assert main(["check", str(file), "--allow-vacuous"]) == 0


def test_everything_true_for_a_trivial_reason_is_no_success(tmp_path: Path) -> None:
    file = tmp_path / "model.ispl"
    file.write_text(DEAD_END, encoding="utf-8")
    only_trivial = ["check", str(file), "--only", "1,2"]
    assert main(only_trivial) == 1
    assert main([*only_trivial, "--allow-vacuous"]) == 0
    assert main(["check", str(file), "--only", "1,3"]) == 0
