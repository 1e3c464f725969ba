"""Bounded recall in proof search: what is remembered is looked up in earlier states of a run."""

from __future__ import annotations

import pytest
from tests.generators.certificates import certified

import epistrat
from epistrat.encoding.remembered import remembered
from epistrat.encoding.transitions import transitions
from epistrat.engines.contract import Options
from epistrat.engines.registry import load as engine
from epistrat.evidence.replay import replay
from epistrat.lang import load
from epistrat.model.transform.recall import with_recall
from epistrat.proving.unbounded import UnboundedReachability
from epistrat.solvers.budget import Budget
from epistrat.terms import Sort

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
    session = engine("lazy").open(remembering, Options(evidence=True), Budget())
    outcomes = [session.check(one) for one in remembering.formulae]
    assert [one.verdict.value for one in outcomes] == ["fails", "holds", "holds"]
    assert not replay(remembering, certified(remembering.formulae[0], outcomes[0])).problems
    bounded = MODEL.replace("count : integer", "count : 0..6").replace(
        "count = count + 1 if Action = go", "count = count + 1 if Action = go and count < 6"
    )
    bounded = bounded.replace("count = count + 1 and broken", "broken")
    found = epistrat.load(bounded).check(engine="reference", recall=steps)
    assert [one.verdict.value for one in found] == ["fails", "holds", "holds"]


TIRED = """
Agent Environment
  Obsvars: off : boolean; phase : boolean; end Obsvars
  Vars: left : integer; broken : boolean; end Vars
  Actions = {go, break};
  Protocol: broken = false and off = false : {go, break}; Other : {go}; end Protocol
  Evolution:
    left = left - 1 and phase = ~phase if Action = go and off = false and left > 0;
    off = true if Action = go and off = false and left <= 0;
    broken = true if Action = break;
    phase = ~phase if Action = go and off = true;
  end Evolution
end Agent
Agent Seer
  Vars: noted : boolean; end Vars
  Actions = {look, note};
  Protocol: Other : {look, note}; end Protocol
  Evolution: noted = true if Action = note; end Evolution
end Agent
Evaluation broken if Environment.broken; low if Environment.left <= 1; end Evaluation
InitStates
  Environment.left >= 2 and Environment.left <= 4 and !Environment.broken and !Environment.off and !Environment.phase
  and !Seer.noted;
end InitStates
Formulae
  AG(broken -> K(Seer, broken));
  AG(low -> K(Seer, low));
  AG(Environment.off -> K(Seer, low));
end Formulae
"""


def test_every_line_of_an_agent_with_memory_updates_it() -> None:
    """The observer has a line of its own: its memory is a memory all the same."""
    system = load(TIRED, "tired").system
    assert system is not None
    found = remembered(transitions(with_recall(system, 2, ["Seer"]).system))
    assert len(found) == 2 * 3


def test_two_runs_side_by_side() -> None:
    """Who remembers nine observations cannot tell: both runs begin together, or looked the same for so long."""
    system = load(TIRED, "tired").system
    assert system is not None
    steps = transitions(with_recall(system, 9, ["Seer"]).system)
    terms, reach = steps.terms, UnboundedReachability(steps, Budget())
    seen = [key for key in (one.key for one in steps.variables) if key[0] == "Seer"]
    seen += [("Environment", "off"), ("Environment", "phase")]
    low = terms.compare("<=", terms.variable("Environment", "left", Sort.NUMBER), terms.number(1))
    pair = reach.alike(seen, low, terms.negate(low))
    assert pair is not None and len(pair[0].states) == len(pair[1].states)
    broken, off = (terms.variable("Environment", name, Sort.BOOLEAN) for name in ("broken", "off"))
    one, other = reach.reaches([broken, off]), reach.reaches([terms.negate(broken), off])
    assert one is not None and other is not None
    longer = reach.alike(seen, broken, terms.negate(broken), (one, other, 9))
    assert longer is not None
    assert [len(run.states) for run in longer] == [len(one.states) + 9, len(other.states) + 9]
    for first, second in (pair, longer):
        assert all(first.last[key] == second.last[key] for key in seen)
    assert reach.alike(seen, off, terms.negate(off)) is None


def test_memory_that_does_not_help() -> None:
    system = load(TIRED, "tired").system
    assert system is not None
    remembering = with_recall(system, 9, ["Seer"]).system
    session = engine("lazy").open(remembering, Options(evidence=True), Budget())
    outcomes = [session.check(one) for one in remembering.formulae]
    assert [one.verdict.value for one in outcomes] == ["fails", "fails", "holds"]
    for formula, outcome in zip(remembering.formulae[:2], outcomes[:2], strict=True):
        assert replay(remembering, certified(formula, outcome)).ok
    bounded = epistrat.load(TIRED.replace("left : integer", "left : 0..4")).check(engine="reference", recall=2)
    assert [one.verdict.value for one in bounded] == ["fails", "fails", "holds"]
