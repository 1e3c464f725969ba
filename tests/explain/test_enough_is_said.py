"""What is said is enough to see it: the operand that decides is named, and the initial state in which a formula fails."""

from __future__ import annotations

import pytest

import epistrat
from epistrat.answers.verdict import Strategies, Verdict
from epistrat.engines.unanswered import unanswered
from epistrat.explain.denial import denial
from epistrat.service.nearby import nearby

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


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("AX AX q", "After 2 steps `q` is false"),
        ("AX (p -> AX AX q)", "After 1 step `p` is true and after 3 steps `q` is false"),
        ("EF (!p and EX !q)", "After 1 step `p` is false and after 2 steps `q` is false"),
    ],
)
def test_a_run_that_goes_on_from_a_run_is_counted_once(formula: str, said: str) -> None:
    (result,) = epistrat.load(LAMPS).check(formula)
    assert said in result.summary()
    assert result.summary().lower().count("after ") == said.lower().count("after ")


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


SUBJECTIVE = """
Agent Environment
  Vars: x : 0..1; end Vars
  Actions = {up, stay};
  Protocol: Other : {up, stay}; end Protocol
  Evolution: x = 1 if Action = up and B.Action = ok; end Evolution
end Agent
Agent B
  Vars: seen : boolean; end Vars
  Actions = {ok, no};
  Protocol: Other : {ok, no}; end Protocol
  Evolution: seen = false if seen = true; end Evolution
end Agent
Evaluation top if Environment.x = 1; end Evaluation
InitStates Environment.x = 0 and B.seen = false; end InitStates
Groups b = {B}; end Groups
"""


def test_read_subjectively_the_state_that_defeats_is_told_from_the_start() -> None:
    """B keeps x from rising, but cannot tell the start from where x has risen: it must not be said that it is so at the start."""
    model = epistrat.load(SUBJECTIVE)
    (objective,) = model.check("<b>G !top", strategies="objective")
    (result,) = model.check("<b>G !top", strategies="subjective")
    assert objective.verdict is Verdict.HOLDS
    assert result.verdict is Verdict.FAILS
    text = " ".join(result.explain().split())
    assert "0 x = 0" in text
    assert "B cannot tell this from another start, from which the rules must do too: What happens 0 x = 1" in text
    fails = denial(model, result.question.formula, Strategies.SUBJECTIVE)
    assert fails.endswith("in every state that looks the same.")


FAIR = """
Agent A
  Vars: x : 0..1; busy : boolean; z : boolean; end Vars
  Actions = {up, stay};
  Protocol: x = 0 : {up, stay}; Other : {stay}; end Protocol
  Evolution: x = 1 if Action = up; busy = true if x = 1 and z = true; end Evolution
end Agent
Evaluation top if A.x = 1; idle if A.busy = false; end Evaluation
InitStates A.x = 0 and A.busy = false; end InitStates
Fairness idle; end Fairness
"""


def test_where_only_fair_runs_count_what_tells_the_initial_state_from_others_is_shown() -> None:
    """With z, whoever comes to the top is busy for ever: that no fair run comes there is false of the other initial state."""
    (result,) = epistrat.load(FAIR).check("EF top")
    assert result.verdict is Verdict.FAILS
    assert "0 A.x = 0; A.z" in " ".join(result.explain().split())
    assert "with A.x = 0 and A.z ever" in result.summary()


@pytest.mark.parametrize("formula", ["AG top", "AF top", "EF top", "EG top", "LTL G top"])
def test_where_only_fair_runs_count_the_sentence_from_the_formula_says_so(formula: str) -> None:
    model = epistrat.load(FAIR)
    assert "fair run" in denial(model, model.formula(formula))


def test_a_near_state_that_no_fair_run_comes_to_is_no_counterexample() -> None:
    """Whoever is busy is so for ever: no fair run comes there, though a step does."""
    model = epistrat.load(FAIR)
    assert nearby(model, model.formula("AG idle")) is None
    assert model.check("AG idle")[0].verdict is Verdict.HOLDS


SEEN = """
Agent Environment
  Vars: p : boolean; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: p = true if p = false; end Evolution
end Agent
Agent A
  Vars: n : integer; end Vars
  Actions = {up};
  Protocol: Other : {up}; end Protocol
  Evolution: n = n + 1 if Action = up; end Evolution
end Agent
Evaluation p if Environment.p = true; end Evaluation
InitStates A.n = 0 and Environment.p = false; end InitStates
"""


def test_unknown_names_what_an_agent_sees_where_it_is_asked_what_it_knows() -> None:
    model = epistrat.load(SEEN)
    assert "all values of A.n" in unanswered(model, model.formula("EF K(A, p)"), "", "").reason
    assert "all states" in unanswered(model, model.formula("EF p"), "", "").reason
