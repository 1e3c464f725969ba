"""The lazy engine against the judge: invariants with knowledge, with every combination of switches."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from tests.generators.certificates import certified
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

from epistrat.engines.contract import Options, Verdict
from epistrat.engines.lazy.tuning import OPTIMISATIONS, LazyTuning
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load
from epistrat.evidence.replay import replay
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

SYSTEMS_PER_CASE = 20


@pytest.mark.parametrize("case", range(4))
def test_invariants_with_knowledge(case: int) -> None:
    lazy, judge = load("lazy"), load("reference")
    decided = shown = 0
    for seed in range(case * SYSTEMS_PER_CASE, (case + 1) * SYSTEMS_PER_CASE):
        rng = random.Random(seed)
        system = random_system(rng, fairness=False)
        off = ",".join(name for name in OPTIMISATIONS if rng.random() < 0.3)
        options = Options(
            evidence=True, tuning=(LazyTuning(without=off, eager=rng.random() < 0.2, parameters=rng.random() < 0.2),)
        )
        right, found = judge.open(system, Options(), Budget()), lazy.open(system, options, Budget())
        for _ in range(4):
            body = _body(rng, system, rng.randint(1, 3), nested=rng.random() < 0.3)
            formula = logic.ForAll(logic.Globally(body), star=rng.random() < 0.3)
            if refusal(lazy, system, formula, options) is not None:
                continue
            outcome = found.check(formula)
            if outcome.verdict is not Verdict.UNKNOWN:
                decided += 1
                assert outcome.verdict is right.check(formula).verdict, (seed, formula, off)
            if outcome.evidence is not None:
                shown += 1
                replayed = replay(system, certified(formula, outcome))
                assert replayed.ok, (seed, formula, replayed.problems)
    assert decided > 2 * SYSTEMS_PER_CASE and shown > SYSTEMS_PER_CASE // 2


def _body(rng: random.Random, system: System, depth: int, nested: bool, knowledge: bool = True) -> Formula:
    """A Boolean combination of conditions and knowledge; ``nested`` allows knowledge inside knowledge."""
    kind = rng.random()
    if depth == 0 or kind < 0.15:
        return random_formula(rng, system, "CTL", 0)
    if knowledge and kind < 0.55:
        return _knows(rng, system, _body(rng, system, depth - 1, nested, nested), nested)

    def inner() -> Formula:
        return _body(rng, system, depth - 1, nested, knowledge)

    makers: list[Callable[[], Formula]] = [
        lambda: logic.Not(inner()),
        lambda: logic.Or((inner(), inner())),
        lambda: logic.And((inner(), inner())),
        lambda: logic.Implies(inner(), inner()),
        lambda: logic.Iff(inner(), inner()),
    ]
    return rng.choice(makers)()


def _knows(rng: random.Random, system: System, body: Formula, nested: bool) -> Formula:
    everybody = Group(tuple(agent.name for agent in system.agents))
    match rng.randrange(8):
        case 0:
            return logic.Everybody(everybody, body)
        case 1:
            return logic.Distributed(everybody, body)
        case 2:
            return logic.Correct(rng.choice(system.agents).name, body)
        case 3 if not nested:
            body = rng.choice((logic.Once, logic.Yesterday, logic.Historically, logic.Next))(body)
    return logic.Knows(rng.choice(list(system.views)), body)
