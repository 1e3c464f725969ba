"""Strategies with N states of memory: the transformed system against the definition, which tries all such strategies."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from tests.uniform.remembering import Remembering, TooMany

import epistrat
from epistrat.answers import Misuse
from epistrat.answers.verdict import Strategies, Verdict
from epistrat.cli.main import main
from epistrat.engines.contract import Options
from epistrat.engines.registry import load as engine
from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.model.system import System
from epistrat.model.transform import memory as transform
from epistrat.service.checking import strategy_memory
from epistrat.service.requests import CheckRequest, Text
from epistrat.solvers.budget import Budget

SYSTEMS = int(os.environ.get("EPISTRAT_MEMORY", "90"))
PART = 30
IMPERFECT = (Strategies.OBJECTIVE, Strategies.SUBJECTIVE)

PRESSES = """
Agent Environment
  Vars: at : {shut, half, open, jammed}; end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution:
    at = half if at = shut and Alice.Action = a;
    at = jammed if at = shut and Alice.Action = b;
    at = open if at = half and Alice.Action = b;
    at = jammed if at = half and Alice.Action = a;
  end Evolution
end Agent
Agent Alice
  Vars: none : boolean; end Vars
  Actions = {a, b};
  Protocol: Other : {a, b}; end Protocol
  Evolution: end Evolution
