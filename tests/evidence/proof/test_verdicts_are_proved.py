"""Random systems and formulae: every right verdict is proved, or named as one there is no proof of; no wrong one ever is."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest
from tests.generators.asynchronous import asynchronous_system, strategic_formula
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

from epistrat.engines import registry
from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.evidence.proof.prove import Prover
from epistrat.evidence.proof.world import Means
from epistrat.logic.show import show
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

COUNT = int(os.environ.get("EPISTRAT_PROOFS", "100"))
SMALL = Means("oxidd", 1 << 18, 1 << 16)
NAMED = {
    "a past operator over a future one",
    "what a group can enforce where its members act on what they see",
}


def asked(seed: int) -> tuple[System, Strategies, list[str]]:
    """A system, how strategies are read, and the fragments that its formulae are drawn from."""
    rng = random.Random(seed)
    kinds = ["CTLK", "CTL*K", "ATLK", "LTLK"]
    if seed % 5 == 0:
        return asynchronous_system(rng), rng.choice((Strategies.OBJECTIVE, Strategies.SUBJECTIVE)), kinds
    reading = rng.choice((Strategies.ANY, Strategies.ANY, Strategies.OBJECTIVE, Strategies.SUBJECTIVE))
    return random_system(rng), reading, kinds


@pytest.mark.parametrize("seed", range(COUNT))
def test_right_verdicts_are_proved_and_wrong_ones_never(seed: int) -> None:
    system, reading, kinds = asked(seed)
    rng = random.Random(seed + 1_000_000)
    judge = registry.load("reference").open(system, Options(strategies=reading), Budget(states=2_000, seconds=20))
    prover = Prover(system, means=SMALL, reading=reading)
    found: Counter[str] = Counter()
    for _ in range(4):
        if seed % 5 == 0 and rng.random() < 0.5:
            formula = strategic_formula(rng, system)
        else:
            kind = rng.choice(kinds)
            past = kind in ("LTLK", "CTL*K") and rng.random() < 0.3
            formula = random_formula(rng, system, kind, depth=rng.randint(1, 3), past=past)
        verdict = judge.check(formula).verdict
        if verdict is Verdict.UNKNOWN:
            continue
        proof = prover.prove(formula, verdict is Verdict.HOLDS)
        words = f"{show(formula)} {verdict.value}: {proof}"
        assert proof.wrong is None, words
        assert proof.shown or proof.reason in NAMED, words
        lie = prover.prove(formula, verdict is not Verdict.HOLDS)
        assert not lie.shown, words
        found[proof.reason or "shown"] += 1
