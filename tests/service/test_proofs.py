"""Proofs as a stage after an answer: what they say, what they may cost, and what a proof that fails means."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import epistrat
from epistrat.answers import How, Misuse, Strategies, Verdict
from epistrat.answers.backing import Standing
from epistrat.engines import contract, registry
from epistrat.engines.contract import Facts, Outcome, Session
from epistrat.evidence.proof.attempt import Proof
from epistrat.model.system import System
from epistrat.service import CheckRequest, ask, proofs
from epistrat.service.requests import Text
from epistrat.solvers.budget import Budget, OutOfBudget

LAMP = """
Agent Lamp
    Vars: lit : boolean; end Vars
    Actions = {press, rest};
    Protocol: Other : {press, rest}; end Protocol
    Evolution: lit = true if Action = press; end Evolution
end Agent
Evaluation lit if Lamp.lit = true; end Evaluation
InitStates Lamp.lit = false; end InitStates
Groups g = {Lamp}; end Groups
Formulae AG EF lit; AF lit; <g>F lit; end Formulae
"""
COUNTER = """
Agent Counter
    Vars: n : integer; end Vars
    Actions = {count, rest};
    Protocol: Other : {count, rest}; end Protocol
    Evolution: n = n + 1 if Action = count; end Evolution
end Agent
Evaluation good if Counter.n >= 0; end Evaluation
InitStates Counter.n = 0; end InitStates
Formulae AG good; end Formulae
"""


class Liar(Session):
    """Says that everything holds."""

    def check(self, formula: object) -> Outcome:
        return Outcome(Verdict.HOLDS)

    def facts(self) -> Facts:
        return Facts(None)

    def statistics(self) -> dict[str, int]:
        return {}

    def close(self) -> None:
        pass


def test_verdicts_are_proved_unless_that_is_not_wanted() -> None:
    for more, standing in (({}, Standing.PROVED), ({"prove": False}, None)):
        report, _ = ask(CheckRequest(model=Text(LAMP), **more))  # type: ignore[arg-type]
        said = [None if one.backing is None else one.backing.standing for one in report.results]
        assert said == [standing] * 3


def test_a_proof_may_cost_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "LEAST", 0.0)
    monkeypatch.setattr(proofs, "SHARE", 0.0)
    report, _ = ask(CheckRequest(model=Text(LAMP)))
    assert all(one.decided and one.backing is not None for one in report.results)
    assert {one.backing.standing for one in report.results if one.backing is not None} == {Standing.ALONE}
    report, _ = ask(CheckRequest(model=Text(LAMP), require_proof=True))
    assert {one.backing.standing for one in report.results if one.backing is not None} == {Standing.PROVED}


def test_where_rules_are_fixed_first_what_is_shown_is_checked() -> None:
    """There is no proof, but the strategies that are shown are played, and required proof asks for them."""
    report, _ = ask(CheckRequest(model=Text(LAMP), strategies=Strategies.UNIFORM, require_proof=True))
    assert all(one.decided for one in report.results)
    assert {one.backing.standing for one in report.results if one.backing is not None} == {Standing.CHECKED}


@pytest.mark.parametrize("obligations", [0, 7])
def test_without_proof_there_is_no_verdict_where_one_is_required(
    obligations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object, **__: object) -> Proof:
        return Proof(False, obligations, reason="diagrams grow too large")

    monkeypatch.setattr(proofs, "proof_of", none)
    report, _ = ask(CheckRequest(model=Text(LAMP), require_proof=True))
    assert {one.verdict for one in report.results} == {Verdict.UNKNOWN}
    assert all("but there is no proof: diagrams grow too large" in (one.reason or "") for one in report.results)


def test_a_verdict_whose_proof_fails_is_unknown_and_another_engine_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EPISTRAT_STRICT")  # which makes it an error
    first = epistrat.load(LAMP).check("AF lit")[0].engine
    monkeypatch.setattr(type(registry.load(str(first))), "open", lambda *_: Liar())
    report, _ = ask(CheckRequest(model=Text(LAMP), engine=str(first), formulae=("AF lit",), facts=False, remarks=False))
    (result,) = report.results
    assert result.verdict is Verdict.UNKNOWN
    assert f"{first} says holds, and its proof fails" in (result.reason or "")
    assert "says fails" in (result.reason or "")
    assert report.ending.how is How.CRASHED
    assert "the proof of formula 1 fails" in (report.ending.reason or "")


def test_obligations_about_infinitely_many_states_are_kept(tmp_path: Path) -> None:
    report, _ = ask(CheckRequest(model=Text(COUNTER), proof=str(tmp_path)))
    assert [one.backing.standing for one in report.results if one.backing is not None] == [Standing.PROVED]
    manifest = json.loads((tmp_path / "1" / "manifest.json").read_text())
    assert manifest["formula"] == "AG good"
    z3 = pytest.importorskip("z3")
    for row in manifest["obligations"]:
        for file in row["files"]:
            solver = z3.Solver()
            solver.from_string((tmp_path / "1" / file).read_text())
            assert str(solver.check()) == row["expected"]


def written(folder: Path) -> dict[str, list[str]]:
    """For each formula whose proof is kept what the manifest lists, which is what is there."""
    found = {}
    for manifest in folder.glob("*/manifest.json"):
        rows = json.loads(manifest.read_text())["obligations"]
        found[manifest.parent.name] = sorted(name for row in rows for name in row["files"])
        assert sorted(one.name for one in manifest.parent.iterdir()) == sorted(
            [*found[manifest.parent.name], manifest.name]
        )
    return found


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"require_proof": True, "prove": False}, "require_proof needs proofs"),
        ({"proof": "kept", "prove": False}, "proof needs proofs"),
        ({"drat": True}, "drat needs proof=DIR"),
    ],
)
def test_what_is_wanted_and_not_wanted_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(Misuse, match=words):
        ask(CheckRequest(model=Text(LAMP), **given))  # type: ignore[arg-type]


def test_where_proofs_are_required_states_alone_decide_nothing() -> None:
    report, _ = ask(CheckRequest(model=Text(LAMP), deadlock=True, overflow=True, require_proof=True))
    assert [one.verdict for one in report.results if one.question.property] == [Verdict.UNKNOWN] * 2
    assert "there is no proof" in (report.results[-1].reason or "")


def test_proofs_of_an_earlier_check_are_removed_and_other_files_are_not(tmp_path: Path) -> None:
    ask(CheckRequest(model=Text(LAMP), proof=str(tmp_path)))
    assert written(tmp_path).keys() == {"1", "2", "3"}
    (tmp_path / "2" / "mine.txt").write_text("mine")
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "manifest.json").write_text('{"schema": "mine", "obligations": [{"files": ["1.cnf"]}]}')
    (tmp_path / "7" / "1.cnf").write_text("mine")
    ask(CheckRequest(model=Text(LAMP), only=(1,), proof=str(tmp_path), strategies=Strategies.UNIFORM))
    left = {str(one.relative_to(tmp_path)) for one in tmp_path.glob("*/*")}
    assert left == {"2/mine.txt", "7/manifest.json", "7/1.cnf"}


@pytest.mark.parametrize("model", [LAMP, COUNTER])
def test_a_directory_that_cannot_be_made_is_refused_before_the_work(tmp_path: Path, model: str) -> None:
    (tmp_path / "{file}").write_text("")
    with pytest.raises(Misuse, match="File exists") as wrong:
        ask(CheckRequest(model=Text(model), proof=str(tmp_path / "{file}")))
    assert str(wrong.value).endswith("{file}")


def test_a_manifest_says_of_which_model_it_is(tmp_path: Path) -> None:
    text = LAMP.replace("Agent Lamp", "Parameters n = 2; end Parameters Agent Lamp", 1)
    ask(CheckRequest(model=Text(text, "lamp.ispl", {"n": 3}), recall=1, proof=str(tmp_path)))
    said = json.loads((tmp_path / "1" / "manifest.json").read_text())
    assert (said["model"], said["parameters"], said["recall"]) == ("lamp.ispl", {"n": 3}, 1)


def test_solvers_that_recheck_evidence_do_not_write_over_proofs(tmp_path: Path) -> None:
    asked = CheckRequest(
        model=Text(LAMP), engine="lazy", evidence=True, formulae=("AG(lit or !lit)",), proof=str(tmp_path)
    )
    ask(asked)
    assert any(name.endswith(".cnf") for name in written(tmp_path)["1"])


def test_a_limit_leaves_out_files_and_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from epistrat.evidence.proof import files

    def late(*_: object) -> None:
        raise OutOfBudget("time limit reached")

    monkeypatch.setattr(files, "write", late)
    report, _ = ask(CheckRequest(model=Text(LAMP), proof=str(tmp_path)))
    assert all(one.decided and one.backing and one.backing.standing is Standing.PROVED for one in report.results)
    assert all("not kept: time limit reached" in one.notes[0] for one in report.results)


def test_a_proof_leaves_time_for_further_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[float] = []

    def none(system: System, *_: object, **__: object) -> Proof:
        left.append(budget.left or 0.0)
        return Proof(False, reason="nothing was tried")

    monkeypatch.setattr(proofs, "proof_of", none)
    budget = Budget(seconds=100.0)
    ask(CheckRequest(model=Text(LAMP), require_proof=True), budget)
    assert [round(one / 100, 1) for one in left] == [0.3, 0.5, 1.0]


def test_a_limit_is_named_as_it_is() -> None:
    def late() -> None:
        raise OutOfBudget("memory limit of 1 MB reached")

    system = epistrat.load(LAMP)
    found = proofs.proof_of(system, proofs.provers(system, late), system.formulae[0], True, Strategies.ANY)
    assert found.reason == "memory limit of 1 MB reached"


def test_the_share_is_for_all_proofs_of_a_request_together(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bool] = []

    def slow(*_: object, **__: object) -> Proof:
        tried.append(True)
        started = time.process_time()
        while time.process_time() - started < 0.03:
            pass
        return Proof(False, reason="it is slow")

    monkeypatch.setattr(proofs, "LEAST", 0.02)
    monkeypatch.setattr(proofs, "SHARE", 0.0)
    monkeypatch.setattr(proofs, "proof_of", slow)
    report, _ = ask(CheckRequest(model=Text(LAMP)))
    assert len(tried) == 1
    said = [one.backing.reason for one in report.results if one.backing is not None]
    assert said == ["it is slow", *["a proof takes longer than its share of the time"] * 2]


def test_what_the_engine_says_is_written_down_within_the_share(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []

    def exported(self: object, tick: Callable[[], object] = lambda: None) -> None:
        told.append(tick)
        started = time.process_time()
        while time.process_time() - started < 1.0:
            tick()

    monkeypatch.setattr(contract.Session, "exported", exported)
    monkeypatch.setattr(type(registry.load("symbolic")), "open", lambda *_: Liar())
    report, _ = ask(CheckRequest(model=Text(LAMP), engine="symbolic", formulae=("EF lit",), facts=False, remarks=False))
    (result,) = report.results
    assert told
    assert result.backing is not None
    assert result.backing.reason == "a proof takes longer than its share of the time"
    assert result.backing.seconds < 0.6
