"""A strategy that is shown serves all initial states, or says which ones; a win by leaving a range is said to be one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from epistrat.cli.main import main

KEYS = """
Agent P Vars: key : {red, blue}; out : boolean; end Vars Actions = {use_red, use_blue};
  Protocol: Other : {use_red, use_blue}; end Protocol
  Evolution: out = true if (key = red and Action = use_red) or (key = blue and Action = use_blue); end Evolution
end Agent
Evaluation out if P.out; end Evaluation
InitStates !P.out; end InitStates
Formulae <P>X out; end Formulae
"""
HIDDEN_KEYS = """
Agent Environment Vars: key : {red, blue}; out : boolean; end Vars Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution: out = true if key = red and P.Action = use_red or key = blue and P.Action = use_blue; end Evolution
end Agent
Agent P Vars: idle : boolean; end Vars Actions = {use_red, use_blue};
  Protocol: Other : {use_red, use_blue}; end Protocol
  Evolution: idle = false if Action = use_red; end Evolution
end Agent
Evaluation out if Environment.out; end Evaluation
InitStates !Environment.out and !P.idle; end InitStates
Formulae <P>X out; end Formulae
"""
MOON = """
Agent P Vars: n : 0..3; moon : boolean; end Vars Actions = {up, stay}; Protocol: Other : {up, stay}; end Protocol
  Evolution: moon = false and n = n + 1 if Action = up; end Evolution end Agent
Evaluation on_moon if P.moon; end Evaluation
InitStates P.n = 0 and !P.moon; end InitStates
Groups p = {P}; end Groups
Formulae <p>F on_moon; end Formulae
"""


def strategy(tmp_path: Path, text: str, *options: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    model = tmp_path / "model.ispl"
    model.write_text(text)
    status = main(["strategy", str(model), *options])
    return status, capsys.readouterr().out


@pytest.mark.parametrize("reading", ["any", "uniform", "objective", "subjective"])
def test_one_strategy_serves_all_initial_states(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], reading: str
) -> None:
    status, shown = strategy(tmp_path, KEYS, "--strategies", reading, "--verify", capsys=capsys)
    assert status == 0
    assert "-> use_blue" in shown and "-> use_red" in shown
    assert "initial state" not in shown
    assert "Checked: the model restricted to these rules satisfies" in shown


def test_where_no_strategy_serves_all_each_says_from_where_it_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, shown = strategy(tmp_path, HIDDEN_KEYS, "--strategies", "objective", "--verify", capsys=capsys)
    assert status == 0
    assert shown.startswith("No strategy was found that works from all initial states. 2 strategies are for these:")
    assert "From Environment.key=red" in shown and "From Environment.key=blue" in shown
    assert shown.count("Checked: the model restricted to these rules satisfies") == 2
    _, shown = strategy(tmp_path, HIDDEN_KEYS, "--strategies", "objective", "--json", capsys=capsys)
    data = json.loads(shown)
    assert [len(one["initial_states"]) for one in (data, *data["others"])] == [1, 1]


ONE_OF_TWO = HIDDEN_KEYS.replace("key = red and P.Action = use_red or ", "key = red or ")
"""With the red key both actions open: the first that works there is not the one that works with both keys."""


@pytest.mark.parametrize("engine", ["reference", "symbolic"])
@pytest.mark.parametrize("reading", ["objective", "subjective"])
@pytest.mark.parametrize("text", [KEYS, ONE_OF_TWO])
def test_evidence_shows_the_strategy_that_serves_all_initial_states(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, reading: str, engine: str
) -> None:
    (tmp_path / "keys.ispl").write_text(text)
    options = ["--strategies", reading, "--evidence", "--engine", engine]
    assert main(["check", str(tmp_path / "keys.ispl"), *options]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "-> use_blue" in shown and "From the initial state" not in shown
    assert "Re-checked independently: every step is possible and shows what it should." in shown
    assert strategy(tmp_path, text, *options[:2], "--verify", capsys=capsys)[0] == 0


def test_evidence_that_serves_one_initial_state_names_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "keys.ispl").write_text(HIDDEN_KEYS)
    assert main(["check", str(tmp_path / "keys.ispl"), "--strategies", "objective", "--evidence"]) == 0
    assert "From the initial state with key = red, not out and not P.idle:" in capsys.readouterr().out


def test_a_win_by_leaving_a_range_is_said_to_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reason = "only because evolution line 1 of P leaves its range"
    status, shown = strategy(tmp_path, MOON, "--verify", capsys=capsys)
    assert status == 0
    assert f"Yes, but {reason}" in shown
    assert f"satisfies <p>F on_moon, but {reason}" in shown
    _, shown = strategy(tmp_path, MOON, "--json", capsys=capsys)
    assert json.loads(shown)["only_because"].startswith("evolution line 1 of P")


def test_the_explanation_names_the_line_that_leaves_its_range(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "moon.ispl").write_text(MOON)
    assert main(["check", str(tmp_path / "moon.ispl"), "--evidence", "--allow-vacuous"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "with P: up, evolution line 1 of P would give P.n the value 4, outside 0..3" in shown


def test_without_a_formula_all_strategic_ones_of_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = MOON.replace("<p>F on_moon;", "AG !on_moon; <p>G !on_moon; <p>X on_moon;")
    status, shown = strategy(tmp_path, text, capsys=capsys)
    assert status == 1
    assert [line for line in shown.splitlines() if line[1:4] == "  <"] == ["2  <p>G !on_moon", "3  <p>X on_moon"]
    status, shown = strategy(tmp_path, text, "--only", "2", capsys=capsys)
    assert status == 0 and shown.startswith("Yes.")
    assert strategy(tmp_path, text, "--ispl", "-", capsys=capsys)[0] == 2


def test_strategies_that_agree_are_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the green key both actions open: what is found for it is what one of the other keys needs, and is named once."""
    text = HIDDEN_KEYS.replace("{red, blue}", "{red, blue, green}").replace(
        "if key = red and", "if key = green or key = red and"
    )
    _, shown = strategy(tmp_path, text, "--strategies", "objective", "--json", capsys=capsys)
    data = json.loads(shown)
    assert sorted(len(one["initial_states"]) for one in (data, *data["others"])) == [1, 2]
