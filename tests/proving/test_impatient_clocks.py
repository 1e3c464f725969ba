"""Solvers without time and re-checking without states: less is known then, and nothing is wrong."""

from __future__ import annotations

from typing import cast

import pytest

import epistrat
from epistrat.answers import Verdict
from epistrat.proving.contract import Undecided
from epistrat.proving.induction import Inductor
from epistrat.proving.unrolling import Unrolling
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import PATIENT, Patience

COUNTER = """
Agent Counter
  Vars: n : integer; hidden : boolean; end Vars
  Actions = {up, down, stay};
  Protocol: n < 1 : {up, stay}; Other : {up, down, stay}; end Protocol
  Evolution: n = n + 1 if Action = up; n = n - 1 if Action = down; end Evolution
end Agent
Agent Watcher
  Vars: dull : boolean; end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution: dull = true if Action = wait; end Evolution
end Agent
Evaluation
  negative if Counter.n < 0; high if Counter.n > 4; hidden if Counter.hidden = true;
end Evaluation
InitStates Counter.n = 3 and Watcher.dull = true; end InitStates
Formulae AG !negative; AG !high; AG !K(Watcher, hidden); AG K(Watcher, !negative); end Formulae
"""
RIGHT = (Verdict.HOLDS, Verdict.FAILS, Verdict.HOLDS, Verdict.HOLDS)


@pytest.mark.parametrize("engine", ["lazy", "abstraction"])
def test_solvers_that_may_do_nothing_are_never_wrong(engine: str) -> None:
    budget = Budget(seconds=20, patience=Patience(effort=0.0))
    for result, right in zip(epistrat.load(COUNTER).check(engine=engine, budget=budget), RIGHT, strict=True):
        assert result.verdict in (right, Verdict.UNKNOWN)


def test_what_a_solver_cannot_tell_is_not_shown() -> None:
    class Speechless:
        def solve(self, *_: object, **__: object) -> bool:
            raise Undecided("no time")

    assert not Inductor._unsolvable(cast(Unrolling, Speechless()), [])


GAME = """
Agent P
  Vars: at : 0..3; end Vars
  Actions = {on, stay};
  Protocol: Other : {on, stay}; end Protocol
  Evolution: at = at + 1 if Action = on and at < 3; end Evolution
end Agent
Evaluation goal if P.at = 3; first if P.at = 0; end Evaluation
InitStates P.at < 2; end InitStates
Groups g = {P}; end Groups
Formulae <g>F goal; AG (first -> EF goal); AG K(P, first or !first); end Formulae
"""


@pytest.mark.parametrize("engine", ["reference", "symbolic", "explicit"])
def test_re_checking_without_states_refuses_nothing_that_is_true(engine: str) -> None:
    impatient = Patience(effort=0.0, played_states=0, surveyed_states=0, shown_states=0, shown_situations=0)
    for patience, complete in ((PATIENT, True), (impatient, False)):
        results = list(
            epistrat.load(GAME).check(engine=engine, evidence=True, prove=False, budget=Budget(patience=patience))
        )
        assert all(result.verdict is Verdict.HOLDS for result in results)
        replays = [result.replay for result in results if result.replay is not None]
        assert replays and not any(replay.problems for replay in replays)
        assert all(replay.complete for replay in replays) is complete
