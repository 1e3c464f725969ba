"""LTL, CTL* and past by symbolic tableau, against the judge."""

from __future__ import annotations

import random

import pytest
from tests.generators import random_formula, random_system

from epistrat.engines.contract import Options, Session, Verdict
from epistrat.engines.needs import refusal
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.engines.symbolic.engine import SymbolicEngine
from epistrat.engines.symbolic.tuning import SymbolicTuning
from epistrat.logic.formula import (
    And,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Knows,
    Next,
    Once,
    Prop,
    Yesterday,
)
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

FRAGMENTS = ("LTL", "LTLK", "CTL*", "CTL*K")
NODES = 1 << 20


def _sessions(system: System, library: str = "oxidd") -> tuple[Session, Session]:
    options = Options(tuning=(SymbolicTuning(bdd=library),))
    symbolic = SymbolicEngine().open(system, options, Budget(nodes=NODES))
    return symbolic, ReferenceEngine().open(system, Options(), Budget())


def _compare(seed: int, questions: int, library: str = "oxidd") -> int:
    """Asks both engines about one random system; the number of questions both answered."""
    rng = random.Random(seed)
    system = random_system(rng)
    symbolic, judge = _sessions(system, library)
    compared = 0
    for _ in range(questions):
        formula = random_formula(rng, system, rng.choice(FRAGMENTS), rng.choice((2, 3, 4)), past=rng.random() < 0.6)
        if refusal(SymbolicEngine(), system, formula, Options()) is None:
            assert symbolic.check(formula).verdict is judge.check(formula).verdict, (seed, formula)
            compared += 1
    return compared


@pytest.mark.parametrize("block", range(6))
def test_agrees_with_the_judge(block: int) -> None:
    compared = sum(_compare(7000 + 25 * block + number, 4) for number in range(25))
    assert compared > 80


def test_agrees_with_the_judge_on_cudd() -> None:
    pytest.importorskip("dd.cudd", reason="CUDD's wheel is not installed")
    assert sum(_compare(9000 + number, 2, "cudd") for number in range(15)) > 20


def _random_leaves() -> tuple[System, Formula, Formula]:
    system = random_system(random.Random(3), fairness=False, total=True)
    names = list(system.propositions)
    return system, Prop(names[0]), Prop(names[1])


@pytest.mark.parametrize("seed", range(12))
def test_what_follows_looks_back(seed: int) -> None:
    """``F (q & Once p)`` at time 0 is ``F (p & F q)``; ``X Y p`` is p; ``G Once p`` is p."""
    system = random_system(random.Random(seed), fairness=False)
    names = list(system.propositions)
    p, q = Prop(names[0]), Prop(names[1])
    symbolic, _ = _sessions(system)
    pairs: list[tuple[Formula, Formula]] = [
        (Finally(And((q, Once(p)))), Finally(And((p, Finally(q))))),
        (Next(Yesterday(p)), p),
        (Globally(Once(p)), p),
    ]
    for one, other in pairs:
        for quantifier in (ForAll, Exists):
            left, right = symbolic.check(quantifier(one, star=True)), symbolic.check(quantifier(other, star=True))
            assert left.verdict is right.verdict is not Verdict.UNKNOWN


def test_refuses_to_look_back_at_what_was_to_come() -> None:
    system, p, _ = _random_leaves()
    nested = ForAll(Globally(Exists(Once(Next(p)), star=True)), star=True)
    reason = refusal(SymbolicEngine(), system, nested, Options())
    assert reason is not None and "past operator over a future one" in reason


def test_looks_back_at_what_was_to_come_where_all_runs_count() -> None:
    """At time 0, and at the points of a knowledge operator, the tableau may guess."""
    system, p, q = _random_leaves()
    agent = system.agents[0].name
    symbolic, judge = _sessions(system)
    for formula in (
        ForAll(Globally(Once(Next(p))), star=True),
        ForAll(Globally(Knows(agent, Once(Next(q)))), star=True),
        Exists(Finally(Once(Globally(p))), star=True),
    ):
        assert refusal(SymbolicEngine(), system, formula, Options()) is None
        assert symbolic.check(formula).verdict is judge.check(formula).verdict
