"""The dining cryptographers as in the public models for MCK: a program of four steps, of which who paid and what was said is seen.

Its specification, under synchronous perfect recall, holds; it says what the first cryptographer knows after six steps.
"""

from __future__ import annotations

import pytest

from epistrat.answers.verdict import Verdict
from epistrat.service import CheckRequest, Text, ask

MODEL = """
Semantics = SingleAssignment;
Parameters n = 3 in 3..; end Parameters
Knowledge = Recall;
Agent Environment
  Vars: pc : 0..4; paid[i in 1..n] : boolean; chan[i in 1..n] : boolean; left[i in 1..n] : boolean; right[i in 1..n] : boolean; end Vars
  Obsvars: said[i in 1..n] : boolean; end Obsvars
  Actions = {none}; Protocol: Other : {none}; end Protocol
  Evolution:
    pc = pc + 1 if pc < 4;
    for i in 1..n {
      right[i] = true if pc = 0 and C[i].Action = heads;
      right[i] = false if pc = 0 and C[i].Action = tails;
      chan[i mod n + 1] = right[i] if pc = 1;
      left[i] = chan[i] if pc = 2;
      said[i] = left[i] ^ right[i] ^ paid[i] if pc = 3;
    }
  end Evolution
end Agent
Agent C[i in 1..n]
  Lobsvars = {paid[i]};
  Vars: end Vars
  Actions = {heads, tails}; Protocol: Other : {heads, tails}; end Protocol Evolution: end Evolution
end Agent
Evaluation paid[i in 1..n] if Environment.paid[i] = true; end Evaluation
InitStates Environment.pc = 0 and count(i in 1..n: Environment.paid[i] = true) <= 1
  and forall i in 1..n: (Environment.chan[i] = false and Environment.left[i] = false and Environment.right[i] = false
    and Environment.said[i] = false);
end InitStates
Formulae
  spec: AX AX AX AX AX AX (!paid[1] -> (K(C[1], forall i in 1..n: !paid[i])
    or (K(C[1], exists i in 2..n: paid[i]) and forall i in 2..n: !K(C[1], paid[i]))));
  early: AX AX AX (!paid[1] -> K(C[1], forall i in 1..n: !paid[i]) or K(C[1], exists i in 2..n: paid[i]));
  forgotten: AX AX AX AX AX AX (!paid[1] -> K[observation](C[1], forall i in 1..n: !paid[i])
    or K[observation](C[1], exists i in 2..n: paid[i]));
end Formulae
"""


@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_specification_holds(n: int) -> None:
    """`early`: after three steps nobody has said anything; `forgotten`: who does not know the time may think so for ever."""
    request = CheckRequest(model=Text(MODEL, parameters={"n": n}), remarks=False)
    assert [one.verdict for one in ask(request)[0].results] == [Verdict.HOLDS, Verdict.FAILS, Verdict.FAILS]
