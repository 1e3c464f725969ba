"""Evidence for random questions about random systems replays: what the builder shows is what the definitions ask for."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path

import jsonschema
import pytest
from tests.generators import FRAGMENTS, random_formula, random_system
from tests.generators.certificates import certified

from epistrat.engines.contract import Engine, Options, Outcome, Strategies, Verdict
from epistrat.engines.needs import refusal
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.engines.symbolic.engine import SymbolicEngine
from epistrat.evidence import Answered, Enforced, Restricted, StateStrategy, Strategy, Tree, UniformStrategy, walk
from epistrat.evidence.replay import replay
from epistrat.logic.formula import (
    Coalition,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Next,
    Not,
    Prop,
    Truth,
    is_state,
)
from epistrat.logic.show import show
from epistrat.model.builder import Builder
from epistrat.model.system import Composition, System
from epistrat.render.json.evidence import evidence_json
from epistrat.render.json.reading import read_evidence
from epistrat.service.models import read_formula
from epistrat.solvers.budget import Budget

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/schema/evidence-1.json").read_text())
VALIDATOR = jsonschema.validators.validator_for(SCHEMA)(SCHEMA)


def question(seed: int, fragment: str) -> tuple[System, Formula]:
    rng = random.Random(f"{fragment} {seed}")
    strategic = fragment == "ATLK"
    system = random_system(rng)
    while strategic and system.interleaved:
        system = random_system(rng)
    formula = random_formula(rng, system, fragment)
    return system, formula if is_state(formula) else ForAll(formula, star=True)


def ask(engine: Engine, system: System, formula: Formula) -> Outcome:
    options = Options(evidence=True, examples=3)
    assert refusal(engine, system, formula, options) is None
    session = engine.open(system, options, Budget(states=3_000))
    try:
        return session.check(formula)
    finally:
        session.close()


@pytest.mark.parametrize("fragment", FRAGMENTS)
@pytest.mark.parametrize("engine", [ReferenceEngine(), SymbolicEngine()], ids=lambda engine: engine.name)
def test_evidence_replays(engine: Engine, fragment: str) -> None:
    shown = 0
    for seed in range(40):
        system, formula = question(seed, fragment)
        outcome = ask(engine, system, formula)
        found = replay(system, certified(formula, outcome))
        assert found.ok, (seed, show(formula), found.problems)
        shown += found.complete
        assert all(one != other for one, other in combinations(outcome.trees, 2))
    assert shown > 0


UNIFORM = [
    (ReferenceEngine(), Strategies.UNIFORM),
    (ReferenceEngine(), Strategies.OBJECTIVE),
    (ReferenceEngine(), Strategies.SUBJECTIVE),
    (SymbolicEngine(), Strategies.OBJECTIVE),
    (SymbolicEngine(), Strategies.SUBJECTIVE),
]


@pytest.mark.parametrize(("engine", "strategies"), UNIFORM, ids=lambda value: getattr(value, "name", ""))
def test_uniform_strategies_replay_and_are_uniform(engine: Engine, strategies: Strategies) -> None:
    """A strategy found is a function of what each member sees, and enforces what it should."""
    shown = 0
    for seed in range(40):
        rng = random.Random(f"{strategies} {seed}")
        system = random_system(rng, composition=Composition.SYNCHRONOUS, agents=2)
        formula = random_formula(rng, system, "ATLK", depth=1)
        options = Options(strategies, evidence=True)
        session = engine.open(system, options, Budget(seconds=1, states=100))
        outcome = session.check(formula)
        if outcome.evidence is None:
            continue
        found = replay(system, certified(formula, outcome, options))
        assert found.ok, (seed, show(formula), found.problems)
        data = json.loads(json.dumps(evidence_json(system, outcome.evidence)))
        VALIDATOR.validate(data)
        assert read_evidence(system, data, partial(read_formula, system=system)) == outcome.evidence
        for strategy in strategies_in(outcome.evidence):
            assert isinstance(strategy, UniformStrategy)
            for _, moves in strategy.moves:
                assert len({seen for seen, _ in moves}) == len(moves)
            shown += 1
    assert shown > 1


def strategies_in(tree: Tree) -> list[Strategy]:
    return [
        reason.strategy
        for part in walk(tree)
        for reason in part.because
        if isinstance(reason, (Enforced, Restricted))
        and not (isinstance(reason, Enforced) and isinstance(reason.strategy, StateStrategy))
    ]


def test_a_goal_found_before_a_limit_has_evidence_too() -> None:
    model = Builder()
    clock = model.agent("Clock")
    now = clock.integer("now")
    clock.actions("tick")
    clock.may("tick")
    clock.evolve(clock.action == "tick", now=now + 1)
    model.initial(now == 0)
    model.proposition("late", now > 20)
    system = model.build()
    for formula, holds in ((Exists(Finally(Prop("late"))), True), (ForAll(Globally(Not(Prop("late")))), False)):
        session = ReferenceEngine().open(system, Options(evidence=True), Budget(states=100))
        outcome = session.check(formula)
        assert outcome.verdict is (Verdict.HOLDS if holds else Verdict.FAILS)
        assert outcome.evidence is not None
        assert replay(system, certified(formula, outcome)).complete


@pytest.mark.parametrize("levels", [30, 3_000])
def test_deep_formulae_do_not_break_anything(levels: int) -> None:
    system = question(1, "CTL")[0]
    formula: Formula = Truth(True)
    for _ in range(levels):
        formula = Exists(Next(formula))
    outcome = ask(ReferenceEngine(), system, formula)
    assert outcome.verdict is not Verdict.UNKNOWN
    assert (outcome.evidence is None) == (levels > 100)


@pytest.mark.parametrize("engine", [ReferenceEngine(), SymbolicEngine()], ids=lambda engine: engine.name)
@pytest.mark.parametrize("strategies", [Strategies.OBJECTIVE, Strategies.SUBJECTIVE], ids=lambda one: one.value)
def test_whoever_fails_with_perfect_information_is_answered(engine: Engine, strategies: Strategies) -> None:
    """A group that cannot enforce something although it sees everything cannot when it sees less: the answers show both."""
    answered = 0
    for seed in range(30):
        rng = random.Random(f"answered {strategies} {seed}")
        system = random_system(rng, composition=Composition.SYNCHRONOUS, agents=2, fairness=False)
        formula = random_formula(rng, system, "ATLK", depth=1)
        options = Options(strategies, evidence=True)
        outcome = engine.open(system, options, Budget(states=200)).check(formula)
        if outcome.verdict is Verdict.FAILS and isinstance(formula, Coalition):
            assert outcome.evidence is not None
            found = replay(system, certified(formula, outcome, options))
            assert found.ok, (seed, show(formula), found.problems)
            shown = any(isinstance(reason, Answered) for reason in outcome.evidence.because)
            assert not shown or found.complete
            answered += shown
    assert answered > 2


@pytest.mark.parametrize("engine", [ReferenceEngine(), SymbolicEngine()], ids=lambda engine: engine.name)
def test_a_formula_that_fails_uniformly_fails_under_every_strategy(engine: Engine) -> None:
    tried = 0
    for seed in range(40):
        rng = random.Random(f"refuted {seed}")
        system = random_system(rng, composition=Composition.SYNCHRONOUS, agents=2)
        formula = random_formula(rng, system, "CTLK", depth=2)
        options = Options(Strategies.UNIFORM, evidence=True)
        outcome = engine.open(system, options, Budget(states=200)).check(formula)
        if outcome.verdict is not Verdict.FAILS or outcome.evidence is None:
            continue
        certificate = certified(formula, outcome, options)
        found = replay(system, certificate)
        assert found.ok, (seed, show(formula), found.problems)
        (tree,) = certificate.trees
        if len(tree.because) > 1:
            tried += found.complete
            fewer = replace(certificate, trees=(replace(tree, because=tree.because[1:]),))
            assert "some uniform strategy was not tried" in replay(system, fewer).problems
    assert tried > 2
