"""Linear formulae with knowledge and past: the lazy engine against the judge, with random switches."""

from __future__ import annotations

import random

import pytest
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

from epistrat.answers.certificate import Certificate
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.lazy.tuning import OPTIMISATIONS, LazyTuning
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load
from epistrat.evidence.replay import replay
from epistrat.solvers.budget import Budget

SYSTEMS_PER_CASE = 12


@pytest.mark.parametrize("case", range(3))
def test_linear_formulae(case: int) -> None:
    lazy, judge = load("lazy"), load("reference")
    decided = shown = 0
    for seed in range(case * SYSTEMS_PER_CASE, (case + 1) * SYSTEMS_PER_CASE):
        rng = random.Random(seed)
        system = random_system(rng, fairness=False)
        off = ",".join(name for name in OPTIMISATIONS if rng.random() < 0.3)
        options = Options(evidence=True, tuning=(LazyTuning(without=off, eager=rng.random() < 0.2),))
        right, found = judge.open(system, Options(), Budget()), lazy.open(system, options, Budget())
        for _ in range(4):
            kind = rng.choice(("LTL", "LTLK", "LTLK"))
            formula = random_formula(rng, system, kind, rng.randint(1, 3), past=rng.random() < 0.4)
            if refusal(lazy, system, formula, options) is not None:
                continue
            outcome = found.check(formula)
            if outcome.verdict is not Verdict.UNKNOWN:
                decided += 1
                assert outcome.verdict is right.check(formula).verdict, (seed, formula, off)
            if outcome.evidence is not None:
                shown += 1
                replayed = replay(system, Certificate(formula, outcome.verdict, trees=(outcome.evidence,)))
                assert replayed.ok, (seed, formula, replayed.problems)
    assert decided > 2 * SYSTEMS_PER_CASE and shown > SYSTEMS_PER_CASE // 2
