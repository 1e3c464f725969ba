"""What is said is enough to see it: the operand that decides is named, and the initial state in which a formula fails."""

from __future__ import annotations

import pytest

import epistrat

LAMPS = """
Agent Environment
  Vars: p : boolean; q : boolean; r : boolean; s : boolean; end Vars
  Actions = {a, b, c};
  Protocol: Other : {a, b, c}; end Protocol
  Evolution: p = false if Action = a; q = false if Action = b; r = false if Action = c; end Evolution
end Agent
Evaluation
  p if Environment.p = true; q if Environment.q = true; r if Environment.r = true; s if Environment.s = true;
end Evaluation
InitStates Environment.p = true and Environment.q = true and Environment.r = true and Environment.s = false; end InitStates
"""


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("AG (p and (q and r and s))", "At the start `s` is false"),
        ("AG ((p and q) or (r and s))", "After 1 step `p` is false and `s` is false"),
        ("AG ((p and q and r) -> (s and (p or q)))", "At the start `(p and q and r) -> (s and (p or q))` is false"),
        ("EF ((!p and !q) and (!r and !s))", "After 3 steps `(!p and !q) and (!r and !s)` is true"),
    ],
)
def test_the_operand_that_decides_is_named(formula: str, said: str) -> None:
    (result,) = epistrat.load(LAMPS).check(formula)
    assert said in result.summary()


STARTS = """
Agent A
  Vars: on : boolean; free : boolean; spare : boolean; end Vars
  Actions = {press, wait};
  Protocol: free = true : {press, wait}; Other : {wait}; end Protocol
  Evolution: on = true if Action = press; end Evolution
end Agent
Evaluation on if A.on = true; free if A.free = true; end Evaluation
InitStates A.on = false; end InitStates
"""


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("AG !on", "It fails in 2 of 4 initial states; this is one of them, with A.free."),
        ("K(A, free)", "It fails in 2 of 4 initial states; this is one of them, with not A.free."),
        ("AG (!free or !on)", "It fails in 2 of 4 initial states; this is one of them."),
    ],
)
def test_the_initial_state_in_which_it_fails_can_be_told_from_the_others(formula: str, said: str) -> None:
    (result,) = epistrat.load(STARTS).check(formula)
    assert said in " ".join(result.explain().split())
