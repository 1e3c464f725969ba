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


WHOLE_AND_REAL = """
Agent Environment
  Vars: charge : real; steps : integer; broken : boolean; end Vars
  Actions = {run, fail};
  Protocol: Other : {run, fail}; end Protocol
  Evolution:
    charge = charge - 1 and steps = steps + 1 if broken = false and Action = run;
    charge = charge - 1 and steps = steps + 1 and broken = true if broken = false and Action = fail;
    charge = charge - 3/2 and steps = steps + 1 if broken = true;
  end Evolution
end Agent
Agent Meter Lobsvars = {charge, steps}; Actions = {read}; Protocol: Other : {read}; end Protocol end Agent
Evaluation
  broken if Environment.broken;
  short if Environment.charge < 20 - Environment.steps;
end Evaluation
InitStates Environment.charge = 20 and Environment.steps = 0 and !Environment.broken; end InitStates
Formulae AG(K(Meter, broken) -> short); end Formulae
"""


def test_whole_numbers_count_the_rounds_of_real_ones() -> None:
    """One lemma says that a fault is not known on the line charge = 20 - steps; values one by one would not come to an end."""
    (found,) = epistrat.load(WHOLE_AND_REAL).check(engine="lazy")
    assert found.verdict.value == "holds"
    assert found.statistics["lemmas"] <= 2
