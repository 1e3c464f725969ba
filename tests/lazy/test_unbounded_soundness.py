"""Arithmetic instead of clauses on finite systems, and unbounded systems of which exploration decides something."""

from __future__ import annotations

import random

import pytest
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

import epistrat
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.lazy.tuning import LazyTuning
from epistrat.engines.registry import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

DEAD_END = """
Agent Environment
    Obsvars: x : integer; end Obsvars
    Vars: stuck : boolean; end Vars
    Actions = {go, stop};
    Protocol: stuck = false and x < 3 : {go}; stuck = false : {stop}; end Protocol
    Evolution: x = x + 1 if Action = go; stuck = true if Action = stop; end Evolution
end Agent
Agent A Actions = {look}; Protocol: Other : {look}; end Protocol end Agent
Evaluation stuck if Environment.stuck = true; end Evaluation
InitStates Environment.x = 0 and Environment.stuck = false; end InitStates
Formulae
    AG !stuck;
    AG(stuck -> K(A, Environment.x >= 3));
    AG !K(A, stuck);
    LTL G !stuck;
end Formulae
"""


def test_the_bad_state_is_a_dead_end() -> None:
    """Where unrolled paths had to go on, states without successor were never found, and invariants were believed that they violate."""
    verdicts = [result.verdict.value for result in epistrat.load(DEAD_END).check(engine="lazy")]
    judged = [result.verdict.value for result in epistrat.load(DEAD_END).check(engine="reference")]
    assert verdicts == judged == ["fails", "fails", "holds", "holds"]


def test_a_cone_may_start_where_the_system_cannot() -> None:
    text = DEAD_END.replace("Environment.stuck = false;", "Environment.stuck = false and Environment.x = 1;")
    assert all(epistrat.load(text).check(engine="lazy"))


def _invariant(rng: random.Random, system: System) -> Formula:
    condition = random_formula(rng, system, "CTL", 0)
    known = logic.Knows(rng.choice(list(system.views)), random_formula(rng, system, "CTL", 0))
    bodies = (logic.Implies(condition, known), logic.Implies(known, condition), logic.Not(known), known)
    return logic.ForAll(logic.Globally(rng.choice(bodies)))


@pytest.mark.parametrize("unbounded", [False, True])
def test_agreement_with_exploration(unbounded: bool) -> None:
    lazy, judge = load("lazy"), load("reference")
    options = Options(tuning=(LazyTuning(solver="smt"),))
    decided = 0
    for seed in range(10):
        rng = random.Random(seed)
        system = random_system(rng, fairness=False, unbounded=unbounded)
        formula = _invariant(rng, system)
        found = lazy.open(system, options, Budget(seconds=10)).check(formula).verdict
        right = judge.open(system, Options(), Budget(seconds=5, states=2000)).check(formula).verdict
        if Verdict.UNKNOWN not in (found, right):
            decided += 1
            assert found is right, (seed, formula)
    assert decided >= 6
