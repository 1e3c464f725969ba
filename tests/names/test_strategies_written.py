"""Strategies with memory, and tables, written as models: what the text says of all runs is true."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.generators.arenas import random_arena, random_goal, random_sentence
from tests.generators.systems import random_system
from tests.names.comparing import answer

import epistrat
from epistrat.cli.main import main
from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.evidence import Chosen, Remembered
from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Tag
from epistrat.logic.fragment import is_enforced
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.model.system import Composition, System
from epistrat.service.written import Written, written


def strategy_in(system: System, formula: Formula, options: Options) -> Written | None:
    """The strategy that shows why a formula holds, written out."""
    engine = "explicit" if options.remembering is False or options.strategies is Strategies.OBJECTIVE else "symbolic"
    outcome = answer(engine, system, formula, options)
    if outcome.verdict is not Verdict.HOLDS or not outcome.trees:
        return None
    (tree, *_) = outcome.trees
    shown = tree.because[0] if tree.because else None
    return written(system, tree, shown) if isinstance(shown, (Remembered, Chosen)) else None


def holds_where_written(found: Written, options: Options) -> int:
    """How many formulae of the text that is written were asked; all must be true."""
    assert found.restricted is not None
    text = to_ispl(found.restricted)
    system = load(text).system
    assert system is not None, text
    for one in system.formulae:
        verdict = answer("reference", system, one, options).verdict
        assert verdict is not Verdict.FAILS, (show(one), text)
    return len(system.formulae)


@pytest.mark.parametrize("seed", range(8))
def test_coalitions_that_remember(seed: int) -> None:
    rng = random.Random(seed)
    checked = 0
    for number in range(10):
        system = random_arena(rng, 2, rng.choice((2, 3, 4)), 0.2 * (number % 3 == 0), fair=number == 9)
        members = rng.sample(["Ann", "Bob", "Environment"], rng.randint(1, 3))
        claim = logic.Coalition(Group(tuple(members)), random_goal(rng, system, 2))
        found = strategy_in(system, claim, Options(evidence=True))
        if found is not None and found.restricted is not None:
            checked += holds_where_written(found, Options())
    assert checked


@pytest.mark.parametrize("seed", range(6))
def test_sentences_that_remember(seed: int) -> None:
    """Who answers what others do in the same step cannot be written: no protocol reads it."""
    rng = random.Random(seed)
    checked = 0
    for _ in range(10):
        system = random_arena(rng, 2, rng.choice((2, 3)), own=rng.random() < 0.5)
        found = strategy_in(system, random_sentence(rng, system, Tag.PERFECT), Options(evidence=True))
        if found is not None and found.restricted is None:
            assert found.refused is not None and "at the same moment" in found.refused
        elif found is not None:
            checked += holds_where_written(found, Options())
    assert checked


@pytest.mark.parametrize("seed", range(6))
def test_tables(seed: int) -> None:
    rng = random.Random(seed)
    for number in range(8):
        system = random_arena(rng, 2, rng.choice((2, 3)), 0.3 * (number % 3 == 0), own=False)
        aim = logic.Coalition(Group(("Ann",)), random_goal(rng, system, 2))
        readings = (Options(evidence=True, remembering=False), Options(Strategies.OBJECTIVE, evidence=True))
        for options in () if is_enforced(aim.arg) else readings:
            found = strategy_in(system, aim, options)
            if found is not None:
                holds_where_written(found, options)
        sentence = random_sentence(rng, system, rng.choice((Tag.STATES, Tag.VIEWS)), shared=0)
        found = strategy_in(system, sentence, Options(evidence=True, remembering=False))
        if found is not None:
            holds_where_written(found, Options())


@pytest.mark.parametrize("seed", range(6))
def test_models_with_lines_of_several_assignments(seed: int) -> None:
    """Local variables that others do not see, several initial states, both ways to read evolution lines."""
    rng = random.Random(seed)
    for _ in range(12):
        system = random_system(rng, agents=2, fairness=False, composition=Composition.SYNCHRONOUS)
        names = [agent.name for agent in system.agents if agent.actions]
        if not names:
            continue
        claim = logic.Coalition(Group((rng.choice(names),)), random_goal(rng, system, 2))
        found = strategy_in(system, claim, Options(evidence=True))
        if found is not None and found.restricted is not None:
            holds_where_written(found, Options())


# -- the command


@pytest.fixture(autouse=True)
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EPISTRAT_IN_PROCESS", "1")


EXAMPLES = Path(__file__).parents[2] / "examples" / "names"


def run(*arguments: str) -> int:
    return int(main(["strategy", *arguments]) or 0)


def test_the_scheduler_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its memory is a variable; the text holds what it says, and the picture has a node for each memory."""
    model, graph = tmp_path / "model.ispl", tmp_path / "graph.dot"
    file = str(EXAMPLES / "scheduler.ispl")
    assert run(file, "--only", "1", "--ispl", str(model), "--dot", str(graph), "--verify") == 0
    out = capsys.readouterr().out
    assert "the model whose agents follow this strategy" in out and "Checked: the model" in out
    text = model.read_text()
    assert "memory : 0..4;" in text and "LTL (G (one_waits -> (F one_runs)))" in text
    loaded = epistrat.load(str(model))
    assert all(loaded.check())
    drawn = graph.read_text()
    assert all(f"  m{number} [label=" in drawn for number in range(5))
    assert "Scheduler:\\n  one = waiting and two = waiting:" in drawn and "  m4 -> m2 [label=" in drawn


def test_tables_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "model.ispl"
    assert run(str(EXAMPLES / "cake.ispl"), "--only", "1", "--ispl", str(model), "--dot", "-", "--verify") == 0
    drawn = capsys.readouterr().out
    assert "cut_two" in drawn and "cut_one" not in drawn and "take_left" in drawn, "the cutter cuts in the middle"
    assert all(epistrat.load(str(model)).check())


def test_what_no_protocol_can_read_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ann shows what Bob shows, at the same moment."""
    system = tmp_path / "pennies.ispl"
    players = "".join(
        f"Agent {name} Vars: end Vars Actions = {{h, t}}; Protocol: Other : {{h, t}}; end Protocol Evolution: end Evolution end Agent "
        for name in ("Ann", "Bob")
    )
    system.write_text(
        f"""
        Agent Environment Obsvars: same : boolean; end Obsvars Actions = {{}}; Protocol: end Protocol
          Evolution:
            same = true if (Ann.Action = h and Bob.Action = h) or (Ann.Action = t and Bob.Action = t);
            same = false if (Ann.Action = h and Bob.Action = t) or (Ann.Action = t and Bob.Action = h);
          end Evolution end Agent
        {players}
        Evaluation same if Environment.same = true; end Evaluation
        InitStates Environment.same = false; end InitStates
        Formulae #PR [[y]] <<x>> (Ann, x) (Bob, y) X G same; end Formulae
        """
    )
    assert run(str(system), "--only", "1", "--ispl", str(tmp_path / "out.ispl")) == 4
    assert "Ann answers what others do at the same moment" in capsys.readouterr().err
    assert not (tmp_path / "out.ispl").exists()
    assert run(str(system), "--only", "1", "--dot", "-") == 0
    assert "to Bob h: Ann h" in capsys.readouterr().out
