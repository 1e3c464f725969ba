"""What is true and known along one run after announcements: worlds written out, the engines, and the definition agree."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from tests.histories.models import AGENTS, PROPOSITIONS, random_resting

from epistrat.evidence.trace import Path
from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading
from epistrat.logic.histories import read_as
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.records import replace
from epistrat.service.levels import Levels
from epistrat.service.models import read_formula
from epistrat.service.simulation import Simulation

COIN = """
Agent Environment
    Vars: coin : boolean; shown : 0..2; end Vars
    Actions = {show, hide};
    Protocol: Other : {show, hide}; end Protocol
    Evolution:
        shown = 1 if shown = 0 and Action = show and coin = false;
        shown = 2 if shown = 0 and Action = show and coin = true;
        shown = 0 if shown > 0;
    end Evolution
end Agent
Agent Ann
    Lobsvars = {shown};
    Vars: n : 0..1; end Vars
    Actions = {wait};
    Protocol: Other : {wait}; end Protocol
    Evolution: n = 0 if n = 1; end Evolution
end Agent
Agent Bob
    Vars: m : 0..1; end Vars
    Actions = {wait};
    Protocol: Other : {wait}; end Protocol
    Evolution: m = 0 if m = 1; end Evolution
end Agent
Evaluation coin if Environment.coin = true; end Evaluation
InitStates Environment.shown = 0 and Ann.n = 0 and Bob.m = 0; end InitStates
Groups both = {Ann, Bob}; end Groups
Formulae AG !K(Bob, coin); end Formulae
"""


def on_a_run(reading: str, *actions: str) -> Simulation:
    """The coin lies with its head up, and is shown or hidden, step by step."""
    loaded = load(f"Knowledge = {reading};{COIN}")
    assert loaded.system is not None
    simulation = Simulation(loaded.system)
    simulation.start(1 + [state[0] for state in simulation.initial_states].index(True))
    for action in actions:
        simulation.take(next(step for step in simulation.steps() if action in step.joint))
    return simulation


def said(simulation: Simulation, text: str) -> bool | None:
    return simulation.holds(read_formula(text, simulation.system))


@pytest.mark.parametrize("reading", ["Recall", "Changes", "Clock", "Observation"])
def test_what_is_remembered_is_read_along_the_run(reading: str) -> None:
    """Another run ends in the same state, on which nothing was shown: that one does not count."""
    simulation = on_a_run(reading, "show", "hide")
    knows = reading in ("Recall", "Changes")
    assert said(simulation, "K(Ann, coin)") is knows
    assert said(simulation, "!K(Ann, coin)") is not knows
    assert said(simulation, "K[recall](Ann, coin)") is True
    assert said(simulation, "!K[recall](Ann, coin)") is False
    assert said(simulation, "K[clock](Ann, coin)") is False
    known = simulation.knowledge("Ann")
    assert ("coin" in known.knows_true) is knows
    assert known.reading.value == reading.lower()
    blind = on_a_run(reading, "hide", "hide")
    assert blind.state == simulation.state
    assert said(blind, "K(Ann, coin)") is False
    assert blind.knowledge("Ann").unsure == ("coin",)


@pytest.mark.parametrize("text", ["K[recall](Ann, coin)", "[! coin] K(Ann, coin)"])
def test_films_of_what_depends_on_the_past(text: str) -> None:
    simulation = on_a_run("Observation", "show", "hide", "hide")
    cells = simulation.film(read_formula(text, simulation.system))
    assert cells == ([False, True, True, True] if "recall" in text else [True] * 4)
    with pytest.raises(LookupError, match="depends on the past"):
        simulation.seek(read_formula(text, simulation.system))


def test_announcements_are_remembered() -> None:
    simulation = on_a_run("Recall", "hide")
    assert said(simulation, "K(Bob, coin)") is False
    simulation.say(read_formula("!K(Bob, coin) and coin", simulation.system))
    assert said(simulation, "K(Bob, coin)") is True
    assert simulation.knowledge("Bob").knows_true == ("coin",)
    simulation.walk(2)
    assert said(simulation, "GCK(both, coin)") is True
    assert simulation.film(read_formula("K(Bob, coin)", simulation.system)) == [False, True, True, True]
    assert simulation.film(read_formula("Y K(Bob, coin)", simulation.system)) == [False, False, True, True]
    with pytest.raises(LookupError, match="only what is true is announced"):
        simulation.say(read_formula("!coin", simulation.system))
    simulation.back(1)
    assert len(simulation.said) == 1
    simulation.back(0)
    assert len(simulation.said) == 0
    assert said(simulation, "K(Bob, coin)") is False


def test_worlds_are_crossed_out() -> None:
    simulation = on_a_run("Recall", "hide")
    assert [len(one.states) for one in simulation.worlds()] == [2, 4]
    simulation.say(read_formula("coin", simulation.system))
    first, now = simulation.worlds()
    assert not any(first.out)
    assert [state[0] for state, out in zip(now.states, now.out, strict=True) if not out] == [True, True]
    simulation.walk(1)
    assert all(state[0] for state in simulation.worlds()[2].states)


def test_who_compares_what_is_seen_now_cannot_tell_how_long_ago_it_was_said() -> None:
    simulation = on_a_run("Observation")
    simulation.say(read_formula("coin", simulation.system))
    assert [sum(one.out) for one in simulation.worlds()] == [2]
    simulation.walk(1)
    asked: list[Callable[[], object]] = [
        simulation.worlds,
        lambda: simulation.knowledge("Ann"),
        lambda: said(simulation, "K(Ann, coin)"),
    ]
    for ask in asked:
        with pytest.raises(LookupError, match="a step"):
            ask()


def test_worlds_of_a_run_without_beginning() -> None:
    simulation = on_a_run("Recall", "show", "hide")
    run = simulation.run
    simulation.follow(Path(run.states[1:], run.actions[1:]))
    with pytest.raises(LookupError, match="initial state"):
        simulation.worlds()


def _fact(rng: random.Random, depth: int) -> Formula:
    kind = rng.choice("pp!&>KKKGDC") if depth else "p"
    if kind == "p":
        return logic.Prop(rng.choice(PROPOSITIONS))
    if kind in "&>":
        left, right = _fact(rng, depth - 1), _fact(rng, depth - 1)
        return logic.And((left, right)) if kind == "&" else logic.Implies(left, right)
    arg, both = _fact(rng, depth - 1), Group(AGENTS, "both")
    if kind == "!":
        return logic.Not(arg)
    if kind == "K":
        return logic.Knows(rng.choice(AGENTS), arg)
    if kind == "G":
        return logic.Everybody(both, arg)
    return logic.Distributed(both, arg) if kind == "D" else logic.Common(both, arg)


def _run(rng: random.Random, seed: int) -> Simulation:
    system = replace(random_resting(rng), knowledge=rng.choice(list(Reading)))
    simulation = Simulation(system, seed)
    simulation.random_start()
    for _ in range(rng.randint(1, 4)):
        if rng.random() < 0.5:
            simulation.walk(1)
        elif (fact := _fact(rng, 2)) and _true(simulation, fact):
            simulation.say(fact)
    return simulation


def _true(simulation: Simulation, formula: Formula) -> bool | None:
    try:
        return simulation.holds(formula)
    except LookupError:
        return None


@pytest.mark.parametrize("seed", range(40))
def test_worlds_and_engines_agree(seed: int) -> None:
    rng = random.Random(seed)
    simulation = _run(rng, seed)
    system, states = simulation.system, simulation.run.states
    formulae = [_fact(rng, 2) for _ in range(4)]
    knowing = [logic.Knows(agent, logic.Prop(name)) for agent in AGENTS for name in PROPOSITIONS]
    levels = Levels(system, lambda: _all(simulation))
    with suppress(LookupError):  # agents who remember changes, or a step after something was said
        *_, (_, level) = levels.along(states, simulation.said)
        for formula in formulae:
            assert levels.truths(level, read_as(formula, system.knowledge))[0] is _true(simulation, formula), formula
    for agent in AGENTS:
        try:
            known = simulation.knowledge(agent).knows_true
        except LookupError:
            continue
        told = [one.arg.name for one in knowing if one.agent == agent and _true(simulation, one)]  # type: ignore[union-attr]
        assert list(known) == told


def _all(simulation: Simulation) -> list[State]:
    """The initial states; read by observation all reachable ones."""
    if simulation.system.knowledge is not Reading.OBSERVATION:
        return list(simulation.initial_states)
    stepper = Stepper(simulation.system)
    found = dict.fromkeys(simulation.initial_states)
    pending = list(found)
    for state in pending:
        for step in stepper.steps(state):
            if step.target not in found:
                found[step.target] = None
                pending.append(step.target)
    return pending
