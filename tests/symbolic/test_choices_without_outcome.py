"""A choice whose assignment leaves its range has no outcome, so whoever takes it enforces everything."""

from __future__ import annotations

import pytest

import epistrat

MODEL = """
Agent A
  Vars: x : 0 .. 1; end Vars
  Actions = {increase, stay};
  Protocol: Other : {increase, stay}; end Protocol
  Evolution: x = x + 1 if Action = increase; end Evolution
end Agent
Evaluation zero if A.x = 0; end Evaluation
InitStates A.x = 1; end InitStates
Groups g = {A}; end Groups
Formulae <g>X zero; <g>G zero; <g>F zero; EX zero; end Formulae
"""


@pytest.mark.parametrize("engine", ["reference", "symbolic", "explicit"])
def test_a_group_that_decides_alone_may_end_the_run(engine: str) -> None:
    found = epistrat.load(MODEL).check(engine=engine, evidence=False)
    assert [one.verdict.value for one in found] == ["holds", "fails", "holds", "fails"]
