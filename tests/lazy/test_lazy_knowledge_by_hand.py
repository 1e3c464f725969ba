"""What the lazy engine takes for granted about knowledge must be so: a small model with known answers."""

from __future__ import annotations

import pytest

import epistrat

MODEL = """
Agent Environment
  Vars: heads : boolean; late : boolean; end Vars
  Actions = {turn, leave};
  Protocol: Other : {turn, leave}; end Protocol
  Evolution: heads = ~heads and late = true if Action = turn; late = true if Action = leave; end Evolution
end Agent
Agent Seer Lobsvars = {heads, late}; Actions = {a}; Protocol: Other : {a}; end Protocol end Agent
Agent Blind Lobsvars = {late}; Actions = {a}; Protocol: Other : {a}; end Protocol end Agent
Evaluation heads if Environment.heads; end Evaluation
InitStates !Environment.late; end InitStates
Formulae
  AG(heads -> K(Seer, heads));
  AG(heads -> K(Blind, heads));
  AG(K(Seer, heads) -> K(Blind, heads));
  AG(K(Blind, heads) -> K(Seer, heads));
  AG(K(Blind, heads) -> heads);
end Formulae
"""


@pytest.mark.parametrize("engine", ["lazy", "reference"])
def test_who_sees_what_knows_what(engine: str) -> None:
    found = epistrat.load(MODEL).check(engine=engine)
    assert [one.verdict.value for one in found] == ["holds", "fails", "fails", "holds", "holds"]
