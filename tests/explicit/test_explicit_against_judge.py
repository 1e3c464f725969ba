"""Explicit states, full and reduced, against the judge, on random systems and formulae of every kind."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

from epistrat.engines.contract import Options, Verdict
from epistrat.engines.explicit.tuning import ExplicitTuning
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load
from epistrat.logic.formula import Coalition, Finally, Truth
from epistrat.model.step import Stepper
from epistrat.model.system import Composition
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import IMPATIENT, PATIENT, Patience

FRAGMENTS = ("CTL", "CTLK", "LTL", "LTLK", "CTL*", "CTL*K")
SYSTEMS_PER_CASE = 60


def _patience(seed: int) -> Patience:
    """None in a third of the cases; states one by one, which takes long, only now and then."""
    if seed % 3:
        return PATIENT
    return IMPATIENT if seed % 30 == 0 else replace(IMPATIENT, rows=64)


@pytest.mark.parametrize("case", range(8))
def test_full_space_agrees_with_the_judge(case: int) -> None:
    judge, explicit = load("reference"), load("explicit")
    options = Options(tuning=(ExplicitTuning("off"),))
    compared = 0
    for seed in range(case * SYSTEMS_PER_CASE, (case + 1) * SYSTEMS_PER_CASE):
        rng = random.Random(seed)
        system = random_system(rng)
        hurry = Budget(patience=_patience(seed))
        one, other = judge.open(system, options, Budget()), explicit.open(system, options, hurry)
        for _ in range(5):
            fragment = rng.choice((*FRAGMENTS, *(("ATLK",) * (not system.interleaved))))
            formula = random_formula(rng, system, fragment, rng.randint(1, 4), past=rng.random() < 0.3)
            if refusal(explicit, system, formula, options) is None:
                compared += 1
                assert one.check(formula).verdict is other.check(formula).verdict, (seed, formula)
    assert compared > 4 * SYSTEMS_PER_CASE


@pytest.mark.parametrize("mode", ["auto", "singleton"])
@pytest.mark.parametrize("case", range(3))
def test_reduced_spaces_agree_with_the_judge(case: int, mode: str) -> None:
    judge, explicit = load("reference"), load("explicit")
    options = Options(tuning=(ExplicitTuning(mode),))
    reduced = 0
    for seed in range(case * SYSTEMS_PER_CASE, (case + 1) * SYSTEMS_PER_CASE):
        rng = random.Random(10_000 + seed)
        system = random_system(rng, composition=Composition.INTERLEAVED)
        hurry = Budget(patience=_patience(seed))
        one, other = judge.open(system, options, Budget()), explicit.open(system, options, hurry)
        for _ in range(5):
            past = rng.random() < 0.3
            formula = random_formula(rng, system, rng.choice(FRAGMENTS), rng.randint(1, 4), past=past, next_free=True)
            if refusal(explicit, system, formula, options) is None:
                outcome = other.check(formula)
                reduced += bool(outcome.statistics.get("reduced"))
                assert one.check(formula).verdict is outcome.verdict, (seed, formula)
    assert reduced > 3 * SYSTEMS_PER_CASE


@pytest.mark.parametrize("case", range(2))
def test_facts_agree_with_the_judge(case: int) -> None:
    for seed in range(case * 60, case * 60 + 60):
        system = random_system(random.Random(seed))
        right = load("reference").open(system, Options(), Budget()).facts()
        found = load("explicit").open(system, Options(), Budget()).facts()
        for fact in ("states", "dead_ends", "overflows", "overflow_line", "fair_states"):
            assert getattr(found, fact) == getattr(right, fact), (seed, fact)
        stepper = Stepper(system)
        for path in (found.dead_end, found.overflow):
            if path is not None:
                assert stepper.evaluator.holds(system.initial, path.states[0])
                for before, joint, after in zip(path.states, path.actions, path.states[1:], strict=False):
                    assert after in set(stepper.outcomes(before, joint)), seed
        if found.dead_end is not None:
            assert stepper.is_dead_end(found.dead_end.last)


@pytest.mark.parametrize("case", range(3))
def test_nested_quantifiers_that_look_back_agree_with_the_judge(case: int) -> None:
    judge, explicit = load("reference"), load("explicit")
    options = Options(tuning=(ExplicitTuning("off"),))
    for seed in range(case * 40, case * 40 + 40):
        rng = random.Random(60_000 + seed)
        system = random_system(rng)
        one, other = judge.open(system, options, Budget()), explicit.open(system, options, Budget())
        for _ in range(4):
            formula = random_formula(rng, system, rng.choice(("CTL*", "CTL*K")), rng.randint(2, 4), past=True)
            assert one.check(formula).verdict is other.check(formula).verdict, (seed, formula)


@pytest.mark.parametrize("case", range(2))
def test_strategies_under_fairness_agree_with_the_judge(case: int) -> None:
    judge, explicit = load("reference"), load("explicit")
    for seed in [557, *range(70_000 + case * 60, 70_060 + case * 60)]:
        rng = random.Random(seed)
        system = random_system(rng, composition=Composition.SYNCHRONOUS, fairness=True)
        one, other = judge.open(system, Options(), Budget()), explicit.open(system, Options(), Budget())
        for _ in range(5):
            formula = random_formula(rng, system, "ATLK", rng.randint(1, 3))
            assert one.check(formula).verdict is other.check(formula).verdict, (seed, formula)


def test_opponents_who_must_answer_different_choices_differently() -> None:
    """Each choice of the group leads elsewhere, but always on a fair path: by one step or by two."""
    rng = random.Random(557)
    system = random_system(rng)
    formula = Coalition(system.group("g0"), Finally(Truth(False)))
    for engine in ("reference", "explicit"):
        assert load(engine).open(system, Options(), Budget()).check(formula).verdict is Verdict.FAILS
