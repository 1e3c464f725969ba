"""Changes of several agents are told together, and "all" and "nobody" mean everybody; brackets hold the steps that repeat."""

from __future__ import annotations

import pytest

import epistrat

QUIT = """
Agent B0 Vars: in : {type}; end Vars Actions = {{stay}}; Protocol: Other : {{stay}}; end Protocol
  Evolution: in = {yes} if Action = stay; end Evolution end Agent
Agent B1 Vars: in : {type}; end Vars Actions = {{quit}}; Protocol: Other : {{quit}}; end Protocol
  Evolution: in = {no} if Action = quit; end Evolution end Agent
Agent B2 Vars: in : {type}; end Vars Actions = {{quit}}; Protocol: Other : {{quit}}; end Protocol
  Evolution: in = {no} if Action = quit; end Evolution end Agent
Evaluation alone if B0.in = {yes} and B1.in = {no} and B2.in = {no}; end Evaluation
InitStates B0.in = {yes} and B1.in = {yes} and B2.in = {yes}; end InitStates
"""
LASSO = """
Agent A Vars: x : 0..3; end Vars Actions = {go}; Protocol: Other : {go}; end Protocol
  Evolution: x = x + 1 if x < 3; x = 1 if x = 3; end Evolution end Agent
InitStates A.x = 0; end InitStates
"""


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"type": "boolean", "yes": "true", "no": "false"}, "in: B1 and B2 false"),
        ({"type": "{yes, no}", "yes": "yes", "no": "no"}, "in: B1 and B2 no"),
    ],
)
def test_those_that_did_not_change_are_not_spoken_for(values: dict[str, str], told: str) -> None:
    (result,) = epistrat.load(QUIT.format(**values)).check("EF alone", evidence=True)
    text = result.explain()
    assert told in text
    assert "nobody" not in text
    assert "all no" not in text


def test_a_lasso_brackets_exactly_the_steps_that_repeat() -> None:
    (result,) = epistrat.load(LASSO).check("AF false", evidence=True)
    lines = result.explain().splitlines()
    inside = [line for line in lines if any(mark in line for mark in "┌│└")]
    assert [line.split("->")[1].strip() for line in inside if "->" in line] == ["A.x = 2", "A.x = 3", "A.x = 1"]
    assert sum("A: go" in line for line in inside) == 3
    assert inside[-1].endswith("and again from 1")