end Agent
Evaluation open if Environment.at = open; end Evaluation
InitStates Environment.at = shut and Alice.none = false; end InitStates
Groups alice = {Alice}; end Groups
Formulae <alice>F open; end Formulae
"""


NOTICES = "known = true if Environment.Action = push; known = false if Environment.Action = wait;"


def random_maze(rng: random.Random) -> System:
    """Places, among which what agents do leads at random, and of which they see little."""
    places = rng.choice((3, 4, 4, 5))
    two = rng.random() < 0.3
    lines = []
    for place in range(places):
        for act in "ab":
            for other in "cd" if two else " ":
                if rng.random() < 0.25:
                    continue
                told = f" and Bob.Action = {other}" if two else ""
                lines.append(f"at = {rng.randrange(places)} if at = {place} and Alice.Action = {act}{told};")
                if rng.random() < 0.15:
                    lines.append(f"at = {rng.randrange(places)} if at = {place} and Alice.Action = {act}{told};")
    own = f"""Vars: known : boolean; end Vars
      Actions = {{a, b}};
      Protocol: {rng.choice(("", "known = true : {a};"))} Other : {{a, b}}; end Protocol
      Evolution: {rng.choice(("", NOTICES))} end Evolution"""
    bob = """Agent Bob
      Vars: none : boolean; end Vars
      Actions = {c, d};
      Protocol: Other : {c, d}; end Protocol
      Evolution: end Evolution
    end Agent"""
    often = rng.choice(("wait", "wait, push"))
    starts = rng.sample(range(places), rng.choice((1, 1, 2)))
    initial = " or ".join(f"Environment.at = {one}" for one in starts)
    text = f"""Semantics = {rng.choice(("MultiAssignment", "SingleAssignment")) if _single(lines) else "MultiAssignment"};
    Agent Environment
      Vars: at : 0..{places - 1}; end Vars
      Actions = {{wait, push}};
      Protocol: {rng.choice(("", f"at = {rng.randrange(places)} : {{push}};"))} Other : {{{often}}}; end Protocol
      Evolution: {" ".join(lines)} end Evolution
    end Agent
    Agent Alice
      {own}
    end Agent
    {bob if two else ""}
    Evaluation p if Environment.at = 0; q if Environment.at = {places - 1}; r if Environment.at < 2; end Evaluation
    InitStates ({initial}) and Alice.known = false {"and Bob.none = false" if two else ""}; end InitStates
    Groups g = {{Alice{", Bob" if two else ""}}}; end Groups
    Formulae <g>F p; end Formulae
    """
    loaded = load(text)
    assert loaded.system is not None, [str(one) for one in loaded.diagnostics] + [text]
    return loaded.system


def _single(lines: list[str]) -> bool:
    """Whether no two lines have the same condition."""
    guards = [line.partition(" if ")[2] for line in lines]
    return len(set(guards)) == len(guards)


def random_question(rng: random.Random, system: System, depth: int) -> Formula:
    """A group with a goal; conditions, knowledge and other groups below it."""
    group = Group(system.groups["g"], "g")

    def below() -> Formula:
        if depth and rng.random() < 0.4:
            return random_question(rng, system, depth - 1)
        return logic.Prop(rng.choice("pqr"))

    kind = rng.random()
    if kind < 0.15:
        return rng.choice((logic.Not(below()), logic.And((below(), below())), logic.Or((below(), below()))))
    if kind < 0.25:
        return logic.Knows("Alice", below())
    goal = rng.choice((logic.Finally, logic.Finally, logic.Globally, logic.Next))(below())
    return logic.Coalition(group, logic.Until(below(), below()) if rng.random() < 0.2 else goal)


def remembering(system: System, formula: Formula, states: int, reading: Strategies) -> System:
    """The system as a check of the formula sees it."""
    request = CheckRequest(model=Text("", "m.ispl"), strategies=reading, strategy_memory=states)
    memory = strategy_memory(request, system, [formula])
    return system if memory is None else memory.of(system)


def verdict(name: str, system: System, formula: Formula, states: int, reading: Strategies) -> bool | None:
    """What an engine says; None: it gave up."""
    session = engine(name).open(remembering(system, formula, states, reading), Options(reading), Budget(seconds=20))
    return {Verdict.HOLDS: True, Verdict.FAILS: False}.get(session.check(formula).verdict)


@pytest.mark.parametrize("seed", range(0, SYSTEMS, PART))
def test_it_is_what_the_definition_says(seed: int) -> None:
    compared = helped = 0
    for number in range(seed, seed + PART):
        rng = random.Random(f"memory {number}")
        system = random_maze(rng)
        for reading in IMPERFECT:
            formula = random_question(rng, system, rng.choice((0, 0, 1)))
            found: dict[int, bool] = {}
            for states in (1, 2):
                try:
                    expected = Remembering(system, states, reading is Strategies.SUBJECTIVE).holds(formula)
                except TooMany:
                    continue
                for name in ("symbolic", "reference") if number % 5 == 0 else ("symbolic",):
                    said = verdict(name, system, formula, states, reading)
                    assert said is None or said is expected, (
                        number,
                        name,
                        states,
                        reading,
                        show(formula),
                        to_ispl(system),
                    )
                found[states] = expected
                compared += 1
            helped += found.get(1) is not found.get(2)
    assert compared > PART and helped


@pytest.mark.parametrize("seed", range(0, SYSTEMS, PART))
def test_more_memory_does_not_harm(seed: int) -> None:
    """What is enforced with N states of memory is with N + 1, and by a function of all histories."""
    for number in range(seed, seed + PART // 2):
        rng = random.Random(f"more memory {number}")
        system = random_maze(rng)
        goal = rng.choice((logic.Finally, logic.Globally))(logic.Prop(rng.choice("pqr")))
        formula = logic.Coalition(Group(system.groups["g"], "g"), goal)
        for reading in IMPERFECT:
            said = [verdict("symbolic", system, formula, states, reading) for states in (1, 2, 3)]
            said.append(verdict("symbolic", system, formula, 1, Strategies.ANY))
            known = [one for one in said if one is not None]
            assert known == sorted(known), (number, reading, show(formula), to_ispl(system))


def test_one_state_of_memory_changes_nothing() -> None:
    system = random_maze(random.Random(1))
    memory = transform.StrategyMemory(1, ("Alice",))
    assert memory.of(system) == system
    assert transform.StrategyMemory(3, ()).of(system) == system


def test_a_press_and_another_one() -> None:
    model = epistrat.load(PRESSES)
    for states, expected in ((1, Verdict.FAILS), (2, Verdict.HOLDS), (3, Verdict.HOLDS)):
        (result,) = model.check(strategies="objective", strategy_memory=states, evidence=True)
        assert result.verdict is expected
        assert result.replay is not None and result.replay.complete


@pytest.mark.parametrize("states", (1, 2))
def test_saved_answers_are_replayed_with_the_same_memory(
    states: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, answers = tmp_path / "m.ispl", tmp_path / "answers.json"
    model.write_text(PRESSES, encoding="utf-8")
    main(["check", str(model), "--strategies", "objective", "--strategy-memory", str(states), "--evidence", "--json"])
    saved = json.loads(capsys.readouterr().out)
    assert ("strategy_memory" in saved) is (states == 2)
    answers.write_text(json.dumps(saved), encoding="utf-8")
    assert main(["replay", str(model), str(answers)]) == 0
    if states == 2:
        saved["strategy_memory"]["states"] = 1000
        answers.write_text(json.dumps(saved), encoding="utf-8")
        assert main(["replay", str(model), str(answers)]) == 3
        del saved["strategy_memory"]
        answers.write_text(json.dumps(saved), encoding="utf-8")
        assert main(["replay", str(model), str(answers)]) != 0


def test_rules_and_the_model_restricted_to_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, restricted = tmp_path / "m.ispl", tmp_path / "restricted.ispl"
    model.write_text(PRESSES, encoding="utf-8")
    words = ["strategy", str(model), "--strategies", "objective", "--strategy-memory", "2"]
    assert main([*words, "--ispl", str(restricted), "--verify"]) == 0
    assert "memory = 0" in capsys.readouterr().out
    (result,) = epistrat.load(restricted).check("AF open")
    assert result.verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"strategy_memory": 2}, "strategies"),
        ({"strategy_memory": "all", "strategies": "objective"}, "ask for a number"),
        ({"strategy_memory": 65, "strategies": "objective"}, "the most is 64"),
        ({"strategy_memory": 0, "strategies": "objective"}, "too few"),
    ],
)
def test_what_cannot_be_meant(given: dict[str, object], words: str) -> None:
    with pytest.raises((Misuse, TypeError, ValueError), match=words):
        epistrat.load(PRESSES).check(**given)  # type: ignore[arg-type]


def test_interleaved_systems_have_no_strategies_with_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "m.ispl"
    text = """Composition = Interleaved;
    Agent Ann Vars: x : boolean; end Vars Actions = {a, b}; Protocol: Other : {a, b}; end Protocol
      Evolution: x = true if Action = a; end Evolution end Agent
    Evaluation p if Ann.x = true; end Evaluation
    InitStates Ann.x = false; end InitStates
    Groups g = {Ann}; end Groups
    Formulae <g>F p; end Formulae"""
    model.write_text(text, encoding="utf-8")
    assert main(["check", str(model), "--strategy-memory", "2", "--strategies", "objective"]) in (2, 3)
    assert "E037" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["check", str(model), "--memory-states", "2"])
    assert "--strategy-memory" in capsys.readouterr().err


def test_memory_that_is_not_reset_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: the memory keeps its first value, whatever the strategy says."""
    monkeypatch.setattr(transform, "Assignment", lambda name, value: transform_kept(name, value))
    system = load(PRESSES).system
    assert system is not None
    formula = system.formulae[0]
    assert verdict("symbolic", system, formula, 2, Strategies.OBJECTIVE) is False
    assert Remembering(system, 2, False).holds(formula)


