"""The three readings of uniform strategies in the symbolic engine, against the judge's enumeration."""

from __future__ import annotations

import random

import pytest
from tests.generators import random_formula, random_system

from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.engines.symbolic.engine import SymbolicEngine
from epistrat.logic.formula import Coalition, Formula, subformulae
from epistrat.model.system import Composition, System
from epistrat.solvers.budget import Budget

IMPERFECT = (Strategies.OBJECTIVE, Strategies.SUBJECTIVE)
TUNING = {"nodes": 1 << 20}
SECONDS = 2.0


def _agree(system: System, formula: Formula, options: Options, seed: int) -> int:
    """1 if both engines answered (and the same), 0 if the judge found no answer in time."""
    right = (
        ReferenceEngine()
        .open(system, Options(options.strategies, options.uniform_group), Budget(SECONDS))
        .check(formula)
    )
    if right.verdict is Verdict.UNKNOWN:
        return 0
    session = SymbolicEngine().open(system, options, Budget())
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
                compared += _agree(system, formula, Options(reading, tuning=TUNING), seed)
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
        compared += _agree(system, formula, Options(Strategies.UNIFORM, group, tuning=TUNING), seed)
    assert compared > 10
