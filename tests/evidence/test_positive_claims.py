"""What a proof shows of a claim that fails is its opposite, read in the same way: over all runs, or over infinite ones only."""

from __future__ import annotations

import random

import pytest
from tests.generators import random_formula, random_system

from epistrat.engines.contract import Options, Verdict
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.evidence.proofs import positive
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.solvers.budget import Budget


@pytest.mark.parametrize("star", [False, True], ids=["all runs", "infinite runs"])
@pytest.mark.parametrize("operator", [logic.Globally, logic.Finally])
@pytest.mark.parametrize("quantifier", [logic.ForAll, logic.Exists])
def test_the_opposite_is_true_where_the_claim_is_not(
    quantifier: type[logic.ForAll | logic.Exists], operator: type[logic.Globally | logic.Finally], star: bool
) -> None:
    for seed in range(25):
        rng = random.Random(seed)
        system = random_system(rng, fairness=False)
        claim: Formula = quantifier(operator(random_formula(rng, system, "CTL", 0)), star)
        shown = positive(claim, False)
        assert shown is not None and positive(claim, True) == claim
        judge = ReferenceEngine().open(system, Options(), Budget())
        assert judge.check(logic.ForAll(logic.Globally(logic.Xor(claim, shown)))).verdict is Verdict.HOLDS, seed
