"""Evidence under fair scheduling: strategies and plays against them are re-checked, and false ones are found out."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from tests.asynchronous.random_systems import verdict
from tests.asynchronous.worked_examples import MODELS, TABLE, Row
from tests.generators.asynchronous import asynchronous_system, strategic_formula, system_of
from tests.generators.certificates import certified

from epistrat.answers import Certificate, Outcome, Strategies, Verdict
from epistrat.cli.main import main
from epistrat.engines.contract import Options
from epistrat.engines.registry import load as engine_of
from epistrat.evidence import Around, Enforced, Lasso, Restricted, Tree, UniformStrategy
from epistrat.evidence.cycles import passes_over
from epistrat.evidence.replay import replay
from epistrat.evidence.restrict import restrict
from epistrat.logic.formula import Coalition, ForAll, Formula, operands
from epistrat.model.conditions import is_condition
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.play import Play
from epistrat.model.show import to_ispl
from epistrat.model.state import Act, View, view
from epistrat.model.step import Stepper
from epistrat.model.system import Scheduling, System
from epistrat.service.models import read_formula
from epistrat.solvers.budget import Budget

READINGS = (Strategies.OBJECTIVE, Strategies.SUBJECTIVE)
PRIVATE_LOOP = replace(MODELS["private loop"], scheduling=Scheduling.FAIR)


def _shown(system: System, formula: Formula, reading: Strategies) -> Outcome:
    return engine_of("explicit").open(system, Options(reading, evidence=True), Budget()).check(formula)


def _flat(formula: Formula) -> bool:
    return isinstance(formula, Coalition) and all(map(is_condition, operands(formula.arg)))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.model}: {row.formula}")
def test_examples_are_re_checked(row: Row) -> None:
    system = replace(MODELS[row.model], scheduling=Scheduling.FAIR)
    formula = read_formula(row.formula, system)
    for reading in READINGS:
        found = replay(system, certified(formula, _shown(system, formula, reading), Options(reading)))
        assert not found.problems
        # Another initial state may need another strategy.
        assert all("initial state" in words for words in found.trusted) or not _flat(formula)


@pytest.mark.parametrize("seed", range(25))
def test_evidence_on_random_systems_is_re_checked(seed: int) -> None:
    rng = random.Random(40_000 + seed)
    system = replace(asynchronous_system(rng), scheduling=Scheduling.FAIR)
    formula = strategic_formula(rng, system, 1)
    for reading in READINGS:
        assert not replay(system, certified(formula, _shown(system, formula, reading), Options(reading))).problems


@pytest.mark.parametrize("seed", range(40))
def test_a_strategy_is_accepted_exactly_if_it_succeeds(seed: int) -> None:
    """Any strategy, good or bad: the reference engine judges it in the system whose members follow it."""
    rng = random.Random(50_000 + seed)
    system = replace(asynchronous_system(rng), scheduling=Scheduling.FAIR)
    starts = initial_states(system)
    for _ in range(4):
        formula = strategic_formula(rng, system, 1)
        if not isinstance(formula, Coalition) or not _flat(formula):
            continue
        if (
            system.fairness and len(starts) > 1
        ):  # which of them count may differ: a group that waits may leave a fair run
            continue
        strategy = _any_strategy(rng, system, formula)
        expected = verdict("reference", restrict(system, strategy), formula, Strategies.OBJECTIVE)
        trees = tuple(Tree(state, formula, True, (Enforced(strategy),)) for state in starts)
        found = replay(system, Certificate(formula, Verdict.HOLDS, Strategies.OBJECTIVE, trees=trees))
        assert bool(found.problems) is (expected is Verdict.FAILS)


def _any_strategy(rng: random.Random, system: System, claim: Coalition) -> UniformStrategy:
    stepper = Stepper(system)
    play, reached = Play(stepper), explore(stepper, initial_states(system)).states
    tables: dict[str, dict[View, Act]] = {}
    for name in claim.group.members:
        table = tables.setdefault(name, {})
        for state in reached:
            act = rng.choice(play.options(name, state))
            if act is not None:
                table.setdefault(view(system, name, state), act)
    return UniformStrategy(claim.group, tuple((name, tuple(table.items())) for name, table in tables.items() if table))


def test_a_play_that_passes_over_an_event_defeats_nobody() -> None:
    """Bob goes on for ever, and Alice could always do what she chose: that play does not count."""
    formula = read_formula("<alice>F done", PRIVATE_LOOP)
    assert isinstance(formula, Coalition)
    usual = replace(PRIVATE_LOOP, scheduling=Scheduling.ANY)
    (start,) = initial_states(usual)
    loop = Around(Lasso((start,), ((None, "b"),), 0))
    strategy = UniformStrategy(formula.group, (("Alice", (((start[0],), "a"),)),))
    play = Restricted(strategy, Tree(start, ForAll(formula.arg), False, (loop,)))
    tree = Tree(start, formula, False, (play,))
    claimed = Certificate(formula, Verdict.FAILS, Strategies.OBJECTIVE, trees=(tree,))
    assert replay(usual, claimed).complete
    assert any("passes over" in problem for problem in replay(PRIVATE_LOOP, claimed).problems)


@pytest.mark.parametrize(
    ("alice", "bob", "good"),
    [
        ("l0: {a>l1 s>l0}", "m0: s>m0", False),  # what goes on for ever is done by Alice too: nobody is passed over
        ("l0: a>l1", "m0: s>m0", True),
        ("l0: a>l1", "m0: s>m1; m1: ", True),
        ("l0: a>l1", "m0: s>m0; m1: a>m1", False),  # a is never left
    ],
)
def test_what_goes_on_for_ever_must_pass_over_an_event(alice: str, bob: str, good: bool) -> None:
    groups = {"alice": "Alice"}
    system = replace(
        system_of({"Alice": alice, "Bob": bob}, {"done": "Alice.at = l1"}, groups), scheduling=Scheduling.FAIR
    )
    formula = read_formula("<alice>F done", system)
    assert isinstance(formula, Coalition)
    (start,) = initial_states(system)
    choice: Act = ("a", "s") if "{" in alice else "a"
    strategy = UniformStrategy(formula.group, (("Alice", (((start[0],), choice),)),))
    tree = Tree(start, formula, True, (Enforced(strategy),))
    found = replay(system, Certificate(formula, Verdict.HOLDS, Strategies.OBJECTIVE, trees=(tree,)))
    assert found.complete is good
    assert bool(found.problems) is not good


def test_which_events_are_passed_over() -> None:
    alice, bob, both = ("a", None), (None, "b"), ("s", "s")
    assert passes_over([{alice, bob}], [bob])
    assert not passes_over([{alice, bob}], [alice, bob])
    assert not passes_over([{alice, both}], [both])
    assert not passes_over([{alice, bob}, {bob}], [bob])  # it is not always left
    assert not passes_over([set()], [(None, None)])


def test_answers_in_json_are_replayed_as_they_were_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same answers do not hold up where plays that pass somebody over count."""
    model, saved = tmp_path / "loop.ispl", tmp_path / "answers.json"
    formula = read_formula("<alice>F done", PRIVATE_LOOP)
    model.write_text(to_ispl(replace(PRIVATE_LOOP, formulae=(formula,))))
    main(["check", str(model), "--json", "--evidence", "--scheduling", "fair"])
    saved.write_text(capsys.readouterr().out)
    assert main(["replay", str(model), str(saved)]) == 0
    saved.write_text(saved.read_text().replace('"fair"', '"any"'))
    assert main(["replay", str(model), str(saved)]) == 1
