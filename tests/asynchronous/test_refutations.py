"""Why no uniform strategy succeeds: a play against each of them, replayed; and what is said of it without asking for evidence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.asynchronous.worked_examples import MODELS, TABLE
from tests.generators.certificates import certified

import epistrat
from epistrat.cli.main import main
from epistrat.engines.contract import Options, Outcome, Strategies, Verdict
from epistrat.engines.registry import load as engine_of
from epistrat.evidence import Restricted, Tree
from epistrat.evidence.replay import replay
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.show import to_ispl
from epistrat.model.system import System
from epistrat.service.models import read_formula
from epistrat.solvers.budget import Budget


def _refuted(
    model: str, text: str, reading: Strategies, engine: str = "explicit"
) -> tuple[System, Formula, Outcome, Tree]:
    system = MODELS[model]
    formula = read_formula(text, system)
    outcome = engine_of(engine).open(system, Options(reading, evidence=True), Budget()).check(formula)
    assert outcome.verdict is Verdict.FAILS
    assert outcome.evidence is not None
    return system, formula, outcome, outcome.evidence


@pytest.mark.parametrize("engine", ["reference", "symbolic", "explicit"])
@pytest.mark.parametrize(
    ("model", "formula", "reading", "strategies"),
    [
        ("guess", "<alice>F won", Strategies.OBJECTIVE, 2),
        ("joining", "<pair>F done", Strategies.OBJECTIVE, 2),
        ("after the last choice", "<pair>G !lost", Strategies.OBJECTIVE, 4),
        ("two starts", "<alice>F won", Strategies.SUBJECTIVE, 2),
        ("no memory", "<alice>F won", Strategies.SUBJECTIVE, 2),
    ],
)
def test_every_strategy_is_defeated(
    model: str, formula: str, reading: Strategies, strategies: int, engine: str
) -> None:
    system, asked, outcome, tree = _refuted(model, formula, reading, engine)
    assert sum(isinstance(one, Restricted) for one in tree.because) == strategies
    found = replay(system, certified(asked, outcome, Options(reading)))
    assert not found.problems
    assert not found.trusted


def _problems(system: System, asked: Formula, outcome: Outcome, tree: Tree) -> tuple[str, ...]:
    changed = replace(outcome, evidence=tree)
    return replay(system, certified(asked, changed, Options(Strategies.OBJECTIVE))).problems


def test_a_strategy_that_was_not_tried_is_missed() -> None:
    system, asked, outcome, tree = _refuted("guess", "<alice>F won", Strategies.OBJECTIVE)
    (problem,) = _problems(system, asked, outcome, replace(tree, because=tree.because[:1]))
    assert "was not tried" in problem


def test_a_play_that_is_not_one_of_the_strategy_is_found_out() -> None:
    system, asked, outcome, tree = _refuted("guess", "<alice>F won", Strategies.OBJECTIVE)
    one, other = tree.because
    assert isinstance(one, Restricted)
    assert isinstance(other, Restricted)
    swapped = (Restricted(one.strategy, other.tree), Restricted(other.strategy, one.tree))
    assert _problems(system, asked, outcome, replace(tree, because=swapped))


def test_a_play_about_something_else_is_found_out() -> None:
    system, asked, outcome, tree = _refuted("guess", "<alice>F won", Strategies.OBJECTIVE)
    one, other = tree.because
    assert isinstance(one, Restricted)
    weaker = replace(one.tree, claim=logic.ForAll(logic.Globally(logic.Truth(True))))
    assert _problems(system, asked, outcome, replace(tree, because=(Restricted(one.strategy, weaker), other)))


def test_a_refutation_of_a_strategy_that_succeeds_is_found_out() -> None:
    """With both as one group, what defeats Alice alone defeats nobody."""
    system, _, outcome, tree = _refuted("guess", "<alice>F won", Strategies.OBJECTIVE)
    both = read_formula("<both>F won", system)
    assert _problems(system, both, outcome, replace(tree, claim=both))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("unfair wait", "leaves no fair play"),
        ("joining", "Alice alone can do it"),
        ("joining", "never ready for s"),
        ("joining", "some play defeats"),
        ("private loop", "--scheduling fair"),
        ("blocking", "Alice waits for ever: Bob is never ready for s."),
    ],
)
def test_what_is_said_without_asking_for_evidence(
    model: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system, file = MODELS[model], tmp_path / "model.ispl"
    asked = tuple(read_formula(row.formula, system) for row in TABLE if row.model == model)
    file.write_text(to_ispl(replace(system, formulae=asked)))
    main(["check", str(file)])
    assert words in " ".join(capsys.readouterr().out.split())


def test_no_hint_where_fair_scheduling_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    system, file = MODELS["order"], tmp_path / "order.ispl"
    file.write_text(to_ispl(replace(system, formulae=(read_formula("<both>F first", system),))))
    main(["check", str(file)])
    assert "scheduling" not in capsys.readouterr().out


def test_where_states_are_not_visited_the_start_of_a_play_is_listed_as_not_checked() -> None:
    """Read subjectively, a play may start where things look the same; that this state can be reached, only a survey tells."""
    text = """
Agent Box Vars: x : {small, large}; end Vars Actions = {a}; Protocol: Other : {a}; end Protocol
  Evolution: x = small if Action = a; end Evolution end Agent
Agent Blind Vars: end Vars Actions = {a}; Protocol: Other : {a}; end Protocol Evolution: end Evolution end Agent
Evaluation large if Box.x = large; end Evaluation
InitStates Box.x = large; end InitStates
Groups blind = {Blind}; end Groups
Formulae <blind>F large; end Formulae
"""
    system = epistrat.load(text)
    (formula,) = system.formulae
    outcome = (
        engine_of("reference").open(system, Options(Strategies.SUBJECTIVE, evidence=True), Budget()).check(formula)
    )
    assert outcome.verdict is Verdict.FAILS
    certificate = certified(formula, outcome, Options(Strategies.SUBJECTIVE))
    assert replay(system, certificate).complete
    unseen = replay(system, certificate, survey=0)
    assert unseen.ok
    assert not unseen.complete
