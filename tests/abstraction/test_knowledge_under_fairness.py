"""Knowledge under fairness looks at fair states alone, so it is never replaced by a condition on all reachable ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from epistrat.engines.abstraction.session import AbstractionSession
from epistrat.engines.contract import Options
from epistrat.lang.load import load
from epistrat.solvers.budget import Budget

MODEL = """
Agent Environment
  Obsvars: x : integer; end Obsvars
  Vars: y : integer; b : boolean; end Vars
  Actions = {tick};
  Protocol: Other : {tick}; end Protocol
  Evolution: x = x + 1 and y = y + 1 if b = true; x = x + 1 if b = false; end Evolution
end Agent
Agent A Actions = {n}; Protocol: Other : {n}; end Protocol end Agent
Evaluation fair if Environment.b = true; same if Environment.y = Environment.x; later if Environment.x > 0; end Evaluation
InitStates Environment.x = 0 and Environment.y = 0; end InitStates
Fairness fair; end Fairness
Formulae AG (later -> !K(A, same)); AG (later -> K(A, same)); end Formulae
"""


@pytest.mark.parametrize("fair", [True, False])
def test_knowledge_becomes_a_condition_without_fairness_only(fair: bool) -> None:
    """With b fair, A knows that both are the same; a condition on all states would say that it does not."""
    system = load(MODEL).system
    assert system is not None
    asked = system if fair else replace(system, fairness=())
    session = AbstractionSession(asked, Options(), Budget(seconds=30))
    found = [session.check(formula).verdict.value for formula in asked.formulae]
    assert found == (["fails", "holds"] if fair else ["holds", "fails"])
    assert session._refinement(asked.formulae[0])._without_knowledge() is not fair
