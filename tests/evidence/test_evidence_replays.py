"""Evidence for random questions about random systems replays: what the builder shows is what the definitions ask for."""

from __future__ import annotations

import random

import pytest

from epistrat.engines.contract import Options, Outcome, Verdict
from epistrat.engines.reference.engine import ReferenceSession
from epistrat.evidence.replay import replay
from epistrat.logic.formula import ForAll, Formula, is_state
from epistrat.logic.show import show
from epistrat.model.system import System
from epistrat.solvers.budget import Budget
from tests.generators import FRAGMENTS, random_formula, random_system


def question(seed: int, fragment: str) -> tuple[System, Formula]:
    rng = random.Random(f"{fragment} {seed}")
    strategic = fragment == "ATLK"
    system = random_system(rng)
    while strategic and system.interleaved:
        system = random_system(rng)
    formula = random_formula(rng, system, fragment)
    return system, formula if is_state(formula) else ForAll(formula, star=True)


def judged(system: System, formula: Formula) -> Outcome:
    session = ReferenceSession(system, Options(evidence=True, examples=3), Budget(states=3_000))
    return session.check(formula)


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_evidence_of_the_judge_replays(fragment: str) -> None:
    shown = 0
    for seed in range(60):
        system, formula = question(seed, fragment)
        outcome = judged(system, formula)
        trees = [tree for tree in (outcome.evidence, *outcome.others) if tree is not None]
        for tree in trees:
            found = replay(system, tree)
            assert found.ok, (seed, show(formula), found.problems)
            assert tree.holds == (outcome.verdict is Verdict.HOLDS)
            assert tree.claim == formula
            shown += found.complete
        assert len(set(map(id, trees))) == len(trees)
    assert shown > 0
