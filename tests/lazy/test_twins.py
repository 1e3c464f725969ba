"""Symmetry shows ignorance only where the twin of every state is reachable too and denies the claim."""

from __future__ import annotations

import pytest

import epistrat
from epistrat.encoding.transitions import transitions
from epistrat.engines.lazy.atoms import Atom
from epistrat.engines.lazy.involution import Involutions
from epistrat.logic.formula import Knows
from epistrat.model.conditions import as_condition
from epistrat.proving.contract import Trace, Valuation
from epistrat.proving.unbounded import UnboundedReachability
from epistrat.solvers.budget import Budget
from epistrat.terms import Boolean, Var

MODEL = """
Agent Environment
  Obsvars: seen : 0..15; end Obsvars
  Vars: hidden : boolean; end Vars
  Actions = {go, stay};
  Protocol: Other : {go, stay}; end Protocol
  Evolution: EVOLUTION; end Evolution
end Agent
Agent A
  Vars: idle : boolean; end Vars
  Actions = {look};
  Protocol: Other : {look}; end Protocol
  Evolution: idle = true if Action = look; end Evolution
end Agent
Evaluation hidden if Environment.hidden = true; special if Environment.seen = SPECIAL; end Evaluation
InitStates INITIAL; end InitStates
Formulae AG !K(A, CLAIM); end Formulae
"""
STILL = "seen = seen if Action = go"
CASES = {  # initial condition, evolution, and a claim that is known where the special number is seen, and only there
    "the twin does not start": ("Environment.seen <> SPECIAL or Environment.hidden = false", STILL, "!hidden"),
    "the twin cannot go on": (
        "Environment.seen = 0",
        "seen = seen + 1 if Action = go and (seen < 14 or (seen = 14 and hidden = false))",
        "!hidden",
    ),
    "the twin does not deny it": ("true", STILL, "(!hidden or special)"),
}


def _text(initial: str, evolution: str, claim: str, special: int = 15) -> str:
    text = MODEL.replace("INITIAL", initial).replace("EVOLUTION", evolution).replace("CLAIM", claim)
    return text.replace("SPECIAL", str(special))


@pytest.mark.parametrize("name", CASES)
def test_there_is_a_state_without_twin(name: str) -> None:
    system = epistrat.load(_text(*CASES[name]))
    verdicts = {engine: system.check(engine=engine)[0].verdict.value for engine in ("reference", "lazy")}
    assert verdicts == {"reference": "fails", "lazy": "fails"}


@pytest.mark.parametrize(
    ("case", "symmetric"), [*((case, False) for case in CASES.values()), (("true", STILL, "!hidden"), True)]
)
def test_a_guard_needs_a_twin_for_every_state(case: tuple[str, str, str], symmetric: bool) -> None:
    """The state asked about has a twin; others have one only if the whole system is symmetric."""
    system = epistrat.load(_text(*case))
    known = system.formula(f"K(A, {case[2]})")
    assert isinstance(known, Knows)
    keys = (("Environment", "seen"), ("A", "idle"))
    variable = Var("?known", "one", Boolean().sort)
    atom = Atom(known, ("A",), keys, known.arg, variable, as_condition(system, known.arg))
    state: Valuation = {keys[0]: 0, ("Environment", "hidden"): False, keys[1]: False}
    twin: Valuation = {**state, ("Environment", "hidden"): True}
    steps = transitions(system)
    guard = Involutions(UnboundedReachability(steps, Budget()), steps).guard(atom, state, Trace((twin,), (), {}), [])
    assert (guard is not None) is symmetric
