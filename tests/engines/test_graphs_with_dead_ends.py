"""All engines on random graphs with dead ends and choices that lead nowhere: time, strategies in every reading, and knowledge."""

from __future__ import annotations

import random

import pytest
from tests.generators.certificates import certified
from tests.generators.graphs import random_graph

from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load as engine_of
from epistrat.evidence.replay import replay
from epistrat.evidence.shapes import positive
from epistrat.lang.load import parse_formula
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import IMPATIENT, PATIENT, Patience

GOALS = ("F q", "G p", "(p U q)", "X q", "G !q", "(q U r)")
TIME = tuple(f"{quantifier}{goal}" for quantifier in "AE" for goal in ("F q", "G p", "(p U q)", "X q", "G !q"))
BODIES = ("p", "q", "r", "K(A, p)", "!K(A, q)")


def _formula(text: str, system: System) -> Formula:
    found, problems = parse_formula(text, system)
    assert found is not None, problems
    return found


def _drawn(rng: random.Random, system: System, strategic: bool) -> Formula:
    """A shape in a shape; with quantifiers over infinite runs alone now and then."""
    shape = f"<{rng.choice(('a', 'e', 'ae'))}>{rng.choice(GOALS)}" if strategic else rng.choice(TIME)
    inner = rng.choice((rng.choice(BODIES), f"({rng.choice(TIME)})", f"(EX {rng.choice(BODIES)})"))
    formula = _formula(shape.replace("q", inner, 1), system)
    if rng.random() < 0.4:
        over_infinite = logic.Exists(_formula(rng.choice("pqr"), system), star=True)
        path: Formula = logic.And((logic.Finally(over_infinite), logic.Globally(_formula(rng.choice("pqr"), system))))
        extra = rng.choice((over_infinite, logic.ForAll(logic.Globally(over_infinite)), logic.Exists(path, star=True)))
        formula = rng.choice((logic.And((formula, extra)), logic.Or((formula, logic.Not(extra))), extra))
    return formula


def _compare(system: System, formula: Formula, reading: Strategies, patience: Patience) -> int:
    options = Options(reading)
    right = engine_of("reference").open(system, options, Budget(seconds=2)).check(formula).verdict
    compared = 0
    for name in ("symbolic", "explicit"):
        if right is Verdict.UNKNOWN or refusal(engine_of(name), system, formula, options) is not None:
            continue
        session = engine_of(name).open(system, options, Budget(patience=patience))
        assert session.check(formula).verdict is right, (name, reading, formula)
        session.close()
        compared += 1
    return compared


@pytest.mark.parametrize("patience", [PATIENT, IMPATIENT], ids=["patient", "impatient"])
@pytest.mark.parametrize("reading", list(Strategies), ids=[one.value for one in Strategies])
def test_strategies(reading: Strategies, patience: Patience) -> None:
    compared = 0
    for seed in range(25):
        rng = random.Random(f"{reading.value} {seed}")
        compared += _compare(system := random_graph(rng), _drawn(rng, system, True), reading, patience)
    assert compared > 20


@pytest.mark.parametrize("name", ["symbolic", "explicit"])
def test_all_groups_and_goals_in_one_session(name: str) -> None:
    """Many choices lead nowhere: nothing that happens then violates anything, but what had to hold until then must hold."""
    for seed in range(20):
        system = random_graph(random.Random(seed), leaving=0.5)
        judge = engine_of("reference").open(system, Options(), Budget())
        session = engine_of(name).open(system, Options(evidence=True), Budget())
        for goal in GOALS:
            for group in ("a", "e", "ae"):
                formula = _formula(f"<{group}>{goal}", system)
                outcome = session.check(formula)
                assert outcome.verdict is judge.check(formula).verdict, (seed, group, goal)
                if outcome.trees:
                    assert not replay(system, certified(formula, outcome)).problems, (seed, group, goal)


@pytest.mark.parametrize("patience", [PATIENT, IMPATIENT], ids=["patient", "impatient"])
def test_strategies_that_end_all_runs(patience: Patience) -> None:
    """What holds over infinite runs holds where a strategy leaves none."""
    for seed in range(40):
        rng = random.Random(seed)
        system = random_graph(rng, leaving=0.0, ends=0.5)
        one, other = (_formula(rng.choice("pqr"), system) for _ in range(2))
        none = logic.Not(logic.Exists(one, star=True))
        shapes = (none, logic.ForAll(logic.Finally(none)), logic.Or((none, other)), logic.ForAll(one, star=True))
        for formula in (*shapes, logic.And((none, logic.Exists(logic.Finally(other)))), logic.Exists(logic.Next(none))):
            _compare(system, formula, Strategies.UNIFORM, patience)


@pytest.mark.parametrize("patience", [PATIENT, IMPATIENT], ids=["patient", "impatient"])
def test_time_and_knowledge(patience: Patience) -> None:
    for seed in range(40):
        rng = random.Random(seed)
        _compare(system := random_graph(rng), _drawn(rng, system, False), Strategies.ANY, patience)


@pytest.mark.parametrize("star", [False, True], ids=["all runs", "infinite runs"])
@pytest.mark.parametrize("operator", [logic.Globally, logic.Finally])
@pytest.mark.parametrize("quantifier", [logic.ForAll, logic.Exists])
def test_what_a_proof_shows_of_a_claim_that_fails(
    quantifier: type[logic.ForAll | logic.Exists], operator: type[logic.Globally | logic.Finally], star: bool
) -> None:
    """Its opposite, read in the same way: over all runs, or over infinite ones only."""
    for seed in range(20):
        rng = random.Random(seed)
        system = random_graph(rng)
        claim: Formula = quantifier(operator(_formula(rng.choice("pqr"), system)), star)
        shown = positive(claim, False)
        assert shown is not None and positive(claim, True) == claim
        judge = engine_of("reference").open(system, Options(), Budget())
        assert judge.check(logic.ForAll(logic.Globally(logic.Xor(claim, shown)))).verdict is Verdict.HOLDS, seed


LOOKING_BACK = (
    "K(A, F (p and Y q))",
    "K(A, G (p or Once q))",
    "K(A, (q S p))",
    "K(A, X Y p)",
    "K(A, F (r and Hist p))",
)


@pytest.mark.parametrize("engine", ["reference", "symbolic", "explicit"])
@pytest.mark.parametrize("text", LOOKING_BACK)
def test_evidence_about_the_past_looks_alike(text: str, engine: str) -> None:
    """Whoever does not know shows a run that looks the same at that moment, and the re-checker looks, too."""
    shown = 0
    for seed in range(12):
        rng = random.Random(seed)
        system = random_graph(rng, leaving=0.0, ends=0.1)
        formula = _formula(rng.choice(("{0}", "AG {0}", "AG (r -> {0})", "AX {0}")).format(text), system)
        options = Options(evidence=True)
        if refusal(engine_of(engine), system, formula, options) is not None:
            continue
        outcome = engine_of(engine).open(system, options, Budget()).check(formula)
        if outcome.trees:
            found = replay(system, certified(formula, outcome, options))
            assert not found.problems, seed
            shown += outcome.verdict is Verdict.FAILS and not found.trusted
    assert shown or engine != "reference"
