"""A sample of forgeries; ``python -m tests.evidence.forgeries`` makes as many as are wanted."""

from __future__ import annotations

import random

import pytest
from tests.evidence.forgeries import honest
from tests.evidence.forgeries.brute import Premises
from tests.evidence.forgeries.run import Figures, forgeries, judge, words
from tests.evidence.forgeries.weaken import WEAKENINGS

SEEDS = 3


def _sample(source: str, seed: int) -> Figures:
    figures = Figures()
    rng = random.Random(seed)
    match source:
        case "infinite":
            cases = honest.infinite(rng)
        case "written":
            cases = honest.written(rng)
        case _:
            cases = honest.finite(rng, ("reference", "symbolic", "explicit"))
    for case in cases:
        judge(case, rng, figures, 60)
    return figures


@pytest.mark.parametrize("source", ["written", "finite", "infinite"])
def test_forgeries_are_refused(source: str) -> None:
    made = 0
    for seed in range(1 if source == "infinite" else SEEDS):
        figures = _sample(source, seed)
        assert not figures.rejected, words(figures.rejected[0])
        for kind, premise, case in figures.accepted:
            pytest.fail(f"{kind}, {premise}: {words(case)}")
        made += figures.made
    assert made >= (5 if source == "infinite" else 20)


def test_honest_proofs_have_no_broken_premise_and_forgeries_have_one() -> None:
    rng = random.Random(7)
    (case,) = honest.written(rng)
    assert Premises(case, rng).broken() is None
    found = {premise for premise, _ in forgeries(case, rng)}
    assert len(found) > 5 and found <= set(WEAKENINGS)
