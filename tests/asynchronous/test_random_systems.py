"""Engines agree with the reference engine on random interleaved systems with strategies, and the laws of strategies hold there.

``make fuzz SYSTEMS=10000`` compares on many more.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from tests.asynchronous.random_systems import disagreements, verdict
from tests.generators.asynchronous import (
    COMBINATIONS,
    READINGS,
    Combination,
    asynchronous_system,
    strategic_formula,
)

from epistrat.engines.choose import choose, plan
from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load as engine_of
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group
from epistrat.model.initial import initial_states
from epistrat.model.system import Blocking, System
from epistrat.model.transform.choices import Choosing, with_choices
from epistrat.solvers.budget import Budget


@pytest.mark.parametrize("seed", range(16))
def test_engines_agree(seed: int) -> None:
    rng = random.Random(seed)
    system = asynchronous_system(rng)
    assert not disagreements(system, strategic_formula(rng, system))


@pytest.mark.parametrize("combination", COMBINATIONS, ids=str)
def test_whoever_is_asked_by_default_answers(combination: Combination) -> None:
    """Every combination for which strategies are defined, with fairness and without."""
    for seed in range(10):
        rng = random.Random(60_000 + seed)
        system = combination.rules.of(asynchronous_system(rng))
        formula = strategic_formula(rng, system)
        options = Options(combination.reading)
        for choice in plan(system, formula, options):
            assert refusal(choice.engine, system, formula, options) is None
        first = choose(system, formula, options).engine.open(system, options, Budget())
        assert first.check(formula).verdict is not Verdict.UNKNOWN


@pytest.mark.parametrize("seed", [557, 1467])
def test_a_violated_play_must_be_fair_beyond_the_goal_too(seed: int) -> None:
    """Systems in which U is violated by plays that pass the goal later, and are not fair from there on."""
    rng = random.Random(seed)
    system = asynchronous_system(rng)
    assert not disagreements(system, strategic_formula(rng, system))


def _aim(rng: random.Random, system: System) -> Formula:
    one, other = (logic.Prop(rng.choice(list(system.propositions))) for _ in range(2))
    return rng.choice((logic.Next(one), logic.Finally(one), logic.Globally(logic.Not(one)), logic.Until(one, other)))


def _drawn(seed: int) -> tuple[System, Formula]:
    rng = random.Random(10_000 + seed)
    system = asynchronous_system(rng)
    name = rng.choice(list(system.groups))
    return system, logic.Coalition(Group(system.groups[name], name), _aim(rng, system))


@pytest.mark.parametrize("seed", range(16))
def test_a_strategy_that_needs_less_is_enough(seed: int) -> None:
    """Subjective implies objective implies any; adversary implies wait implies ignore."""
    system, formula = _drawn(seed)
    strength = [verdict("explicit", system, formula, reading) is Verdict.HOLDS for reading in READINGS]
    assert strength == sorted(strength, reverse=True)
    for reading in READINGS:
        plays = (Blocking.ADVERSARY, Blocking.WAIT, Blocking.IGNORE)
        found = [verdict("explicit", replace(system, blocking=one), formula, reading) for one in plays]
        held = [one is Verdict.HOLDS for one in found]
        assert held == sorted(held)


@pytest.mark.parametrize("seed", range(12))
def test_a_group_without_choices_can_do_what_must_happen(seed: int) -> None:
    """``<g>`` over a group with one choice everywhere is ``A``."""
    system, formula = _drawn(seed)
    assert isinstance(formula, logic.Coalition)
    agents = [
        replace(
            agent,
            protocol=tuple(
                replace(line, choices=(tuple(a for a in agent.actions if a in line.actions),))
                for line in agent.protocol
            ),
        )
        for agent in system.agents
    ]
    passive = replace(system, agents=tuple(agents))
    always = verdict("reference", passive, logic.ForAll(formula.arg), Strategies.ANY)
    for reading in (Strategies.ANY, Strategies.OBJECTIVE):
        assert verdict("explicit", passive, formula, reading) is always
        assert verdict("symbolic", passive, formula, reading) is always


@pytest.mark.parametrize("seed", range(12))
def test_an_objective_strategy_is_a_pruning(seed: int) -> None:
    """With one initial state, ``<g>f`` read as objective is ``A f`` read as uniform with the members of g as followers."""
    system, formula = _drawn(seed)
    assert isinstance(formula, logic.Coalition)
    session = engine_of("reference").open(
        system, Options(Strategies.UNIFORM, uniform_group=formula.group.members), Budget()
    )
    if len(initial_states(system, 10)) != 1:
        return
    pruned = session.check(logic.ForAll(formula.arg)).verdict
    assert verdict("explicit", system, formula, Strategies.OBJECTIVE) is pruned


@pytest.mark.parametrize("seed", range(8))
def test_choosing_among_all_sets_is_at_least_as_good(seed: int) -> None:
    """With perfect information every choice of a protocol is among the sets of allowed actions."""
    system, formula = _drawn(seed)
    sets = with_choices(system, Choosing.SETS)
    if verdict("explicit", system, formula, Strategies.ANY) is Verdict.HOLDS:
        assert verdict("explicit", sets, formula, Strategies.ANY) is Verdict.HOLDS
