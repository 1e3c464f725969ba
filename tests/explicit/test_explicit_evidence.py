"""Evidence from explored states, on full and on reduced spaces, is replayed by the model's own steps."""

from __future__ import annotations

import random

import pytest
from benchmarks.interleaved import mutual_exclusion
from tests.generators.certificates import certified
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

from epistrat.engines.contract import Options, Verdict
from epistrat.engines.explicit.tuning import ExplicitTuning
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load
from epistrat.evidence.replay import replay
from epistrat.logic.formula import ForAll, Globally, Not, Prop
from epistrat.model.system import Composition
from epistrat.solvers.budget import Budget

FRAGMENTS = ("CTL", "CTLK", "LTL", "LTLK", "CTL*", "CTL*K")


@pytest.mark.parametrize("mode", ["off", "auto", "singleton"])
def test_evidence_can_be_replayed(mode: str) -> None:
    engine = load("explicit")
    options = Options(tuning=(ExplicitTuning(mode),), evidence=True)
    shown = 0
    for seed in range(80):
        rng = random.Random(seed)
        system = random_system(rng, composition=None if mode == "off" else Composition.INTERLEAVED)
        session = engine.open(system, options, Budget())
        for _ in range(4):
            fragment = rng.choice((*FRAGMENTS, *(("ATLK",) * (not system.interleaved))))
            past = rng.random() < 0.2
            formula = random_formula(rng, system, fragment, rng.randint(1, 3), past=past, next_free=mode != "off")
            if refusal(engine, system, formula, options) is None:
                outcome = session.check(formula)
                if outcome.trees:
                    shown += 1
                    found = replay(system, certified(formula, outcome, options))
                    assert found.ok, (seed, formula, found.problems)
    assert shown > 200


@pytest.mark.parametrize("star", [False, True])
def test_an_invariant_that_fails_early_comes_with_a_run(star: bool) -> None:
    system = mutual_exclusion(6, work=3)
    formula = ForAll(Globally(Not(Prop("asking1"))), star=star)
    outcome = load("explicit").open(system, Options(evidence=True), Budget()).check(formula)
    assert outcome.verdict is Verdict.FAILS
    assert outcome.evidence is not None
    assert replay(system, certified(formula, outcome)).complete
