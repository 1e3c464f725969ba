"""Verdicts of the symbolic engine under uniform strategies that once were wrong, each with the definition that decides it."""

from __future__ import annotations

from typing import Any

import pytest

import epistrat


def _verdicts(model: str, formulae: list[str], engine: str, **options: Any) -> list[str]:
    results = epistrat.load(model).check(formulae, engine=engine, **options)
    return [result.verdict.value for result in results]


ENGINES = ["reference", "symbolic"]

# A choice after which an assignment leaves its range has no outcome, so it wins every game.  Which of the many actions that is depends
# on h, which A does not see; objective strategies are asked from one state at a time.
OVERFLOW = """
Agent Environment
  Vars: h : boolean; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution: h = h if A.Action = a1; end Evolution
end Agent
Agent A
  Vars: n : 0..1; end Vars
  Actions = {ACTIONS};
  Protocol: Other : {ACTIONS}; end Protocol
  Evolution: n = n if Action = a1; end Evolution
end Agent
Agent B
  Lobsvars = {h};
  Vars: m : 0..1; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution: m = m + 2 if (Environment.h = true and A.Action = aX) or (Environment.h = false and A.Action = aY); end Evolution
end Agent
Evaluation p if A.n = 1; end Evaluation
InitStates A.n = 0 and B.m = 0; end InitStates
Groups g = {A}; end Groups
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_a_choice_without_outcome_wins_after_many_trials(engine: str) -> None:
    actions = ", ".join(f"a{number}" for number in range(1, 301))
    model = OVERFLOW.replace("ACTIONS", actions).replace("aX", "a100").replace("aY", "a220")
    assert _verdicts(model, ["<g>F p"], engine, strategies="objective") == ["holds"]


NOBODY = """
Agent A
  Vars: z : boolean; end Vars
  Actions = {a, b};
  Protocol: Other : {a, b}; end Protocol
  Evolution: z = false if Action = a; end Evolution
end Agent
Evaluation p if A.z = true; end Evaluation
InitStates A.z = false; end InitStates
"""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("reading", ["any", "uniform", "objective", "subjective"])
def test_everybody_of_nobody_knows_what_is_false(engine: str, reading: str) -> None:
    formulae = ["GK({}, p)", "AG(GK({}, p))", "!GK({}, p)", "GCK({}, p)", "DK({}, p)", "GCK({}, !p)", "DK({}, !p)"]
    expected = ["holds", "holds", "fails", "fails", "fails", "holds", "holds"]
    assert _verdicts(NOBODY, formulae, engine, strategies=reading) == expected


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("!GK({}, p)", "The group has no members, so `p` need not be true."),
        ("!GCK({}, !p)", "The group has no members, and `!p` is true here."),
        ("!DK({}, !p)", "A group without members sees nothing, and `!p` is true in all states (1)."),
    ],
)
def test_what_nobody_knows_is_explained(formula: str, words: str) -> None:
    (result,) = epistrat.load(NOBODY).check(formula, evidence=True)
    assert words in result.explain()


# The environment leaves 0 by itself; A's actions change nothing.
LOOKING_BACK = """
Agent Environment
  Vars: x : 0..2; end Vars
  Actions = {l, r};
  Protocol: Other : {l, r}; end Protocol
  Evolution:
    x = 1 if x = 0 and Action = l;
    x = 2 if x = 0 and Action = r;
  end Evolution
end Agent
Agent A
  Actions = {a, b};
  Protocol: Other : {a, b}; end Protocol
end Agent
Evaluation any if true; zero if Environment.x = 0; end Evaluation
InitStates Environment.x = 0; end InitStates
Groups g = {A}; end Groups
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_quantifiers_over_what_looks_back_get_no_coalition_as_bound(engine: str) -> None:
    formulae = ["AF E(F any and Y zero)", "EG !(E(F any and Y zero))"]
    assert _verdicts(LOOKING_BACK, formulae, engine, strategies="uniform", group="g") == ["holds", "fails"]


# A decides at the first step whether x becomes 1 or 2, and then 3.
PAST_CHOICE = """
Agent Environment
  Vars: x : 0..3; r : boolean; end Vars
  Actions = {tick};
  Protocol: Other : {tick}; end Protocol
  Evolution:
    x = 1 if x = 0 and A.Action = a;
    x = 2 if x = 0 and A.Action = b;
    x = 3 if x = 1 or x = 2;
  end Evolution
end Agent
Agent A
  Vars: z : boolean; end Vars
  Actions = {a, b};
  Protocol: Other : {a, b}; end Protocol
  Evolution: z = z if Action = a; end Evolution
end Agent
Evaluation
  one if Environment.x = 1;
  two if Environment.x = 2;
  three if Environment.x = 3;
end Evaluation
InitStates Environment.x = 0 and Environment.r = false and A.z = false; end InitStates
Groups g = {A}; end Groups
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_failed_trials_of_formulae_that_look_back_teach_something(engine: str) -> None:
    formulae = {
        "AG(three -> E(F three and Once one))": "holds",
        "AG(three -> E(F three and Once two))": "holds",
        "AG(three -> E(F three and Y Y one))": "fails",
        "AF(three and A(G three and Once one))": "holds",
        "!AG(three -> E(F three and Once one))": "holds",
        "!AG(three -> E(F three and Once one)) and !AG(three -> E(F three and Once two))": "fails",
    }
    assert _verdicts(PAST_CHOICE, list(formulae), engine, strategies="uniform") == list(formulae.values())
