"""Plays against uniform strategies are added to what fails and is explained by a word, and to nothing else."""

from __future__ import annotations

import pytest

from epistrat.engines.contract import Options, Outcome, Session, Strategies, Verdict
from epistrat.engines.witness.attempts import defeated
from epistrat.evidence import Fixpoint, Tree
from epistrat.lang import load
from epistrat.model.system import System

MODEL = """
Agent A
  Vars: n : 0..1; end Vars
  Actions = {up, stay};
  Protocol: Other : {up, stay}; end Protocol
  Evolution: n = 1 if Action = up; end Evolution
end Agent
InitStates A.n = 0; end InitStates
Groups a = {A}; end Groups
Formulae <a>F A.n = 1; end Formulae
"""


def never(system: System) -> Session:
    raise AssertionError("nothing has to be played")


@pytest.mark.parametrize("shown", [True, False])
@pytest.mark.parametrize("verdict", [Verdict.HOLDS, Verdict.FAILS])
def test_nothing_is_added_to_what_holds_or_has_no_evidence(verdict: Verdict, shown: bool) -> None:
    system = load(MODEL).system
    assert system is not None
    (formula,) = system.formulae
    if shown and verdict is Verdict.FAILS:
        return
    tree = Tree((0,), formula, True, (Fixpoint("excluded", 0),)) if shown else None
    outcome = Outcome(verdict, evidence=tree)
    assert defeated(outcome, formula, system, Options(Strategies.OBJECTIVE), never) is outcome
