"""Evidence about strategies in interleaved systems: it replays, says where a group waits, and a false strategy is found out."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from tests.asynchronous.worked_examples import MODELS, TABLE, Row
from tests.generators.asynchronous import READINGS, asynchronous_system, strategic_formula
from tests.generators.certificates import certified

from epistrat.cli.main import main
from epistrat.engines.contract import Options, Outcome, Strategies, Verdict
from epistrat.engines.registry import load as engine_of
from epistrat.evidence import Enforced, UniformStrategy
from epistrat.evidence.replay import replay
from epistrat.evidence.restrict import restrict
from epistrat.lang.load import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.show import to_ispl
from epistrat.model.system import System
from epistrat.service.models import read_formula
from epistrat.solvers.budget import Budget


def _shown(engine: str, system: System, formula: Formula, reading: Strategies) -> Outcome:
    session = engine_of(engine).open(system, Options(reading, evidence=True), Budget())
    try:
        return session.check(formula)
    finally:
        session.close()


@pytest.mark.parametrize("engine", ["reference", "symbolic", "explicit"])
@pytest.mark.parametrize("row", TABLE[::2], ids=lambda row: f"{row.model}: {row.formula}")
def test_evidence_replays(row: Row, engine: str) -> None:
    system = MODELS[row.model]
    formula = read_formula(row.formula, system)
    for reading in READINGS:
        outcome = _shown(engine, system, formula, reading)
        found = replay(system, certified(formula, outcome, Options(reading)))
        assert not found.problems


@pytest.mark.parametrize("seed", range(20))
def test_evidence_on_random_systems_replays(seed: int) -> None:
    rng = random.Random(20_000 + seed)
    system = asynchronous_system(rng)
    formula = strategic_formula(rng, system, 1)
    for engine in ("symbolic", "explicit"):
        for reading in READINGS:
            outcome = _shown(engine, system, formula, reading)
            assert not replay(system, certified(formula, outcome, Options(reading))).problems


def test_who_waits_for_whom() -> None:
    system = MODELS["blocking"]
    outcome = _shown("explicit", system, read_formula("<alice>G !done", system), Strategies.OBJECTIVE)
    assert "Alice waits for ever: Bob is never ready for s." in outcome.notes


def test_a_win_without_fair_plays_is_noted() -> None:
    system = MODELS["unfair wait"]
    outcome = _shown("symbolic", system, read_formula("<alice>F never", system), Strategies.OBJECTIVE)
    assert any("no fair play" in note for note in outcome.notes)


def test_a_member_that_can_do_more_alone_is_noted() -> None:
    system = MODELS["joining"]
    outcome = _shown("explicit", system, read_formula("<pair>F done", system), Strategies.OBJECTIVE)
    assert outcome.verdict is Verdict.FAILS
    assert any("Alice alone can do it" in note for note in outcome.notes)


def _strategy(model: str, formula: str) -> tuple[System, Formula, Outcome, UniformStrategy]:
    system = MODELS[model]
    asked = read_formula(formula, system)
    outcome = _shown("explicit", system, asked, Strategies.OBJECTIVE)
    assert outcome.evidence is not None
    (reason,) = outcome.evidence.because
    assert isinstance(reason, Enforced)
    assert isinstance(reason.strategy, UniformStrategy)
    return system, asked, outcome, reason.strategy


@pytest.mark.parametrize(
    ("model", "formula", "old", "new"),
    [
        ("blocking", "<alice>G !done", "s", "a"),  # it does not block
        ("trains", "<controller>F t1", "in1", "in2"),  # the other train
        ("joining", "<alice>F done", ("s", "t"), "s"),  # not one of her choices
    ],
)
def test_a_false_strategy_is_found_out(model: str, formula: str, old: object, new: str) -> None:
    system, asked, outcome, strategy = _strategy(model, formula)
    moves = tuple(
        (name, tuple((seen, new if act == old else act) for seen, act in rows)) for name, rows in strategy.moves
    )
    assert moves != strategy.moves
    assert outcome.evidence is not None
    tree = replace(outcome.evidence, because=(Enforced(replace(strategy, moves=moves)),))
    assert replay(system, certified(asked, replace(outcome, evidence=tree), Options(Strategies.OBJECTIVE))).problems


def test_the_restricted_model_is_written_with_its_choices() -> None:
    system, asked, _, strategy = _strategy("secret", "<bob>G !K(Alice, heads)")
    narrowed = restrict(system, strategy)
    loaded = load(to_ispl(narrowed))
    assert loaded.system == narrowed
    assert isinstance(asked, logic.Coalition)
    always = _shown("reference", narrowed, logic.ForAll(asked.arg), Strategies.ANY)
    assert always.verdict is Verdict.HOLDS


def test_answers_in_json_are_read_back_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, saved = tmp_path / "joining.ispl", tmp_path / "answers.json"
    system = MODELS["joining"]
    asked = tuple(read_formula(text, system) for text in ("<alice>F done", "<pair>F done"))
    model.write_text(to_ispl(replace(system, formulae=asked)))
    main(["check", str(model), "--json", "--evidence", "--blocking", "adversary", "--choices", "sets"])
    saved.write_text(capsys.readouterr().out)
    results = json.loads(saved.read_text())["results"]
    assert [one["blocking"] for one in results] == ["adversary"] * 2
    assert main(["replay", str(model), str(saved)]) == 0
