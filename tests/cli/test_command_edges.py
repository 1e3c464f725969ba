"""Edges of the command line: what is asked for and cannot be done is said, and the exit status says it too."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from tests.cli.lamp_models import Run

CLIMB = """
Agent Climber
  Vars: height : 0..3; steps : 0..3; end Vars
  Actions = {up, rest};
  Protocol: steps < 2 : {up, rest}; Other : {rest}; end Protocol
  Evolution: height = height + 1 and steps = steps + 1 if Action = up; end Evolution
end Agent
Evaluation high if Climber.height > 0; end Evaluation
InitStates Climber.height = 0 and Climber.steps = 0; end InitStates
Groups g = {Climber}; end Groups
Formulae EF high; end Formulae
"""


@pytest.fixture
def climb(models: Path) -> Path:
    (models / "climb.ispl").write_text(CLIMB)
    return models


def test_an_empty_range_of_formulae_is_refused(run: Run) -> None:
    done = run("check", "lamp.ispl", "--only", "2-1")
    assert done.status == 2
    assert "empty range" in done.err


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("--only=1-200000", "is a range of more than 100,000 numbers"),
        ("--nodes=99999999999999999999", "`99999999999999999999` is too large"),
        (f"--memory={'9' * 400}GB", "is too large"),
        ("--recall=1001", "1001 observations are too many; the most is 1,000"),
        ("--time=1e300", "1e300 is more than thirty years"),
        ("--proof=", "is no directory"),
    ],
)
def test_numbers_that_cannot_be_meant_are_refused(run: Run, given: str, words: str) -> None:
    done = run("check", "lamp.ispl", given)
    assert done.status == 2 and words in done.err, done


@pytest.mark.parametrize("library", ["oxidd", "cudd"])
def test_more_nodes_than_a_library_can_number_are_no_mistake(run: Run, library: str) -> None:
    if library == "cudd":
        pytest.importorskip("dd.cudd")
    assert run("check", "counter.ispl", "--nodes", "99999999999", "--bdd", library).status == 0


def test_proofs_about_two_files_are_not_mixed(run: Run, models: Path) -> None:
    done = run("check", "lamp.ispl", "counter.ispl", "--proof", "kept")
    assert done.status == 2 and "one file" in done.err
    assert not (models / "kept").exists()


def test_no_evidence_at_all_is_not_asked_with_all(run: Run) -> None:
    assert run("check", "lamp.ispl", "--evidence", "--all", "0").status == 2


def test_agents_must_exist(run: Run) -> None:
    done = run("check", "lamp.ispl", "--evidence", "--agents", "Nobody")
    assert done.status == 2
    assert "there is no agent 'Nobody'" in done.err


def test_misuse_is_told_beside_json(run: Run) -> None:
    done = run("check", "lamp.ispl", "--json", "--only", "99")
    assert done.status == 2
    assert json.loads(done.out)["results"] == []
    assert "there is no formula 99" in done.err


def test_standard_input_can_be_asked_again(run: Run, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((models / "lamp.ispl").read_bytes())))
    done = run("check", "-")
    assert "epistrat check - --only" in done.out


@pytest.mark.parametrize("switch", [("--engine", "no"), ("--order", "99"), ("--group", "g")])
def test_strategy_refuses_what_check_refuses(climb: Path, run: Run, switch: tuple[str, str]) -> None:
    assert run("strategy", "climb.ispl", "-f", "<g>F high", *switch).status == 2


@pytest.mark.parametrize("switch", ["--dot", "--ispl"])
def test_a_strategy_that_cannot_be_written(climb: Path, run: Run, switch: str) -> None:
    done = run("strategy", "climb.ispl", "-f", "<g>F high", switch, "no/such/place")
    assert done.status == 2
    assert "cannot be written" in done.err


@pytest.mark.parametrize("command", [("export", "--vmt"), ("export", "--dot"), ("expand",)])
def test_a_model_that_cannot_be_written(run: Run, models: Path, command: tuple[str, ...]) -> None:
    done = run(*command, "lamp.ispl", "-o", "no/such/place")
    assert done.status == 2
    assert done.err == "no/such/place cannot be written: no such file or directory\n"


def test_strategy_shows_where_a_formula_is_wrong(climb: Path, run: Run) -> None:
    done = run("strategy", "climb.ispl", "-f", "<g>F hihg")
    assert done.status == 3
    assert "^^^^" in done.err
    assert "did you mean `high`" in done.err


def test_what_no_reachable_state_does_is_not_warned_about(climb: Path, run: Run) -> None:
    """From the text alone height could pass 3; the states show that it never passes 2."""
    assert json.loads(run("check", "climb.ispl", "--json").out)["diagnostics"] == []
    assert json.loads(run("info", "climb.ispl", "--json").out)["diagnostics"] == []
    assert json.loads(run("info", "climb.ispl", "--json", "--no-states").out)["diagnostics"][0]["code"] == "W006"


def test_who_plays_no_role_in_the_model_may_play_one_in_a_formula(climb: Path, run: Run) -> None:
    idle = "Agent Idle Actions = {rest}; Protocol: Other : {rest}; end Protocol end Agent Evaluation"
    (climb / "idle.ispl").write_text((climb / "climb.ispl").read_text().replace("Evaluation", idle, 1))
    assert _codes(run, "idle.ispl") == ["W003"]
    assert run("check", "idle.ispl", "--json", "-f", "K(Idle, high)").json["diagnostics"] == []


def test_fractions_block_lines_and_stay_warned_about(climb: Path, run: Run) -> None:
    text = (climb / "climb.ispl").read_text().replace("height + 1 and", "height / 2 and")
    (climb / "climb.ispl").write_text(text.replace("Climber.height = 0", "Climber.height = 1"))
    codes = [one["code"] for one in json.loads(run("check", "climb.ispl", "--json").out)["diagnostics"]]
    assert "W006" in codes


def _codes(run: Run, file: str) -> list[str]:
    return [one["code"] for one in run("check", file, "--json").json["diagnostics"]]


def test_nothing_to_check_is_told_where_only_the_states_show_it(climb: Path, run: Run) -> None:
    text = (climb / "climb.ispl").read_text()
    (climb / "unfair.ispl").write_text(
        text.replace("Formulae", "Fairness Climber.height = 3; end Fairness Formulae", 1)
    )
    between = "Climber.far > 2 and Climber.far < 3 and Climber.height = 0"
    unbounded = text.replace("Vars:", "Vars: far : integer;").replace("Climber.height = 0", between)
    (climb / "nowhere.ispl").write_text(unbounded)
    assert _codes(run, "unfair.ispl") == ["W010"]
    assert _codes(run, "nowhere.ispl") == ["W001"]


def test_a_finite_engine_names_the_unbounded_variable_and_who_can(climb: Path, run: Run) -> None:
    text = (climb / "climb.ispl").read_text().replace("Vars:", "Vars: far : integer;")
    (climb / "far.ispl").write_text(text.replace("Climber.height = 0", "Climber.height = 0 and Climber.far = 0", 1))
    told = run("check", "far.ispl", "--engine", "symbolic", "--json").json["diagnostics"]
    (found,) = [one for one in told if one["code"] == "W012"]
    assert found["line"] == 1 + text[: text.index("far :")].count("\n")
    assert "abstraction" in found["message"]


def test_nothing_to_check_is_told_once(climb: Path, run: Run) -> None:
    text = (climb / "climb.ispl").read_text()
    (climb / "none.ispl").write_text(
        text.replace("Climber.height = 0", "false").replace("Formulae", "Fairness high; end Fairness Formulae", 1)
    )
    assert _codes(run, "none.ispl").count("W001") == 1
