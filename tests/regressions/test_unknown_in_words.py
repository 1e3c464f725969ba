"""Why something stays unknown, in the user's words: what was reached, which variables stand in the way, advice that fits the model."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

import epistrat
from epistrat.answers.advice import Setting
from epistrat.engines.choose import Turn
from epistrat.engines.unanswered import unanswered
from epistrat.jobs.portfolio import _to_blame
from epistrat.jobs.race import Entrant, Race

RING = """
Agent Environment
  Vars: id0 : integer; id1 : integer; best0 : integer; best1 : integer; steps : integer; lamp : boolean; end Vars
  Actions = {tick};
  Protocol: Other : {tick}; end Protocol
  Evolution:
    best0 = best1 if A.Action = send and best0 < best1;
    best1 = best0 if B.Action = send and best1 < best0;
    steps = steps + 1 if Action = tick;
  end Evolution
end Agent
Agent A Lobsvars = {id0, best0}; Actions = {send, rest}; Protocol: Other : {send, rest}; end Protocol end Agent
Agent B Lobsvars = {id1, best1}; Actions = {send, rest}; Protocol: Other : {send, rest}; end Protocol end Agent
Evaluation led if Environment.best1 = Environment.id0; lit if Environment.lamp = true; end Evaluation
InitStates Environment.best0 = Environment.id0 and Environment.best1 = Environment.id1 and Environment.id0 >= 0
  and Environment.id1 >= 0 and Environment.steps = 0; end InitStates
Formulae end Formulae
"""
JARGON = (
    "predicate",
    "abstraction",
    "refine",
    "solver",
    "Spacer",
    "invariant",
    "diagram",
    "cannot be listed",
    "unrolled",
)


def test_the_reason_names_the_variables_on_which_the_answer_depends() -> None:
    model = epistrat.load(RING)
    told = unanswered(model, model.formula("AG EF led"), "time limit of 1 s reached", "12 states were looked at")
    assert told.reason == (
        "time limit of 1 s reached: 12 states were looked at, and no argument was found that covers all values of "
        "Environment.id0, Environment.id1, Environment.best0 and 1 more"
    )
    assert "steps" not in told.reason and "lamp" not in told.reason
    assert told.advice[0] == Setting("time")
    assert told.advice[1] == (
        "bounds for Environment.id0, Environment.id1, Environment.best0 and 1 more: in a finite model all states can be looked at"
    )
    assert not any("product" in str(one) for one in told.advice), "the model multiplies nothing"


def test_products_are_named_where_there_are_some() -> None:
    model = epistrat.load(RING.replace("steps + 1", "steps * best0"))
    told = unanswered(model, model.formula("AG led"), "", "")
    assert (
        "products of variables such as `Environment.steps * Environment.best0` make such arguments hard to find"
        in told.reason
    )
    assert any("product" in str(one) for one in told.advice)


@pytest.mark.parametrize("engine", ["auto", "abstraction", "lazy"])
@pytest.mark.parametrize("text", ["AG EF (Environment.steps > 7 and led)", "AG (led -> !K(A, led))"])
def test_no_jargon(engine: str, text: str) -> None:
    """Whoever gives up, in however little time."""
    if engine == "lazy" and "EF" in text:
        pytest.skip("it answers no such formula, and says who does")
    (result,) = epistrat.load(RING).check(text, engine=engine, time=0.05)
    reason = result.reason or ""
    assert not any(word in reason for word in JARGON), reason
    assert not any(word in str(one) for word in JARGON[:6] for one in result.advice), result.advice


def test_an_engine_that_joined_in_vain_gives_no_reason() -> None:
    """The reference engine ends at once where initial states cannot be listed; that is not why the question is hard."""
    first, joined = cast(Turn, "first"), cast(Turn, "joined")
    in_vain, leader = cast(Entrant, SimpleNamespace(tag=joined)), cast(Entrant, SimpleNamespace(tag=first))
    assert _to_blame(cast(Race, SimpleNamespace(failed=[in_vain, leader], field=[])), first) is leader
    assert _to_blame(cast(Race, SimpleNamespace(failed=[in_vain], field=[leader])), first) is None
    assert _to_blame(cast(Race, SimpleNamespace(failed=[in_vain], field=[])), first) is in_vain
