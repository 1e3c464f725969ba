"""Runs on which a number grows for ever: what is known in one of their states need not stay so."""

from __future__ import annotations

import pytest

from epistrat.engines.contract import Options
from epistrat.engines.lazy import linear
from epistrat.engines.registry import load as engine_named
from epistrat.lang import load
from epistrat.solvers.budget import Budget

# A sees the counter.  Which number below 4 was drawn it does not see, but sooner or later the counter is past all of them.
DRAWN = """
Agent Environment
  Vars: n : integer; drawn : 0..3; end Vars
  Actions = {tick};
  Protocol: Other : {tick}; end Protocol
  Evolution: n = n + 1 if true; end Evolution
end Agent
Agent A
  Lobsvars = {n};
  Vars: c : boolean; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution: c = c if c; end Evolution
end Agent
Evaluation past if Environment.n > Environment.drawn; end Evaluation
InitStates Environment.n = 0 and A.c = false; end InitStates
Formulae LTL F K(A, past); LTL F G K(A, past); end Formulae
"""


@pytest.mark.parametrize("at_once", [True, False])
def test_what_is_not_known_yet_may_be_known_later(at_once: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the run where 0 was drawn the counter is soon past it and stays so; that A does not know that yet says nothing of later.

    Whether it is found out at once where something is known, or learnt state by state, is no matter.
    """
    if not at_once:
        monkeypatch.setattr(linear, "_DENOTATION_LEMMAS", 0)
    system = load(DRAWN).system
    assert system is not None
    session = engine_named("lazy").open(system, Options(), Budget(seconds=120))
    assert [session.check(formula).verdict.value for formula in system.formulae] == ["holds", "holds"]
