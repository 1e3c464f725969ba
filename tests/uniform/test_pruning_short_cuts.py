"""Short cuts of the search for prunings where they must not be taken."""

from __future__ import annotations

import pytest
from tests.asynchronous.worked_examples import MODELS

import epistrat
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import IMPATIENT

ENGINES = ("reference", "symbolic")

# Left and right are two initial states that A tells apart; in each it can keep its side or cross over to the middle.
SIDES = """
Agent A
  Vars: side : {left, right, middle}; end Vars
  Actions = {stay, cross};
  Protocol: Other : {stay, cross}; end Protocol
  Evolution: side = middle if Action = cross; end Evolution
end Agent
Evaluation
  left if A.side = left;
  right if A.side = right;
  middle if A.side = middle;
end Evaluation
InitStates INITIAL; end InitStates
Groups g = {A}; end Groups
"""
TWO, ONE = "A.side = left or A.side = right", "A.side = left"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("formula", "initial", "expected"),
    [
        ("AG left or AG right", TWO, "holds"),
        ("AG left or AG right", ONE, "holds"),
        ("AG left or AF middle", TWO, "holds"),
        ("<g>G left or <g>G right", TWO, "holds"),
        ("AG left or AX AX false", TWO, "fails"),
        ("AG right or AX AX false", ONE, "fails"),
    ],
)
def test_a_disjunction_is_decided_state_by_state(engine: str, formula: str, initial: str, expected: str) -> None:
    """With several initial states the first operand may hold in some of them and the second in the others."""
    system = epistrat.load(SIDES.replace("INITIAL", initial))
    (result,) = system.check(formula, engine=engine, strategies="uniform")
    assert result.verdict.value == expected


# The place 0 is left for 1 at once.  In 1 one action stays there for ever, and the other one goes back.
RETURN = """
Agent A
  Vars: at : 0..1; end Vars
  Actions = {a, b};
  Protocol: Other : {a, b}; end Protocol
  Evolution: at = 1 if at = 0; at = 0 if at = 1 and Action = BACK; end Evolution
end Agent
Evaluation p if A.at = 0; end Evaluation
InitStates A.at = 0; end InitStates
"""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("back", ["a", "b"])
def test_a_decision_is_to_blame_though_nothing_new_would_be_reached(engine: str, back: str) -> None:
    """Both places are reached in any case: whoever stays in 1 makes `EX p` false without keeping play from any state."""
    budget = Budget(patience=IMPATIENT)
    results = epistrat.load(RETURN.replace("BACK", back)).check(
        ["EF EX p", "AG EF EX p"], engine=engine, strategies="uniform", budget=budget
    )
    assert [result.verdict.value for result in results] == ["holds", "holds"]


AWAY = """
Agent A
  Vars: home : boolean; end Vars
  Actions = {a, b};
  Protocol: Other : {a, b}; end Protocol
  Evolution: home = false if Action = LEAVE; end Evolution
end Agent
Agent B Actions = {wait}; Protocol: Other : {wait}; end Protocol end Agent
Evaluation home if A.home = true; end Evaluation
InitStates A.home = true; end InitStates
Groups g = {A}; end Groups
"""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("leave", ["a", "b"])
def test_the_way_to_a_look_alike_is_to_blame(engine: str, leave: str) -> None:
    """B, who sees nothing, knows that A is at home if A never leaves."""
    (result,) = epistrat.load(AWAY.replace("LEAVE", leave)).check(
        "K(B, home)", engine=engine, strategies="uniform", group="g", budget=Budget(patience=IMPATIENT)
    )
    assert result.verdict.value == "holds"


@pytest.mark.parametrize("engine", [*ENGINES, "explicit"])
@pytest.mark.parametrize(("follower", "expected"), [("Alice", "holds"), ("Bob", "fails")])
def test_a_follower_that_waits_adds_a_run(engine: str, follower: str, expected: str) -> None:
    """Alice waits for Bob, who never joins; without strategies the only run is the one in which she goes ahead."""
    system = epistrat.System.of(MODELS["blocking"])
    (result,) = system.check("EG !done", engine=engine, strategies="uniform", group=[follower])
    assert result.verdict.value == expected
