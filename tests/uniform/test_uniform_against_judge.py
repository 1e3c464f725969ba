"""The three readings of uniform strategies in the symbolic engine, against the judge's enumeration."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from tests.generators import random_formula, random_group, random_system

from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.engines.symbolic.engine import SymbolicEngine
from epistrat.logic.formula import (
    And,
    Coalition,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Group,
    Knows,
    Next,
    Not,
    Or,
    Prop,
    Release,
    Until,
    WeakUntil,
    subformulae,
)
from epistrat.model.agent import Agent, Assignment, EvolutionLine, Variable
from epistrat.model.system import Composition, System
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import IMPATIENT, PATIENT, Patience
from epistrat.terms import Boolean, Terms

IMPERFECT = (Strategies.OBJECTIVE, Strategies.SUBJECTIVE)
NODES = 1 << 20
SECONDS = 1.0


def _agree(system: System, formula: Formula, options: Options, seed: int, patience: Patience = PATIENT) -> int:
    """1 if both engines answered (and the same), 0 if the judge found no answer in time."""
    right = (
        ReferenceEngine()
        .open(system, Options(options.strategies, options.uniform_group), Budget(SECONDS))
        .check(formula)
    )
    if right.verdict is Verdict.UNKNOWN:
        return 0
    session = SymbolicEngine().open(system, options, Budget(nodes=NODES, patience=patience))
    assert session.check(formula).verdict is right.verdict, (seed, formula, options)
    session.close()
    return 1


@pytest.mark.parametrize("fairness", [False, True])
@pytest.mark.parametrize("reading", IMPERFECT)
def test_one_strategy_per_operator(reading: Strategies, fairness: bool) -> None:
    compared = 0
    for seed in range(40):
        rng = random.Random(seed)
        system = random_system(rng, composition=Composition.SYNCHRONOUS, fairness=fairness)
        for _ in range(2):
            formula = random_formula(rng, system, "ATLK", rng.choice((1, 2, 3)))
            if any(isinstance(part, Coalition) for part in subformulae(formula)):
                compared += _agree(system, formula, Options(reading), seed)
    assert compared > 25


@pytest.mark.parametrize("fairness", [False, True])
@pytest.mark.parametrize("fragment", ["ATLK", "CTLK", "LTLK", "CTL*K"])
def test_strategies_that_prune_the_model(fragment: str, fairness: bool) -> None:
    compared = 0
    for seed in range(20):
        rng = random.Random(100 + seed)
        system = random_system(rng, composition=Composition.SYNCHRONOUS, fairness=fairness)
        formula = random_formula(rng, system, fragment, rng.choice((1, 2)))
        group = None if rng.random() < 0.5 else rng.choice(list(system.groups.values()))
        compared += _agree(system, formula, Options(Strategies.UNIFORM, group), seed)
    assert compared > 10


def _freed(rng: random.Random, fairness: bool) -> System:
    """A random system most of whose agents may do anything anywhere, so that strategies matter."""
    system = random_system(rng, composition=Composition.SYNCHRONOUS, environment=True, fairness=fairness)
    agents = [
        replace(agent, protocol=(), other=agent.actions) if agent.actions and rng.random() < 0.7 else agent
        for agent in system.agents
    ]
    return replace(system, agents=tuple(agents))


@pytest.mark.parametrize("fairness", [False, True])
@pytest.mark.parametrize("reading", [*IMPERFECT, Strategies.UNIFORM])
def test_agents_with_many_choices(reading: Strategies, fairness: bool) -> None:
    """Also with the thinning out of refutations from the first trial on, which normally only long searches need."""
    compared = 0
    for seed in range(35, 60):
        rng = random.Random(seed)
        system = _freed(rng, fairness)
        goal: Formula = Prop(rng.choice(list(system.propositions)))
        goal = Not(goal) if rng.random() < 0.5 else goal
        shape = rng.choice((Finally, Globally, Next))(goal)
        group = random_group(rng, system).members if reading is Strategies.UNIFORM else None
        formula = Coalition(random_group(rng, system), shape)
        compared += _agree(system, formula, Options(reading, group), seed, IMPATIENT)
    assert compared > 8


def test_a_first_step_that_stays_where_it_is_is_a_step() -> None:
    """``<g>X f`` under fairness: the refuted choice leads back to the first state, other choices do not."""
    terms = Terms()
    x = Variable("A", "x", Boolean())
    go, stay = (terms.action("A", name) for name in ("go", "stay"))
    agent = Agent(
        "A",
        (x,),
        actions=("stay", "go"),
        other=("stay", "go"),
        evolution=(
            EvolutionLine((Assignment("x", terms.boolean(True)),), go),
            EvolutionLine((Assignment("x", x.reference),), stay),
        ),
    )
    here = Prop("here")
    system = System(
        (agent,),
        terms.negate(x.reference),
        propositions={"here": terms.negate(x.reference), "anywhere": terms.boolean(True)},
        fairness=(Prop("anywhere"),),
    )
    session = SymbolicEngine().open(system, Options(Strategies.OBJECTIVE), Budget())
    assert session.check(Coalition(Group(("A",)), Next(Not(here)))).verdict is Verdict.HOLDS
    assert session.check(Coalition(Group(("A",)), Next(here))).verdict is Verdict.HOLDS
    assert session.check(Coalition(Group(()), Next(here))).verdict is Verdict.FAILS
    session.close()


def _every_shape(rng: random.Random, system: System) -> Formula:
    """Formulae whose truth depends on choices in all the ways that blame for a failed strategy is laid."""
    one, other = (random_formula(rng, system, "CTL", 0) for _ in range(2))
    known = Knows(rng.choice(list(system.views)), one)
    inner: list[Formula] = [
        Exists(one, star=True),
        ForAll(one, star=True),
        Exists(WeakUntil(one, other)),
        ForAll(WeakUntil(one, other)),
        Exists(Release(one, other)),
        ForAll(Until(one, other)),
        Exists(And((Finally(one), Globally(Or((one, other))))), star=True),
        Not(known),
        Coalition(rng.choice([random_group(rng, system), Group(tuple(system.views))]), Finally(other)),
    ]
    body = rng.choice(inner)
    outer: list[Formula] = [
        body,
        ForAll(Globally(body)),
        Exists(Finally(body)),
        ForAll(Finally(And((one, body)))),
        Not(body),
    ]
    return rng.choice(outer)


@pytest.mark.parametrize("patience", [PATIENT, IMPATIENT], ids=["patient", "impatient"])
@pytest.mark.parametrize("fairness", [False, True])
def test_every_shape_that_a_strategy_may_fail(fairness: bool, patience: Patience) -> None:
    compared = 0
    for seed in range(32):
        rng = random.Random(900 + seed)
        system = _freed(rng, fairness)
        compared += _agree(system, _every_shape(rng, system), Options(Strategies.UNIFORM), seed, patience)
    assert compared > 8
