"""A run guesses at what is known on it.  What one guess implies about another, because one agent sees more, proves neither."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from tests.generators.systems import random_system

import epistrat
from epistrat.answers import Certificate, Verdict
from epistrat.engines.contract import Options
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load
from epistrat.evidence.replay import replay
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.logic.show import show
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

MODEL = """
Agent Environment
  Vars: light : boolean; hidden : {a, b}; end Vars
  Actions = {tick};
  Protocol: Other : {tick}; end Protocol
  Evolution: hidden = hidden if Action = tick; end Evolution
end Agent
Agent Blind
  Actions = {look}; Protocol: Other : {look}; end Protocol
end Agent
Agent Seer
  Lobsvars = {light};
  Actions = {look}; Protocol: Other : {look}; end Protocol
end Agent
Evaluation p if Environment.hidden = a; end Evaluation
InitStates Environment.hidden = a and Environment.light = true; end InitStates
"""
"""Whoever sees nothing knows p, and whoever sees more knows it too."""


@pytest.mark.parametrize(
    "text",
    [
        "LTL F (K(Seer, p) and X K(Blind, p))",
        "LTL F (K(Blind, p) and X K(Seer, p))",
        "LTL !F ((Y K(Seer, p)) and !K(Blind, p))",
        "LTL !F ((Y K(Blind, p)) and !K(Seer, p))",
        "LTL !(true U ((Y K(Seer, p)) and !K(Blind, p)))",
        "LTL G (Once K(Seer, p) -> K(Blind, p))",
    ],
)
def test_what_everybody_knows_is_known(text: str) -> None:
    (result,) = epistrat.load(MODEL).check([text], engine="lazy", prove=False, remarks=False)
    assert result.verdict is Verdict.HOLDS, result.reason


def formula_about(rng: random.Random, system: System) -> Formula:
    """Knowledge of several, with past operators over it."""

    def fact() -> Formula:
        one = logic.Prop(rng.choice(list(system.propositions)))
        return one if rng.random() < 0.6 else logic.Not(one)

    def known() -> Formula:
        return logic.Knows(rng.choice(system.agents).name, fact())

    def rule(condition: Formula, *then: Formula) -> Formula:
        return logic.Or((logic.Not(condition), *then))

    shapes: list[Callable[[], Formula]] = [
        lambda: rule(logic.Once(known()), fact()),
        lambda: rule(logic.Yesterday(known()), known()),
        lambda: rule(logic.Historically(known()), fact(), known()),
        lambda: logic.Since(known(), fact()),
        lambda: logic.Finally(logic.And((known(), logic.Next(known())))),
        lambda: rule(known(), logic.Next(known())),
    ]
    return logic.ForAll(logic.Globally(rng.choice(shapes)()), star=True)


@pytest.mark.parametrize("case", range(4))
def test_runs_on_which_several_know_something_against_the_judge(case: int) -> None:
    lazy, judge = load("lazy"), load("reference")
    found = dict.fromkeys(Verdict, 0)
    for seed in range(case * 40, case * 40 + 40):
        rng = random.Random(seed)
        system = random_system(rng, fairness=False)
        formula = formula_about(rng, system)
        assert refusal(lazy, system, formula, Options()) is None, show(formula)
        told = lazy.open(system, Options(evidence=True), Budget()).check(formula)
        found[told.verdict] += 1
        if told.verdict is not Verdict.UNKNOWN:
            right = judge.open(system, Options(), Budget()).check(formula)
            assert told.verdict is right.verdict, (seed, show(formula))
        if told.evidence is not None:
            replayed = replay(system, Certificate(formula, told.verdict, trees=(told.evidence,)))
            assert not replayed.problems, (seed, show(formula), replayed.problems)
    assert found[Verdict.HOLDS] > 5 and found[Verdict.FAILS] > 5
