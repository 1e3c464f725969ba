"""Common knowledge follows chains of look-alikes to their end."""

from __future__ import annotations

import pytest

import epistrat
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.registry import load
from epistrat.solvers.budget import Budget

CHAIN = """
Agent A Vars: a : 0..1; end Vars Actions = {wait}; Protocol: Other : {wait}; end Protocol Evolution: end Evolution end Agent
Agent B Vars: b : 0..2; end Vars Actions = {wait}; Protocol: Other : {wait}; end Protocol Evolution: end Evolution end Agent
Evaluation first if A.a = 0 and B.b = 0; second if A.a = 0 and B.b = 1; p if !(A.a = 1 and B.b = 2); end Evaluation
InitStates (A.a = 0 and B.b = 0) or (A.a = 0 and B.b = 1) or (A.a = 1 and B.b = 1) or (A.a = 1 and B.b = 2); end InitStates
Groups g = {A, B}; end Groups
Formulae first -> GK(g, p); second -> GK(g, GK(g, p)); first -> GCK(g, p); end Formulae
"""
"""A cannot tell 00 from 01, nor 11 from 12; B cannot tell 01 from 11.  From 00 it takes three links to reach 12, where p is false."""


@pytest.mark.parametrize("engine", ["reference", "explicit", "symbolic"])
def test_common_knowledge_fails_at_the_end_of_a_chain(engine: str) -> None:
    system = epistrat.load(CHAIN)
    session = load(engine).open(system, Options(), Budget())
    verdicts = [session.check(formula).verdict for formula in system.formulae]
    assert verdicts == [Verdict.HOLDS, Verdict.FAILS, Verdict.FAILS]
