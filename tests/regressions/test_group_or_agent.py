"""A group may be called like an agent that is not its member: a formula about the agent stays about the agent when it is written down."""

from __future__ import annotations

import pytest
from tests.generators.certificates import certified

import epistrat
from epistrat.evidence.replay import replay
from epistrat.lang import parse_formula
from epistrat.logic import show
from epistrat.render.json.evidence import evidence_json

# P can light the lamp, Q cannot; the group P is {Q} and the group Q is {P}.
MODEL = """
Agent P
  Vars: n : 0..1; end Vars
  Actions = {on, off};
  Protocol: Other : {on, off}; end Protocol
end Agent
Agent Q
  Vars: lit : boolean; end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution:
    lit = true if P.Action = on;
    lit = false if P.Action = off;
  end Evolution
end Agent
Evaluation lit if Q.lit = true; zero if P.n = 0; end Evaluation
InitStates Q.lit = false; end InitStates
Groups P = {Q}; Q = {P}; end Groups
Formulae
  <{P}>X lit; <{Q}>X lit; <P>X lit; <Q>X lit;
  zero -> DK({P}, zero); zero -> DK(P, zero);
  zero -> GK({P}, zero); zero -> GK(P, zero);
end Formulae
"""
EXPECTED = [True, False, False, True, True, False, True, False]


def test_a_printed_model_has_the_same_verdicts() -> None:
    system = epistrat.load(MODEL)
    assert [bool(result) for result in system.check()] == EXPECTED
    again = epistrat.load(system.to_ispl())
    assert [bool(result) for result in again.check()] == EXPECTED


@pytest.mark.parametrize("number", range(4))
def test_the_claim_in_json_is_about_the_same_agents(number: int) -> None:
    system = epistrat.load(MODEL)
    result = system.check()[number]
    assert result.evidence is not None
    claim, _ = parse_formula(evidence_json(system, result.evidence)["claim"], system)
    assert claim == system.formulae[number]
    assert show(claim) == show(system.formulae[number])
    assert replay(system, certified(system.formulae[number], result)).complete
