"""Formulae that fail near the start are told by a run, whoever decided them, in whichever reading of strategies."""

from __future__ import annotations

import pytest

from epistrat.answers import Strategies
from epistrat.service import CheckRequest, Text, ask
from epistrat.service.models import read_formula
from epistrat.service.nearby import nearby

LARGE = """
Agent Environment
  Vars: x : 0..3000; far : boolean; end Vars
  Actions = {up, stay};
  Protocol: Other : {up, stay}; end Protocol
  Evolution: x = x + 1 if Action = up and x < 3000; end Evolution
end Agent
Agent A
  Lobsvars = {x};
  Vars: b : boolean; end Vars
  Actions = {go, wait};
  Protocol: Other : {go, wait}; end Protocol
  Evolution: b = true if Action = go; end Evolution
end Agent
Evaluation b if A.b = true; two if Environment.x = 2; last if Environment.x = 2999; end Evaluation
InitStates Environment.x = 0 and A.b = false and Environment.far = false; end InitStates
Groups g = {A}; end Groups
Formulae AG !b; AG !(b and two); AG !last; <g>G !b; end Formulae
"""


@pytest.mark.parametrize("reading", [Strategies.ANY, Strategies.OBJECTIVE, Strategies.SUBJECTIVE])
def test_a_run_of_few_steps_is_found(reading: Strategies) -> None:
    report, _ = ask(CheckRequest(model=Text(LARGE, "large.ispl"), strategies=reading))
    why = [result.why for result in report.results]
    assert why[0] == "After 1 step `b` is true."
    assert why[1] == "After 2 steps `b` is true and `two` is true."


def test_what_lies_far_off_is_told_by_its_meaning() -> None:
    report, _ = ask(CheckRequest(model=Text(LARGE, "large.ispl"), only=(3,)))
    system = report.system
    assert system is not None
    assert nearby(system, read_formula("AG !last", system)) is None
    assert nearby(system, read_formula("AF b", system)) is None
