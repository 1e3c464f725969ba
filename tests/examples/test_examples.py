"""The examples say in their headers what they teach; here every engine is held to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.lang import load, parse_formula
from epistrat.logic.formula import (
    Coalition,
    Common,
    Correct,
    Distributed,
    Everybody,
    Knows,
    Once,
    Since,
    Yesterday,
    subformulae,
)
from epistrat.model.system import System
from epistrat.service import models, pipeline
from epistrat.service.expect import read_expectation

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(EXAMPLES.glob("*.ispl"))
WANTED = {
    "authentication",
    "bit_transmission",
    "card_game",
    "contract",
    "dining_cryptographers",
    "gossip",
    "haggling",
    "muddy_children",
    "prisoners",
    "red_states",
    "tian_ji",
    "train_gate_controller",
}
BEYOND_MCMAS = {"bit_transmission", "contract", "muddy_children", "authentication", "haggling", "train_gate_controller"}
"""Examples with past operators, unbounded numbers or interleaving, which MCMAS does not have."""

each_example = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def system_of(path: Path) -> System:
    loaded = load(path.read_text(encoding="utf-8"), path.name)
    assert loaded.system is not None, [str(diagnostic) for diagnostic in loaded.diagnostics]
    return loaded.system


def answers(system: System, engine: str, options: Options | None = None) -> tuple[dict[int, str], int | str | None]:
    report = pipeline.check(system, models.questions(system), engine=engine, options=options)
    return {result.index: result.verdict.value for result in report.results}, report.facts.states


def test_all_examples_are_there() -> None:
    assert {path.stem for path in FILES} == WANTED


@each_example
def test_header_teaches_and_expects(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    header = text.split("\n\n", 1)[0]
    expectation = read_expectation(text)
    assert len(header.splitlines()) > 8
    assert all(line.startswith("--") for line in header.splitlines())
    assert set(expectation.verdicts) == set(range(1, len(system_of(path).formulae) + 1))
    assert expectation.states is not None
    assert "fails" in expectation.verdicts.values()


@each_example
def test_every_formula_is_explained(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    questions = text.split("\nFormulae\n")[1]
    explained = [int(number) for number in re.findall(r"^ +-- (\d+): ", questions, re.MULTILINE)]
    assert explained == list(range(1, len(system_of(path).formulae) + 1))


@each_example
def test_no_message_about_the_model(path: Path) -> None:
    loaded = load(path.read_text(encoding="utf-8"), path.name)
    assert [str(diagnostic) for diagnostic in loaded.diagnostics] == []


@each_example
def test_plain_ispl_stays_plain(path: Path) -> None:
    accepted = load(path.read_text(encoding="utf-8"), path.name, strict=True).ok
    assert accepted == (path.stem not in BEYOND_MCMAS)


@pytest.mark.parametrize("engine", ["reference", "auto"])
@each_example
def test_verdicts_and_states(path: Path, engine: str) -> None:
    expectation = read_expectation(path.read_text(encoding="utf-8"))
    assert answers(system_of(path), engine) == (expectation.verdicts, expectation.states)


@each_example
def test_no_dead_ends_and_no_overflows(path: Path) -> None:
    system = system_of(path)
    facts = pipeline.check(system, [], engine="reference").facts
    assert (facts.dead_ends, facts.overflows) == (0, 0)


@pytest.mark.parametrize("engine", ["reference", "auto"])
@pytest.mark.parametrize("strategies", [Strategies.OBJECTIVE, Strategies.SUBJECTIVE, Strategies.UNIFORM])
def test_card_game_under_other_readings_of_strategies(strategies: Strategies, engine: str) -> None:
    path = EXAMPLES / "card_game.ispl"
    line = re.search(
        rf"^-- expect --strategies {strategies.value}: 1 (\w+)$", path.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert line is not None
    verdicts, _ = answers(system_of(path), engine, Options(strategies=strategies))
    assert verdicts[1] == line[1]


def test_every_kind_of_formula_is_shown() -> None:
    shown = {type(part) for path in FILES for part in subformulae(*system_of(path).formulae)}
    assert {Knows, Everybody, Distributed, Common, Correct, Coalition, Once, Since, Yesterday} <= shown


def test_the_attack_needs_mallory_only_after_alice_called_him() -> None:
    system = system_of(EXAMPLES / "authentication.ispl")
    formula, problems = parse_formula("original -> <mallory>F (bob_finished_with_alice and !alice_called_bob)", system)
    assert formula is not None, problems
    report = pipeline.check(system, models.questions(system, [formula]), engine="reference")
    assert report.results[0].verdict is Verdict.FAILS
