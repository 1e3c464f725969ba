"""Whoever sees a number sees all that can be said of it: predicates of what an agent sees are visible to it."""

from __future__ import annotations

import pytest

from epistrat.engines.abstraction.engine import AbstractionEngine
from epistrat.engines.abstraction.tuning import AbstractionTuning
from epistrat.engines.contract import Options, Verdict
from epistrat.lang import load
from epistrat.solvers.budget import Budget

PLAIN = AbstractionTuning(first_look=0, exact_range=0, without="ranks,invariants")
COUNTERS = """
Agent Environment
  Vars: n : integer; hidden : integer; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: n = n + 1 and hidden = hidden + 2 if true; end Evolution
end Agent
Agent A
  Lobsvars = {n};
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: end Evolution
end Agent
InitStates Environment.n = 0 and Environment.hidden = 0; end InitStates
Formulae FORMULA; end Formulae
"""


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("AG (Environment.n >= 3 -> K(A, Environment.n >= 3))", Verdict.HOLDS),
        ("AG !K(A, Environment.n >= 3)", Verdict.FAILS),
        ("AG (Environment.n >= 3 -> K(A, Environment.n >= 4))", Verdict.FAILS),
    ],
)
def test_the_one_number_that_an_agent_sees_is_known(formula: str, expected: Verdict) -> None:
    """Without explored states, invariants or ranks: the predicates alone decide."""
    system = load(COUNTERS.replace("FORMULA", formula)).system
    assert system is not None
    session = AbstractionEngine().open(system, Options(tuning=(PLAIN,)), Budget(seconds=60))
    assert session.check(system.formulae[0]).verdict is expected
