"""Bounded recall in proof search: what is remembered is looked up in earlier states of a run."""

from __future__ import annotations

import pytest

import epistrat
from epistrat.encoding.remembered import remembered
from epistrat.encoding.transitions import transitions
from epistrat.engines.contract import Options
from epistrat.engines.registry import load as engine
from epistrat.lang import load
from epistrat.model.transform.recall import with_recall
from epistrat.solvers.budget import Budget

MODEL = """
Agent Environment
  Vars: count : integer; lamp : boolean; broken : boolean; end Vars
  Actions = {go, break};
  Protocol: broken = false : {go, break}; Other : {go}; end Protocol
  Evolution:
    count = count + 1 if Action = go;
    count = count + 1 and broken = true and lamp = true if Action = break;
    lamp = false if Action = go and lamp = true;
  end Evolution
end Agent
Agent Seer Lobsvars = {lamp}; Actions = {a}; Protocol: Other : {a}; end Protocol end Agent
Evaluation broken if Environment.broken; many if Environment.count >= 3; end Evaluation
InitStates Environment.count = 0 and !Environment.lamp and !Environment.broken; end InitStates
Formulae
  AG(broken -> K(Seer, broken));
  AG(K(Seer, broken) -> broken);
  LTL G(broken -> (K(Seer, broken) or Y broken));
end Formulae
"""


def test_copies_are_found() -> None:
    system = load(MODEL, "lamp").system
    assert system is not None
    found = remembered(transitions(with_recall(system, 3, ["Seer"]).system))
    source = ("Environment", "lamp")
    assert sorted(found.values()) == [(source, 1), (source, 2), (source, 3)]


@pytest.mark.parametrize("steps", [0, 3])
def test_a_fault_is_forgotten_after_a_while(steps: int) -> None:
    """The lamp shines for one step when the fault occurs; who remembers three more steps knows for so long.

    The same with the counter bounded, by the reference engine.
    """
    system = load(MODEL, "lamp").system
    assert system is not None
    remembering = with_recall(system, steps, ["Seer"]).system
    session = engine("lazy").open(remembering, Options(), Budget())
    assert [session.check(one).verdict.value for one in remembering.formulae] == ["fails", "holds", "holds"]
    bounded = MODEL.replace("count : integer", "count : 0..6").replace(
        "count = count + 1 if Action = go", "count = count + 1 if Action = go and count < 6"
    )
    bounded = bounded.replace("count = count + 1 and broken", "broken")
    found = epistrat.load(bounded).check(engine="reference", recall=steps)
    assert [one.verdict.value for one in found] == ["fails", "holds", "holds"]
