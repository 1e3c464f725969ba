"""A session that was interrupted in the middle of a question answers the next ones as if nothing had happened."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from tests.fuzz.draw import draw
from tests.generators.features import FEATURES
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

from epistrat.answers import Verdict
from epistrat.engines import registry
from epistrat.engines.contract import Options
from epistrat.engines.needs import refusal
from epistrat.solvers.budget import Budget, OutOfBudget


@dataclass
class Interrupting(Budget):
    """A budget that ends once, at a given look at it."""

    looks: int = -1

    def check(self) -> None:
        self.looks -= 1
        if self.looks == 0:
            raise OutOfBudget("interrupted by a test")
        super().check()


@pytest.mark.parametrize("engine", ["symbolic", "explicit", "reference"])
def test_answers_after_an_interruption(engine: str) -> None:
    interrupted = 0
    for seed in range(18):
        rng = random.Random(f"interrupted {seed}")
        case = draw(rng, rng.sample(sorted(FEATURES), 1))
        options = Options(case.reading, case.followers)
        judge = registry.load("reference").open(case.system, options, Budget(5.0))
        budget = Interrupting(patience=case.patience)
        session = registry.load(engine).open(case.system, options, budget)
        for formula in case.formulae:
            if refusal(registry.load(engine), case.system, formula, options) is not None:
                continue
            right = judge.check(formula).verdict
            if right is Verdict.UNKNOWN:
                break
            budget.looks = rng.choice((1, 2, 3, 5, 8, 13, 21, 34, 55, 89))
            first = session.check(formula).verdict
            interrupted += first is Verdict.UNKNOWN
            assert first in (right, Verdict.UNKNOWN), (seed, formula)
            budget.looks = -1
            assert session.check(formula).verdict is right, (seed, formula)
        session.close()
    assert interrupted > 5


@pytest.mark.parametrize("engine", ["abstraction", "lazy"])
def test_engines_that_may_not_know_are_never_wrong_after_an_interruption(engine: str) -> None:
    interrupted = 0
    for seed in range(40):
        rng = random.Random(f"interrupted {seed}")
        system = random_system(rng, fairness=False, agents=2)
        judge = registry.load("reference").open(system, Options(), Budget(5.0))
        formula = random_formula(rng, system, rng.choice(("CTLK", "LTL", "LTLK")), 2)
        if refusal(registry.load(engine), system, formula, Options()) is not None:
            continue
        right = judge.check(formula).verdict
        budget = Interrupting(looks=rng.choice((1, 1, 2, 3, 5, 8, 21)))
        session = registry.load(engine).open(system, Options(), budget)
        for _ in range(2):
            verdict = session.check(formula).verdict
            assert verdict in (right, Verdict.UNKNOWN), (seed, formula)
            interrupted += verdict is Verdict.UNKNOWN
            assert session.facts().states in (None, "infinite", judge.facts().states)
        session.close()
    assert interrupted > 3
