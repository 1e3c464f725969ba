"""What the language refuses, where a careless rule would let it pass."""

from __future__ import annotations

import pytest

from epistrat.lang import load, parse_formula

MODEL = """
Agent A
  Vars: n : -2..3; c : {red, green}; d : {green, blue}; end Vars
  RedStates: n = 3; end RedStates
  Actions = {a, b};
  Protocol: n = 0 : {a}; Other : {b}; end Protocol
  Evolution: n = 1 if Action = a; end Evolution
end Agent
Evaluation p if A.n = 0; q if A.n = -2; end Evaluation
InitStates A.n = 0; end InitStates
Groups g = {A}; end Groups
"""


def codes(text: str) -> list[str]:
    return [one.code for one in load(text).diagnostics if one.is_error]


def test_the_model_itself_is_fine() -> None:
    system = load(MODEL).system
    assert system is not None
    assert system.agents[0].red is not None
    assert str(system.agents[0].variables[0].domain) == "-2..3"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Other : {b};", "Other : {b}; n = 1 : {a};", "E002"),
        ("n = 0 : {a}; Other", "Other : {a}; Other", "E002"),
        ("n = 1 if", "n = 1 and n = 2 if", "E030"),
        ("n = 1 if", "n = 4 if", "E022"),
        ("n : -2..3", "n : 3..-2", "E023"),
        ("p if A.n = 0", "p if A.n < 4", "E022"),
        ("p if A.n = 0", "p if A.c = A.d", "E026"),
        ("p if A.n = 0", "p if A.c = white", "E021"),
    ],
)
def test_mistakes_are_seen(old: str, new: str, code: str) -> None:
    assert old in MODEL
    assert code in codes(MODEL.replace(old, new))


@pytest.mark.parametrize("formula", ["<g>(p)", "<g>!p", "<g>(p and AG q)", "LTL <g>X p", "A p", "AG (p", "K(g, p)"])
def test_formulae_that_mean_nothing(formula: str) -> None:
    system = load(MODEL).system
    assert system is not None
    assert parse_formula(formula, system)[0] is None


@pytest.mark.parametrize("condition", ["F p", "A (G F p)", "LTL p", "<g>X p", "Once p"])
def test_fairness_is_about_states(condition: str) -> None:
    assert codes(MODEL.replace("Groups", f"Fairness {condition}; end Fairness Groups")) != []


def test_the_environment_comes_first() -> None:
    environment = """
Agent Environment
  Vars: e : boolean; end Vars
  Actions = {n};
  Protocol: Other : {n}; end Protocol
end Agent
Evaluation"""
    system = load(MODEL.replace("\nEvaluation", environment)).system
    assert system is not None
    assert [agent.name for agent in system.agents] == ["Environment", "A"]


@pytest.mark.parametrize("letter", ["é", "β", "٣", "_"])
def test_letters_and_digits_outside_ascii_have_no_meaning(letter: str) -> None:
    assert "E001" in codes(MODEL.replace("p if", f"{letter} if"))
