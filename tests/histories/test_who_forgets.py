"""Who forgets knows more by recall than the moment and the present sight tell: no short cut may miss a step on which that happens."""

from __future__ import annotations

import pytest

import epistrat
from epistrat.answers import Verdict

SHOWN_NOW_AND_THEN = """
Agent Environment
  Vars: bit : boolean; shown : 0..2; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution:
    shown = 1 if shown = 0 and bit = false;
    shown = 2 if shown = 0 and bit = true;
    shown = 0 if shown > 0;
  end Evolution
end Agent
Agent Ann
  Lobsvars = {shown};
  Vars: end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution: end Evolution
end Agent
Evaluation bit if Environment.bit = true; hidden if Environment.shown = 0; end Evaluation
InitStates Environment.shown = 0; end InitStates
"""
"""The bit is shown at every second moment.  The states of the moments 0, 2, 4, ... are the same."""

ASKED = [
    ("bit -> EF (hidden and K[recall](Ann, bit))", True),  # at time 2, in a state in which it is not known at time 0
    ("bit -> EF (hidden and K[clock](Ann, bit))", False),
    ("AG (hidden -> AX AX KW[recall](Ann, bit))", True),
    ("AG (hidden -> !KW[recall](Ann, bit))", False),
    ("AX AX ([! hidden] KW[recall](Ann, bit))", True),
    ("AX AX ([! hidden] KW[clock](Ann, bit))", False),
    ("AX AX ([! hidden] [! hidden] AX AX KW[recall](Ann, bit))", True),
    ("AX AX ([! hidden] !KW[recall](Ann, bit))", False),
    ("AX ([! !hidden] AX KW[recall](Ann, bit))", True),
]


@pytest.mark.parametrize(("formula", "holds"), ASKED)
@pytest.mark.parametrize("engine", ["auto", "explicit", "symbolic"])
def test_what_was_shown_a_moment_ago_is_remembered(formula: str, holds: bool, engine: str) -> None:
    (result,) = epistrat.load(SHOWN_NOW_AND_THEN).check(formula, engine=engine)
    if engine == "symbolic" and result.verdict is Verdict.UNKNOWN:
        assert "forget" in (result.reason or "")
    else:
        assert result.verdict is (Verdict.HOLDS if holds else Verdict.FAILS)
