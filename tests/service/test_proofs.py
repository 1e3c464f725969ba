"""Proofs as a stage after an answer: what they say, what they may cost, and what a proof that fails means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import epistrat
from epistrat.answers import How, Strategies, Verdict
from epistrat.answers.backing import Standing
from epistrat.engines import registry
from epistrat.engines.contract import Facts, Outcome, Session
from epistrat.evidence.proof.attempt import Proof
from epistrat.service import CheckRequest, ask, proofs
from epistrat.service.requests import Text

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
    monkeypatch.setattr(proofs, "_LEAST", 0.0)
    monkeypatch.setattr(proofs, "_SHARE", 0.0)
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


def test_without_proof_there_is_no_verdict_where_one_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> Proof:
        return Proof(False, reason="diagrams grow too large")

    monkeypatch.setattr(proofs, "proof_of", none)
    report, _ = ask(CheckRequest(model=Text(LAMP), require_proof=True))
    assert {one.verdict for one in report.results} == {Verdict.UNKNOWN}
    assert all("but there is no proof: diagrams grow too large" in (one.reason or "") for one in report.results)


def test_a_verdict_whose_proof_fails_is_unknown_and_another_engine_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
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
