"""Completed systems: no dead ends, the same states without the flag, and verdicts that do not profit from runs that end."""

from __future__ import annotations

import random

import pytest
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

import epistrat
from epistrat.engines.contract import Strategies
from epistrat.engines.reference.judge import Judge
from epistrat.logic.formula import Formula, Test
from epistrat.logic.lasting import lasting
from epistrat.model.agent import Agent, Assignment, EvolutionLine, Variable
from epistrat.model.explore import ReachableGraph, explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.model.system import Composition, System
from epistrat.model.transform.completed import Completed, completed
from epistrat.solvers.budget import Budget
from epistrat.terms import Bounded, Terms


def draw(rng: random.Random, total: bool = False) -> tuple[System, Completed]:
    """A random synchronous system without fairness that can be completed, and its completion."""
    while True:
        system = random_system(rng, composition=Composition.SYNCHRONOUS, fairness=False, total=total)
        done = completed(system)
        if done is not None:
            return system, done


def reach(system: System) -> tuple[Stepper, ReachableGraph]:
    stepper = Stepper(system)
    return stepper, explore(stepper, initial_states(system), 100_000, Budget())


def holds(system: System, formula: Formula) -> bool:
    stepper, reached = reach(system)
    return Judge(stepper, reached, Strategies.ANY, Budget()).satisfied(formula)


@pytest.mark.parametrize("seed", range(60))
def test_completed_systems_have_the_states_and_no_dead_end(seed: int) -> None:
    system, done = draw(random.Random(seed))
    _, before = reach(system)
    stepper, after = reach(done.system)
    assert not after.dead_ends
    places = [done.system.position[variable.key] for variable in system.variables]
    going_on = {
        tuple(state[place] for place in places)
        for state in after.states
        if not stepper.evaluator.holds(done.stuck, state)
    }
    assert going_on == set(before.states)


@pytest.mark.parametrize("seed", range(120))
def test_what_lasts_is_true_and_nothing_changes_without_ends(seed: int) -> None:
    rng = random.Random(seed)
    total = rng.random() < 0.4
    system, done = draw(rng, total)
    for fragment in ("CTLK", "ATLK", "LTL"):
        formula = random_formula(rng, system, fragment)
        stronger = lasting(formula, Test(done.stuck))
        if stronger is None:
            continue
        weak, strong = holds(system, formula), holds(done.system, stronger)
        assert weak or not strong
        if total:
            assert weak == strong


WINS_BY_OVERFLOW = """
Agent P Vars: n : 0..3; moon : boolean; end Vars Actions = {up, stay}; Protocol: Other : {up, stay}; end Protocol
  Evolution: n = n + 1 if Action = up; end Evolution end Agent
Evaluation on_moon if P.moon; end Evaluation
InitStates P.n = 0 and !P.moon; end InitStates
Groups p = {P}; end Groups
Formulae <p>F on_moon; <p>G !on_moon; <p>X !on_moon; AG !on_moon; LTL F on_moon; end Formulae
"""


def test_a_win_by_leaving_a_range_does_not_last() -> None:
    system = epistrat.load(WINS_BY_OVERFLOW)
    done = completed(system)
    assert done is not None
    wanted = [lasting(formula, Test(done.stuck)) for formula in system.formulae]
    assert all(formula is not None for formula in wanted)
    assert [holds(done.system, formula) for formula in wanted if formula is not None] == [
        False,
        True,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("engine", ["symbolic", "explicit"])
@pytest.mark.parametrize("seed", range(12))
def test_engines_take_completed_systems(seed: int, engine: str) -> None:
    rng = random.Random(1000 + seed)
    system, done = draw(rng)
    whole = epistrat.System.of(done.system)
    stronger = lasting(random_formula(rng, system, "CTL"), Test(done.stuck))
    assert stronger is not None
    (result,) = whole.check(stronger, engine=engine, evidence=False)
    assert bool(result) == holds(done.system, stronger)


def test_whether_a_value_fits_is_asked_of_the_agent_that_assigns_it() -> None:
    """Two agents with the same line: it leaves the range of one of them only."""

    def agent(name: str, most: int) -> Agent:
        line = EvolutionLine((Assignment("x", Terms().number(3)),), Terms().boolean(True))
        return Agent(name, (Variable(name, "x", Bounded(0, most)),), evolution=(line,))

    for sizes in ((5, 2), (2, 5)):
        agents = tuple(agent(name, most) for name, most in zip("AB", sizes, strict=True))
        zero = Terms().conjunction(Terms().equals(one.variables[0].reference, 0) for one in agents)
        system = System((*agents,), zero)
        _, before = reach(system)
        assert before.dead_ends
        done = completed(system)
        assert done is not None
        stepper, after = reach(done.system)
        assert not after.dead_ends
        assert any(stepper.evaluator.holds(done.stuck, state) for state in after.states)
