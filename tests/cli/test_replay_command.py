"""``epistrat replay``: saved answers are re-checked, false ones and those not re-checked are told apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.cli.lamp_models import Ran, Run

from epistrat.answers import Certificate, Verdict
from epistrat.evidence.findings import Replay
from epistrat.logic.formula import Truth
from epistrat.render.replay import show_rechecked
from epistrat.render.wording import Style

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs/schema/replay-1.json").read_text())
MODEL = """
Agent Coin
  Vars: side : {heads, tails}; n : 0..40; end Vars
  Actions = {flip, keep};
  Protocol: Other : {flip, keep}; end Protocol
  Evolution:
    side = tails and n = n + 1 if Action = flip and side = heads and n < 40;
    side = heads and n = n + 1 if Action = flip and side = tails and n < 40;
  end Evolution
end Agent
Evaluation heads if Coin.side = heads; end Evaluation
InitStates (Coin.side = heads or Coin.side = tails) and Coin.n = 0; end InitStates
Groups g = {Coin}; end Groups
Formulae
  EF heads;
  AG heads;
  AG EF heads;
  <g>F heads;
end Formulae
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "coin.ispl"
    path.write_text(MODEL)
    return path


@pytest.fixture
def saved(run: Run, model: Path, tmp_path: Path) -> Callable[..., Path]:
    """Saves the answers to a file, after a change."""

    def save(*options: str, change: Callable[[dict[str, Any]], None] = lambda _: None) -> Path:
        report = json.loads(run("check", str(model), "--json", "--evidence", *options).out)
        change(report)
        path = tmp_path / "answers.json"
        path.write_text(json.dumps(report))
        return path

    return save


def test_true_answers_hold_up(run: Run, model: Path, saved: Callable[..., Path]) -> None:
    done = run("replay", str(model), str(saved()))
    assert done.status == 0, done
    assert "4 answers: 4 proved again." in done.out
    done = run("replay", str(model), str(saved()), "--no-proof")
    assert done.status == 0 and "proved again" not in done.out, done


def test_what_was_not_rechecked_is_told_apart_from_what_is_false(
    run: Run, model: Path, saved: Callable[..., Path]
) -> None:
    done = run("replay", str(model), str(saved()), "--states", "0", "--no-proof")
    assert done.status == 1
    assert "not re-checked independently: EF heads fails" in done.out
    assert "1 more initial state" in done.out
    assert "false:" not in done.out

    def flip(report: dict[str, Any]) -> None:
        report["results"][1]["verdict"] = "holds"

    done = run("replay", str(model), str(saved(change=flip)))
    assert done.status == 1
    assert "false: AG heads fails: the verdict is holds" in done.out


def test_evidence_that_is_missing_is_listed(run: Run, model: Path, saved: Callable[..., Path]) -> None:
    def forget(report: dict[str, Any]) -> None:
        del report["results"][0]["evidence"]

    done = run("replay", str(model), str(saved(change=forget)), "--json", "--no-proof")
    assert done.status == 1
    found = json.loads(done.out)
    jsonschema.validate(found, SCHEMA)
    assert found["results"][0]["standing"] == "not re-checked"
    assert {result["standing"] for result in found["results"][1:]} <= {"re-checked", "checked by visiting all states"}
    assert found["results"][0]["replay"]["trusted"] == ["EF heads holds"]
    assert found["results"][0]["replay"]["initial_states"]["not_rechecked"] is None


def test_an_unknown_answer_to_a_formula_without_meaning_is_not_read(
    run: Run, model: Path, saved: Callable[..., Path]
) -> None:
    path = saved("--knowledge", "changes", "-f", "GCK(g, heads)", "-f", "EF heads")
    done = run("replay", str(model), str(path))
    assert done.status == 0, done
    assert "1 answer: 1 proved again." in done.out
    assert "Not read, and unknown anyway: GCK[changes](g, heads)." in done.out


