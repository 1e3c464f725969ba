"""Proof searches that are given up early, and solvers without time: less is known then, and nothing is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
    _answers(name, "lazy", Patience(extent=extent, effort=0.01), 5.0)


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


@pytest.mark.parametrize("patience", [PATIENT, Patience(effort=0.0)])
def test_queries_may_do_as_much_as_patience_says(patience: Patience, monkeypatch: pytest.MonkeyPatch) -> None:
    system, budget = load(COUNTER).system, Budget(patience=patience)
    assert system is not None
    told: list[tuple[str, int]] = []

    def recording(kind: Any) -> None:
        setting = kind.set

        def set_limit(own: object, name: str, limit: int) -> None:
            told.append((name, limit))
            setting(own, name, limit)

        monkeypatch.setattr(kind, "set", set_limit)

    recording(z3.Solver)
    recording(z3.Optimize)
    KnowledgeAsConditions(system, TRUE, budget).rewritten(logic.Knows("B", logic.Prop("low")))
    steps = transitions(system)
    Templates(steps, Unrolling(steps, budget)).guesses()
    assert told and {name for name, _ in told} == {"rlimit"}
    limits = {limit for _, limit in told}
    assert limits == {2000} if patience is not PATIENT else min(limits) >= 1_000_000
    assert not Templates(steps, Unrolling(steps, Budget(patience=Patience(extent=0.0)))).guesses()


def test_only_a_limit_of_the_user_puts_a_clock_on_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    """And only once for each solver: telling Z3 anything changes how it works, so no clock may decide when."""
    told: list[str] = []
    setting = z3.Solver.set

    def set_limit(own: z3.Solver, name: str, limit: int) -> None:
        told.append(name)
        setting(own, name, limit)

    monkeypatch.setattr(z3.Solver, "set", set_limit)
    system = load(COUNTER).system
    assert system is not None
    for budget, clocks in ((Budget(), 0), (Budget(seconds=50), 1)):
        told.clear()
        session = SmtSystem(system).session(budget)
        for _ in range(3):
            assert session.check().sat
        assert told.count("timeout") == clocks and told.count("rlimit") == 1
