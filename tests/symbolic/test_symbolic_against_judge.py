"""The symbolic engine against the judge, on random systems and formulae, with every order, search and library."""

from __future__ import annotations

import random

import pytest
from tests.generators import random_formula, random_system

from epistrat.engines.contract import Options, Session
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load
from epistrat.engines.symbolic.tuning import SymbolicTuning
from epistrat.logic.formula import Exists, Finally, ForAll, Globally, Not, Prop
from epistrat.model.system import Composition
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import IMPATIENT, PATIENT

ORDERS = ("auto", "index", "declared", "random", "index-top", "index-interleaved", "1", "2", "3", "4")
SEARCHES = ("auto", "1", "2", "3", "smaller", "chaining", "mcmas")
FRAGMENTS = {
    Composition.SYNCHRONOUS: ("CTL", "CTLK", "ATLK", "ATLK", "CTL*", "LTL"),
    Composition.INTERLEAVED: ("CTL", "CTLK", "CTLK", "CTL*", "LTL"),
}


@pytest.mark.parametrize("fairness", [False, True])
@pytest.mark.parametrize("composition", list(Composition))
@pytest.mark.parametrize("seed", range(40))
def test_same_verdicts_and_facts(seed: int, composition: Composition, fairness: bool) -> None:
    rng = random.Random(f"{seed} {composition.value} {fairness}")
    system = random_system(rng, composition=composition, fairness=fairness, total=rng.random() < 0.3)
    tuning = SymbolicTuning(order=rng.choice(ORDERS), reach=rng.choice(SEARCHES), bdd=rng.choice(("oxidd", "cudd")))
    options = Options(tuning=(tuning,))
    judge = load("reference").open(system, Options(), Budget())
    patience = IMPATIENT if seed % 3 == 0 else PATIENT
    session = load("symbolic").open(system, options, Budget(nodes=1 << 18, patience=patience))
    if seed % 2:  # what is known of the state space must not depend on what was asked before
        same_facts(judge, session)
    for _ in range(6):
        formula = random_formula(rng, system, rng.choice(FRAGMENTS[composition]), depth=rng.randint(1, 4))
        if refusal(load("symbolic"), system, formula, options) is None:
            assert session.check(formula).verdict is judge.check(formula).verdict, (formula, tuning)
    same_facts(judge, session)


def same_facts(judge: Session, session: Session) -> None:
    expected, found = judge.facts(), session.facts()
    assert (found.states, found.dead_ends, found.overflows) == (expected.states, expected.dead_ends, expected.overflows)
    assert (found.fair_states, found.overflow_line) == (expected.fair_states, expected.overflow_line)


@pytest.mark.parametrize("seed", range(60))
def test_searches_that_end_early(seed: int) -> None:
    """AG and EF of conditions, one after the other: each takes the search up where the last one left it."""
    rng = random.Random(seed)
    system = random_system(rng, fairness=False, agents=3)
    judge = load("reference").open(system, Options(), Budget())
    session = load("symbolic").open(system, Options(tuning=(SymbolicTuning(reach=rng.choice(SEARCHES)),)), Budget())
    for name in system.propositions:
        for formula in (ForAll(Globally(Prop(name))), Exists(Finally(Prop(name))), Not(Exists(Finally(Prop(name))))):
            assert session.check(formula).verdict is judge.check(formula).verdict
    same_facts(judge, session)
