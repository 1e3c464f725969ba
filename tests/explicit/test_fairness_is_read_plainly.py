"""Fairness constraints are read without fairness, and what they are worth then is nobody else's label."""

from __future__ import annotations

import pytest

from epistrat.answers import Verdict
from epistrat.engines.contract import Options
from epistrat.engines.registry import load as engine
from epistrat.lang import load
from epistrat.solvers.budget import Budget

TEXT = """
Agent E
    Vars: x : 0..1; end Vars
    Actions = {a, b};
    Protocol: Other : {a, b}; end Protocol
    Evolution: x = 1 if Action = b; end Evolution
end Agent
Evaluation q if E.x = 1; r if E.x = 0; end Evaluation
InitStates E.x = 0; end InitStates
Fairness EF q; r; end Fairness
Formulae EF q; end Formulae
"""


@pytest.mark.parametrize("name", ["reference", "symbolic", "explicit"])
def test_a_constraint_that_is_asked_as_a_formula_is_read_with_fairness(name: str) -> None:
    system = load(TEXT).system
    assert system is not None
    session = engine(name).open(system, Options(), Budget())
    assert session.check(system.formulae[0]).verdict is Verdict.FAILS
