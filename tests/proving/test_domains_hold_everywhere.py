"""Values lie in their domains in every state that a prover speaks of, also where nothing but the domain says so."""

from __future__ import annotations

import pytest

import epistrat
from epistrat.encoding.transitions import transitions
from epistrat.lang import load
from epistrat.proving.unrolling import Unrolling
from epistrat.solvers.budget import Budget

# The drawer is any of four, and stays; what is drawn is counted.
DRAWERS = """
Agent Environment
  Vars: drawer : 0..3; drawn : integer; end Vars
  Actions = {draw};
  Protocol: Other : {draw}; end Protocol
  Evolution: drawn = drawn + drawer if true; end Evolution
end Agent
Agent A
  Vars: idle : boolean; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution: idle = idle if idle; end Evolution
end Agent
InitStates Environment.drawn = 0 and A.idle = false; end InitStates
Formulae
  AG Environment.drawer <= 3;
  AG Environment.drawn >= 0;
  AG Environment.drawn <= 20;
end Formulae
"""


@pytest.mark.parametrize("engine", ["lazy", "abstraction", "auto"])
def test_what_the_initial_condition_leaves_open_lies_in_its_domain(engine: str) -> None:
    found = epistrat.load(DRAWERS).check(engine=engine)
    assert [one.verdict.value for one in found] == ["holds", "holds", "fails"]


@pytest.mark.parametrize("from_start", [True, False])
def test_every_frame_is_inside_the_domains(from_start: bool) -> None:
    system = load(DRAWERS).system
    assert system is not None
    steps = transitions(system)
    unrolling = Unrolling(steps, Budget(), from_start=from_start)
    unrolling.extend(1)
    drawer = next(one for one in steps.variables if one.name == "drawer").reference
    for frame in (0, 1):
        for number, possible in ((0, True), (3, True), (4, False), (-1, False)):
            wanted = unrolling.at(steps.terms.compare("=", drawer, steps.terms.number(number)), frame)
            assert unrolling.solve([wanted], steps=1) is possible
