"""Proof searches that are given up early, and solvers without time: less is known then, and nothing is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
import z3

from epistrat.answers import Verdict
from epistrat.encoding.smt.system import SmtSystem
from epistrat.encoding.transitions import transitions
from epistrat.engines.abstraction.exact import KnowledgeAsConditions
from epistrat.engines.contract import Options
from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.proving.templates import Templates
from epistrat.proving.unrolling import Unrolling
from epistrat.service import models, pipeline
from epistrat.service.expect import read_expectation
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import IMPATIENT, PATIENT, Patience
from epistrat.terms import TRUE

ROOT = Path(__file__).parents[2]
FILES = {
    path.stem: path
    for folder in ("tests/abstraction/models", "examples/unbounded")
    for path in (ROOT / folder).glob("*.ispl")
}


def _answers(name: str, engine: str, patience: Patience, seconds: float) -> list[Verdict]:
    """The verdicts; none may be another one than the file expects, and no evidence may be refused."""
    text = FILES[name].read_text(encoding="utf-8")
    system, expected = load(text, name).system, read_expectation(text).verdicts
    assert system is not None
    asked, budget = models.questions(system), Budget(seconds, patience=patience)
    report = pipeline.check(system, asked, engine=engine, options=Options(evidence=True), budget=budget)
    for result in report.results:
        assert result.verdict is Verdict.UNKNOWN or result.verdict.value == expected[result.index], result.index
        assert result.replay is None or not result.replay.problems, result.index
    return [result.verdict for result in report.results]


@pytest.mark.parametrize("extent", [0.0, 0.1])
@pytest.mark.parametrize("name", ["ferry", "countdown", "interest"])
def test_abstractions_that_are_hardly_refined(name: str, extent: float) -> None:
    found = _answers(name, "abstraction", Patience(extent=extent), 60.0)
    assert any(verdict is not Verdict.UNKNOWN for verdict in found)


@pytest.mark.parametrize("extent", [0.0, 0.1])
@pytest.mark.parametrize("name", ["bank", "semaphore"])
def test_proofs_that_are_hardly_searched_for(name: str, extent: float) -> None:
    _answers(name, "lazy", Patience(extent=extent, clocks=0.01), 5.0)


@pytest.mark.parametrize("engine", ["abstraction", "lazy"])
def test_no_patience_at_all(engine: str) -> None:
    _answers("account", engine, IMPATIENT, 2.0)


COUNTER = """
Agent A
  Vars: n : integer; end Vars
  Actions = {up};
  Protocol: Other : {up}; end Protocol
  Evolution: n = n + 1 if Action = up; end Evolution
end Agent
Agent B Actions = {wait}; Protocol: Other : {wait}; end Protocol end Agent
Evaluation low if A.n < 3; end Evaluation
InitStates A.n = 0; end InitStates
"""


@pytest.mark.parametrize(("patience", "seconds"), [(PATIENT, (4.0, 0.5)), (Patience(clocks=0.0), (0.001, 0.001))])
def test_the_clocks_of_elimination_and_of_bounds(
    patience: Patience, seconds: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    system, budget = load(COUNTER).system, Budget(patience=patience)
    assert system is not None
    limits: list[float] = []
    elimination, setting = z3.TryFor, z3.Optimize.set

    def eliminate(tactic: z3.Tactic, limit: int, ctx: z3.Context) -> z3.Tactic:
        limits.append(limit)
        return elimination(tactic, limit, ctx)

    def set_limit(own: z3.Optimize, name: str, limit: int) -> None:
        limits.append(limit)
        setting(own, name, limit)

    monkeypatch.setattr(z3, "TryFor", eliminate)
    monkeypatch.setattr(z3.Optimize, "set", set_limit)
    claim = logic.Knows("B", logic.Prop("low"))
    KnowledgeAsConditions(SmtSystem(system), TRUE, budget).rewritten(claim)
    steps = transitions(system)
    Templates(steps, Unrolling(steps, budget)).guesses()
    assert limits == [1000 * one for one in seconds]
    assert not Templates(steps, Unrolling(steps, Budget(patience=Patience(extent=0.0)))).guesses()
