"""Sessions of the symbolic engine: limits, interruption, races between orders, progress, refusals."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace
from typing import Any

import pytest
from tests.generators import random_formula, random_system

from benchmarks import families
from epistrat.answers import Question
from epistrat.engines.contract import Options, Progress, Strategies, Verdict
from epistrat.engines.needs import refusal
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.engines.symbolic.engine import SymbolicEngine
from epistrat.engines.symbolic.session import SymbolicSession
from epistrat.engines.symbolic.tuning import SymbolicTuning
from epistrat.engines.tuning import BadOption
from epistrat.jobs import Portfolio
from epistrat.lang import load
from epistrat.logic.formula import Coalition, Exists, Finally, Group, Truth
from epistrat.model.system import Composition, Scheduling, System
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import Patience


def model(family: str, size: int, spec: str) -> System:
    system = load(families.text(family, size, spec), family).system
    assert system is not None
    return system


def first_spec(family: str, size: int) -> str:
    return next(iter(families.model(family, size).specs))


def opened(system: System, budget: Budget | None = None, **tuning: Any) -> SymbolicSession:
    session = SymbolicEngine().open(system, Options(tuning=(SymbolicTuning(**tuning),)), budget or Budget())
    assert isinstance(session, SymbolicSession)
    return session


@pytest.fixture(scope="module")
def hard() -> System:
    """Takes a few seconds and millions of nodes."""
    return model("cards", 14, "ctl")


def test_a_time_limit_gives_unknown_even_inside_one_long_operation(hard: System) -> None:
    with Portfolio(hard, "symbolic", Options(), Budget(seconds=0.3, cores=1)) as portfolio:
        started = time.process_time()
        outcome = portfolio.answer(Question(1, hard.formulae[0], ""))
        assert outcome.verdict is Verdict.UNKNOWN
        assert outcome.reason is not None and "time limit of 0.3 s" in outcome.reason
        assert time.process_time() - started < 8


def test_a_session_that_ran_out_stays_usable() -> None:
    system = model("cards", 6, "ctl")
    session = opened(system, Budget(seconds=0.0))
    assert session.check(system.formulae[0]).verdict is Verdict.UNKNOWN
    session.budget = Budget()
    assert session.check(Truth(True)).verdict is Verdict.HOLDS
    session.close()


def test_running_out_of_nodes_gives_unknown_and_leaves_the_session_usable(hard: System) -> None:
    session = opened(hard, Budget(nodes=1 << 16), order="index")
    outcome = session.check(hard.formulae[0])
    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.reason is not None and "65,536 nodes" in outcome.reason and outcome.advice
    facts = session.facts()
    assert facts.states is None and facts.reason is not None
    session.close()


def test_interruption_from_another_thread(hard: System) -> None:
    budget = Budget(cores=1)
    with Portfolio(hard, "symbolic", Options(), budget) as portfolio:
        threading.Timer(0.3, budget.cancel, ("the window was closed",)).start()
        started = time.process_time()
        outcome = portfolio.answer(Question(1, hard.formulae[0], ""))
        assert outcome.verdict is Verdict.UNKNOWN
        assert outcome.reason is not None and outcome.reason.startswith("the window was closed")
        assert time.process_time() - started < 8


def test_a_memory_limit_gives_unknown(hard: System) -> None:
    session = opened(hard, Budget(memory=1))
    outcome = session.check(hard.formulae[0])
    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.reason is not None and "memory limit" in outcome.reason
    session.close()


@pytest.mark.parametrize("seed", range(12))
def test_challengers_give_the_same_verdicts(seed: int) -> None:
    rng = random.Random(seed)
    system = random_system(rng, composition=Composition.SYNCHRONOUS, agents=3)
    judge = ReferenceEngine().open(system, Options(), Budget())
    with Portfolio(system, "symbolic", Options(), Budget(patience=Patience(turn=0, joining=0), cores=1)) as portfolio:
        for _ in range(5):
            formula = random_formula(rng, system, "ATLK", depth=3)
            assert portfolio.answer(Question(1, formula, "")).verdict is judge.check(formula).verdict


def test_a_challenger_can_win() -> None:
    """Grid robots: with compared coordinates apart the last formulae take far longer than with interleaved ones."""
    system = model("grid", 8, first_spec("grid", 8))
    budget = Budget(patience=Patience(turn=10_000, joining=0.01), cores=1)
    with Portfolio(system, "symbolic", Options(), budget) as portfolio:
        verdicts = [portfolio.answer(Question(1, formula, "")).verdict for formula in system.formulae]
        assert portfolio.statistics()["symbolic"]["also tried"]
    plain = opened(system, order="index")
    assert verdicts == [plain.check(formula).verdict for formula in system.formulae]
    plain.close()


def test_progress_and_statistics() -> None:
    system = model("muddy", 20, "one")
    events: list[Progress] = []
    session = SymbolicEngine().open(system, Options(), Budget(), events.append)
    assert session.check(system.formulae[0]).verdict is Verdict.HOLDS
    assert any(event.phase == "reachable states" and "states" in event.counts for event in events)
    numbers = session.statistics()
    for key in ("variables", "order", "nodes", "relation nodes", "seconds", "steps of the search"):
        assert numbers[key], key
    session.close()


def test_counts_are_exact_integers() -> None:
    system = model("dc", 80, "privacy")
    assert opened(system).facts().states == 2 * 81 * 2**80


def test_refusals_say_why() -> None:
    rng = random.Random(3)
    system = random_system(rng, composition=Composition.INTERLEAVED)
    engine = SymbolicEngine()
    strategic = Coalition(Group((system.agents[0].name,)), Finally(Truth(True)))
    assert refusal(engine, system, strategic, Options()) is None
    assert refusal(engine, system, strategic, Options(Strategies.UNIFORM)) is None
    fair = replace(system, scheduling=Scheduling.FAIR)
    assert "scheduling" in (refusal(engine, fair, strategic, Options()) or "")
    question = Exists(Finally(Truth(True)))
    assert refusal(engine, system, question, Options()) is None
    unbounded = random_system(random.Random(5), unbounded=True, agents=3)
    if not unbounded.finite:
        assert "unbounded" in (refusal(engine, unbounded, question, Options()) or "")


@pytest.mark.parametrize(
    "tuning", [{"order": "9"}, {"reach": "fast"}, {"bdd": "buddy"}, {"reorder": True, "bdd": "oxidd"}]
)
def test_options_with_values_that_do_not_exist(tuning: dict[str, Any]) -> None:
    with pytest.raises(BadOption):
        SymbolicTuning(**tuning)


@pytest.mark.parametrize("tuning", [{"reach": "mcmas", "order": "2", "reorder": True}, {"reach": "3"}, {"bdd": "cudd"}])
def test_the_ways_of_mcmas_agree(tuning: dict[str, Any]) -> None:
    pytest.importorskip("dd.cudd")
    for family in ("dc", "gossip", "ring", "prisoners"):
        system = model(family, 3, first_spec(family, 3))
        ours, theirs = opened(system), opened(system, **tuning)
        assert ours.facts().states == theirs.facts().states
        for formula in system.formulae:
            assert ours.check(formula).verdict is theirs.check(formula).verdict
        ours.close()
        theirs.close()
