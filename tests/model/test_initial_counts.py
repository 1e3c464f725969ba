"""Initial conditions that count: different parts of the condition may become the same constraint."""

from __future__ import annotations

from epistrat.lang.load import load
from epistrat.model.initial import each_initial_state


def test_three_of_seven() -> None:
    text = """
    Agent Environment Vars: a[c in 1..7]: boolean; b[c in 1..7]: boolean; end Vars
      Actions = {none}; Protocol: Other: {none}; end Protocol end Agent
    InitStates
      count(c in 1..7: Environment.a[c] = true) = 3 and count(c in 1..7: Environment.b[c] = true) = 3
      and forall c in 1..7: !(Environment.a[c] = true and Environment.b[c] = true);
    end InitStates"""
    system = load(text).system
    assert system is not None
    assert len(set(each_initial_state(system))) == 35 * 4
