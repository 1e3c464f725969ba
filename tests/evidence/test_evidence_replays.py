"""Evidence for random questions about random systems replays: what the builder shows is what the definitions ask for."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from tests.generators import FRAGMENTS, random_formula, random_system

from epistrat.engines.contract import Engine, Options, Outcome, Verdict
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.engines.symbolic.engine import SymbolicEngine
from epistrat.evidence.replay import replay
from epistrat.logic.formula import ForAll, Formula, is_state
from epistrat.logic.show import show
from epistrat.model.system import System
from epistrat.solvers.budget import Budget


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
    assert engine.refuses(system, formula, options) is None
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
        trees = [tree for tree in (outcome.evidence, *outcome.others) if tree is not None]
        for tree in trees:
            found = replay(system, tree)
            assert found.ok, (seed, show(formula), found.problems)
            assert tree.holds == (outcome.verdict is Verdict.HOLDS)
            assert tree.claim == formula
            shown += found.complete
        assert all(one != other for one, other in combinations(trees, 2))
    assert shown > 0