@pytest.mark.parametrize("reading", ["uniform", "objective", "subjective"])
def test_the_reading_is_part_of_the_answer(run: Run, model: Path, saved: Callable[..., Path], reading: str) -> None:
    path = saved("--strategies", reading, "-f", "<g>F heads", "-f", "AF heads")
    done = run("replay", str(model), str(path))
    assert "false" not in done.out
    if reading == "uniform":
        assert done.status == 0

        def read_plainly(report: dict[str, Any]) -> None:
            for result in report["results"]:
                result["strategies"] = "any"

        path = saved("--strategies", reading, "-f", "AF heads", change=read_plainly)
        assert "false:" in run("replay", str(model), str(path)).out


BROKEN: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no results": (lambda r: r.pop("results"), "there is no 'results'"),
    "no list": (lambda r: r.update(results=3), "results: this should be a list"),
    "verdict": (lambda r: r["results"][0].update(verdict="maybe"), "results[0].verdict: this is one of holds, fails"),
    "formula": (
        lambda r: r["results"][0].update(formula="EF tails"),
        "results[0].formula: not a formula of this model",
    ),
    "agent": (lambda r: r["results"][0].update(group=["Nobody"]), "results[0].group[0]: the model has no agent Nobody"),
    "variable": (
        lambda r: r["results"][0]["evidence"]["state"].update({"Coin.m": 1}),
        "results[0].evidence.state.Coin.m: the model has no such variable",
    ),
    "value": (
        lambda r: r["results"][0]["evidence"]["state"].update({"Coin.n": 41}),
        "results[0].evidence.state.Coin.n: Coin.n cannot be 41",
    ),
    "truth value": (
        lambda r: r["results"][0]["evidence"]["state"].update({"Coin.n": True}),
        "results[0].evidence.state.Coin.n: Coin.n cannot be True",
    ),
    "action": (
        lambda r: r["results"][1]["evidence"]["because"][0]["path"]["actions"].append({"Coin": "hop"}),
        ".Coin: Coin has no action hop",
    ),
    "schema": (lambda r: r.update(schema=2), "schema: these are answers in another format; this is 1"),
    "no schema": (lambda r: r.pop("schema"), "there is no 'schema'"),
    "schema of evidence": (
        lambda r: r["results"][0]["evidence"].update(schema="epistrat-evidence/2"),
        "results[0].evidence.schema: this is evidence in another format; this is epistrat-evidence/1",
    ),
    "reason": (
        lambda r: r["results"][0]["evidence"]["because"].append({"kind": "hunch", "hunch": {}}),
        "there is no reason of kind 'hunch'",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_does_not_fit_the_model_is_named_with_its_place(
    run: Run, model: Path, saved: Callable[..., Path], name: str
) -> None:
    change, message = BROKEN[name]
    done = run("replay", str(model), str(saved(change=change)))
    assert (done.status, done.out) == (3, "")
    assert message in done.err


def complaint(done: Ran) -> str:
    assert done.status == 3
    return done.err


def test_what_is_no_json_is_an_input_error(run: Run, model: Path, tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_text('{"results":\n [}')
    assert "line 2, column 3: not JSON" in complaint(run("replay", str(model), str(path)))
    path.write_bytes(b"\xff\xfe")
    assert "not UTF-8" in complaint(run("replay", str(model), str(path)))
    path.write_text("")
    assert "no report" in complaint(run("replay", str(model), str(path)))
    path.write_text("[" * 100_000)
    assert "too deep" in complaint(run("replay", str(model), str(path)))
    assert "cannot be read" in complaint(run("replay", str(model), str(tmp_path / "nothing.json")))
    assert "no such file" in complaint(run("replay", str(tmp_path / "nothing.ispl"), str(path)))


def test_an_object_that_says_two_things_under_one_name_is_refused(
    run: Run, model: Path, saved: Callable[..., Path]
) -> None:
    path = saved()
    path.write_text(path.read_text().replace('"verdict": "fails"', '"verdict": "holds", "verdict": "fails"'))
    assert "'verdict' is written twice in one object" in complaint(run("replay", str(model), str(path)))


def test_the_reading_of_strategies_is_said(run: Run, model: Path, saved: Callable[..., Path]) -> None:
    """Otherwise a file could say `any` where the usual reading is another, and the line would look the same."""
    for reading in ("any", "objective"):
        path = saved("--strategies", reading, "-f", "<g>F heads", "-f", "EF heads")
        first, second, *_ = run("replay", str(model), str(path)).out.splitlines()
        assert first.endswith(f"<g>F heads holds  (strategies: {reading})")
        assert second.endswith("EF heads holds")


HIDDEN = """
Agent Environment
  Vars: side : {left, right}; met : boolean; end Vars
  Actions = {none}; Protocol: Other : {none}; end Protocol
  Evolution:
    met = true if (side = left and Guest.Action = left) or (side = right and Guest.Action = right);
  end Evolution
end Agent
Agent Guest
  Vars: end Vars
  Actions = {left, right}; Protocol: Other : {left, right}; end Protocol
  Evolution: end Evolution
end Agent
Evaluation met if Environment.met = true; end Evaluation
InitStates Environment.met = false; end InitStates
Groups guest = {Guest}; end Groups
Formulae <guest>X met; end Formulae
"""


def test_answers_of_several_readings_in_one_file(run: Run, tmp_path: Path) -> None:
    """The host waits left or right, which the guest does not see: it would have to know."""
    (tmp_path / "hidden.ispl").write_text(HIDDEN)
    file, path = str(tmp_path / "hidden.ispl"), tmp_path / "answers.json"
    readings = ("any", "subjective", "objective")
    reports = [
        json.loads(run("check", file, "--json", "--evidence", "--strategies", reading).out) for reading in readings
    ]
    results = [report["results"][0] for report in reports]
    assert [one["verdict"] for one in results] == ["holds", "fails", "holds"]
    for order in ((0, 1, 2), (1, 0, 2)):
        path.write_text(json.dumps({**reports[0], "results": [results[place] for place in order]}))
        done = run("replay", file, str(path))
        assert "false:" not in done.out, done.out
        assert done.out.count("proved again ") >= 2, done.out


TOGETHER = """
Composition = Interleaved;
Agent Ann
  Vars: moved : boolean; end Vars
  Actions = {left, right};
  Protocol: Other : {left, right}; end Protocol
  Evolution: moved = true if Action = left or Action = right; end Evolution
end Agent
Agent Bob
  Vars: idle : boolean; end Vars
  Actions = {left, right};
  Protocol: Other : {left, right}; end Protocol
  Evolution: idle = true if idle = true; end Evolution
end Agent
Evaluation moved if Ann.moved = true; never if Bob.idle = true; end Evaluation
InitStates Ann.moved = false and Bob.idle = false; end InitStates
Groups both = {Ann, Bob}; ann = {Ann}; end Groups
Formulae <ann>F moved; <both>F never; end Formulae
"""


def test_answers_by_several_rules_of_play_in_one_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "together.ispl").write_text(TOGETHER)
    file, path = str(tmp_path / "together.ispl"), tmp_path / "answers.json"
    rules = (("--choices", "written"), ("--choices", "sets"), ("--blocking", "adversary"), ("--blocking", "ignore"))
    reports = [json.loads(run("check", file, "--json", "--evidence", *rule).out) for rule in rules]
    for order in ((0, 1, 2, 3), (3, 2, 1, 0)):
        results = [result for place in order for result in reports[place]["results"]]
        path.write_text(json.dumps({**reports[0], "results": results}))
        done = run("replay", file, str(path))
        assert "false:" not in done.out, done.out
        assert "(strategies: objective, blocking: adversary)" in done.out
    verdicts = [tuple(one["verdict"] for one in report["results"]) for report in reports]
    assert verdicts == [("holds", "fails"), ("holds", "fails"), ("fails", "fails"), ("holds", "holds")]


def test_answers_that_are_no_formulae_are_said_to_be_left_out(
    run: Run, model: Path, saved: Callable[..., Path]
) -> None:
    done = run("replay", str(model), str(saved("--deadlock")))
    assert done.status == 0
    assert "4 proved again." in done.out
    assert "Not re-checked, because they are no formulae: deadlock." in done.out


def test_of_several_reports_the_one_about_the_model_is_taken(run: Run, model: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.ispl"
    other.write_text(MODEL.replace("side : {heads", "side : {up, heads"))
    path = tmp_path / "answers.json"
    path.write_text(run("check", str(model), str(other), "--json", "--evidence").out)
    assert run("replay", str(model), str(path)).status == 0
    elsewhere = str(ROOT / "examples/card_game.ispl")
    assert "2 reports, and not one about this file" in complaint(run("replay", elsewhere, str(path)))


def test_what_a_group_without_members_cannot_know(run: Run, model: Path, saved: Callable[..., Path]) -> None:
    """Its look-alike names no agent, and can be read back all the same."""
    done = run("replay", str(model), str(saved("-f", "DK({}, heads)")))
    assert done.status == 0 and "1 answer: 1 proved again" in done.out, done


MANY_CHOICES = """
Parameters n = 10; k = 2; end Parameters
Constants twice = 2 * k; end Constants
Agent Environment
    Vars: lit : boolean; end Vars
    Actions = {rest};
    Protocol: Other : {rest}; end Protocol
    Evolution: lit = true if A[1].Action = press; end Evolution
end Agent
Agent A[i in 1..n]
    Vars: seen : 0..k; end Vars
    Actions = {press, wait};
    Protocol: Other : {press, wait}; end Protocol
    Evolution: seen = 1 if Action = press; end Evolution
end Agent
Evaluation lit if Environment.lit = true; end Evaluation
InitStates Environment.lit = false and forall i in 1..n: A[i].seen = 0; end InitStates
Formulae EF (lit and K(A[1], lit)); end Formulae
"""


def test_as_many_states_as_asked_are_visited_whatever_the_joint_actions(run: Run, tmp_path: Path) -> None:
    (tmp_path / "many.ispl").write_text(MANY_CHOICES)
    file, answers = str(tmp_path / "many.ispl"), tmp_path / "a.json"
    answers.write_text(run("check", file, "--json", "--evidence").out)
    shown = run("check", file, "--evidence", "--no-proof")
    assert "`epistrat replay --states N` visits larger ones" in " ".join(shown.out.split())
    first = run("replay", file, str(answers), "--no-proof")
    assert "1 not re-checked" in first.out
    assert "--states N visits larger ones" in first.out
    assert run("replay", file, str(answers), "--no-proof", "--states", "100000").status == 0


def test_other_values_of_parameters_are_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "many.ispl").write_text(MANY_CHOICES)
    file, answers = str(tmp_path / "many.ispl"), tmp_path / "a.json"
    answers.write_text(run("check", file, "--set", "n=2,k=3", "--json", "--evidence").out)
    done = run("replay", file, str(answers))
    assert done.status == 3
    assert "the answers are about the model with n = 2, k = 3; here n = 10, k = 2. Give --set n=2,k=3" in done.err
    assert run("replay", file, str(answers), "--set", "n=2,k=3").status == 0


def test_several_false_answers_do_not_hold_up() -> None:
    one = Certificate(Truth(True), Verdict.HOLDS)
    shown = list(show_rechecked([(1, one), (2, one)], [Replay(1, problems=("no",))] * 2, Style()))
    assert shown[-1] == "2 answers: 2 do not hold up."