def transform_kept(name: str, _: object) -> object:
    """An assignment of 0."""
    from epistrat.model.agent import Assignment
    from epistrat.terms import Terms

    return Assignment(name, Terms().number(0))


@pytest.mark.parametrize("states", (1, 2))
def test_knowledge_does_not_come_from_the_memory_of_strategies(states: int) -> None:
    """A state of the start alone is considered possible with every memory."""
    (result,) = epistrat.load(PRESSES).check(
        "(EF K(Alice, Environment.at <> shut)) or <alice>X open", strategies="objective", strategy_memory=states
    )
    assert result.verdict is Verdict.FAILS


ONCE = """
Agent Environment
  Vars: at : {start, mid, good, bad}; end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution:
    at = mid if at = start;
    at = good if at = mid and Alice.Action = a;
    at = bad if at = mid and Alice.Action = b;
  end Evolution
end Agent
Agent Alice
  Vars: none : boolean; end Vars
  Actions = {a, b};
  Protocol: Other : {a, b}; end Protocol
  Evolution: end Evolution
end Agent
Evaluation good if Environment.at = good; end Evaluation
InitStates Environment.at = start and Alice.none = false; end InitStates
Groups alice = {Alice}; end Groups
Formulae EX <alice>X good; EX <alice>F good; end Formulae
"""


@pytest.mark.parametrize("states", [1, 2, 3])
def test_a_state_that_is_never_come_back_to_is_considered_possible_with_every_memory(states: int) -> None:
    """It looks like the next one, and nothing done in it leads to what is good at once."""
    results = epistrat.load(ONCE).check(strategies="subjective", strategy_memory=states)
    assert [one.verdict for one in results] == [Verdict.FAILS, Verdict.FAILS]
