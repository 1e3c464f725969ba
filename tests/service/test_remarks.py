"""Remarks are for small models; what is small is found out without work where an engine has seen many states."""

from __future__ import annotations

from typing import Any

import pytest
from tests.cli.lamp_models import LAMP

import epistrat
from epistrat.answers import Outcome, Question, Result, Verdict
from epistrat.engines.contract import Options
from epistrat.engines.witness.tree import TreeBuilder
from epistrat.jobs import Portfolio
from epistrat.logic.formula import And, Formula, Not, Or, Prop
from epistrat.model.visited import Visited
from epistrat.service import CheckRequest, Text, ask, remarks, small
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import PATIENT


def test_a_model_with_many_states_is_not_explored(monkeypatch: pytest.MonkeyPatch) -> None:
    system = epistrat.load(LAMP)
    asked = Question(1, Prop("lit"), "lit")
    verdict = Portfolio(system, "reference", Options(), Budget()).answer(asked).verdict
    result = Result.of(Outcome(verdict), asked, "symbolic", 0.1)
    explored: list[Visited] = []
    size = small.steps_of

    def counted(visited: Visited, most: int) -> int:
        explored.append(visited)
        return size(visited, most)

    monkeypatch.setattr(small, "steps_of", counted)
    nothing = Outcome(verdict)
    remarks.Remarks(system, Options(), Budget()).on(result, lambda *_: nothing, PATIENT.remarked_states + 1)
    assert not explored
    said = remarks.Remarks(system, Options(), Budget()).on(result, lambda *_: nothing, PATIENT.remarked_states)
    assert explored
    assert said.why or said.verdict is Verdict.HOLDS


def test_no_evidence_is_sought_for_what_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    system = epistrat.load(LAMP)
    built: list[bool] = []
    root = TreeBuilder.root

    def counted(self: TreeBuilder[Any], formula: Formula, holds: bool) -> object:
        built.append(holds)
        return root(self, formula, holds)

    monkeypatch.setattr(TreeBuilder, "root", counted)
    lit = Prop("lit")
    cases: list[tuple[Formula, Verdict]] = [
        (Or((lit, Not(lit))), Verdict.HOLDS),
        (And((lit, Not(lit))), Verdict.FAILS),
    ]
    for formula, verdict in cases:
        nothing = Outcome(verdict)
        result = Result.of(nothing, Question(1, formula, ""), "symbolic", 0.1)
        said = remarks.Remarks(system, Options(), Budget()).on(result, lambda *_, nothing=nothing: nothing)
        assert bool(said.why) is (verdict is Verdict.FAILS)
    assert built == [False]


@pytest.mark.parametrize("asked", ["AG K[clock](Lamp, lit)", "EF [! lit] K(Lamp, lit)"])
def test_formulae_about_histories_are_not_asked_of_the_reference_engine(asked: str) -> None:
    """It does not know them; nothing that is said beside the verdict fails for that."""
    report, _ = ask(CheckRequest(model=Text(LAMP), formulae=(asked,)))
    (result,) = report.results
    assert result.decided and not result.left_out
    assert result.why or result.verdict is Verdict.HOLDS
