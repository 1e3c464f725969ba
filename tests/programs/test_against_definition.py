"""Programs beside their definition on written-out histories: the systems that implement them have the same histories, and the verdicts."""

from __future__ import annotations

import os
import random

import pytest
from tests.histories.models import random_formula
from tests.programs.definition import Written
from tests.programs.models import REST, one_by_one, random_program

from epistrat.engines import registry
from epistrat.engines.contract import Options, Verdict
from epistrat.lang import load
from epistrat.logic.formula import Reading, subformulae
from epistrat.logic.histories import read_as, unreadable
from epistrat.logic.nodes import PAST
from epistrat.logic.show import show
from epistrat.model.initial import initial_states
from epistrat.model.programs import Implementation, implement
from epistrat.model.show import to_ispl
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.solvers.budget import Budget, OutOfBudget

PROGRAMS = int(os.environ.get("EPISTRAT_PROGRAMS", "40"))
PART = 10
DEPTH = 4
READINGS = (Reading.CLOCK, Reading.RECALL)


def histories(system: System, program: System, last: int) -> list[set[tuple[State, ...]]]:
    """The histories of a system, as histories of the program that it implements."""
    stepper = Stepper(system)
    places = [system.position[variable.key] for variable in program.variables]

    def shown(history: tuple[State, ...]) -> tuple[State, ...]:
        return tuple(tuple(state[place] for place in places) for state in history)

    layers: list[list[tuple[State, ...]]] = [[(state,) for state in initial_states(system, 1000, Budget())]]
    while len(layers) <= last:
        grown = [(*one, end) for one in layers[-1] for end in {step.target for step in stepper.steps(one[-1])}]
        layers.append(list(dict.fromkeys(grown)))
    return [{shown(one) for one in layer} for layer in layers]


def implemented(system: System, reading: Reading) -> Implementation | None:
    """The implementation, if it is found within a few moments."""
    try:
        return implement(system, reading, Budget(seconds=60, states=2000))
    except OutOfBudget as limit:
        assert "begin to repeat" in str(limit) or "histories differ" in str(limit)
        return None


@pytest.mark.parametrize("resting", [True, False])
@pytest.mark.parametrize("seed", range(0, PROGRAMS, PART))
def test_implementations_have_the_histories_of_their_programs(seed: int, resting: bool) -> None:
    """A quarter of them with one assignment in each line."""
    found = 0
    for number in range(seed, seed + PART):
        rng = random.Random(number)
        system = random_program(rng, resting=resting, marked=number % 3 == 0)
        system = one_by_one(system) if number % 4 == 1 else system
        for reading in READINGS:
            implementation = implemented(system, reading)
            if implementation is None:
                continue
            found += 1
            try:
                written = Written(system, reading, DEPTH)
            except AssertionError:
                continue
            expected = [set(layer) for layer in written.histories]
            printed = load(to_ispl(implementation.printed)).system
            assert printed is not None
            for one in (implementation.system, printed):
                assert not one.is_program
                assert histories(one, system, DEPTH) == expected, (number, reading, to_ispl(system))
    assert found > PART


@pytest.mark.parametrize("engine", ["explicit", "symbolic"])
@pytest.mark.parametrize("seed", range(0, PROGRAMS // 2, PART // 2))
def test_verdicts_about_programs(seed: int, engine: str) -> None:
    compared = 0
    for number in range(seed, seed + PART // 2):
        rng = random.Random(1000 + number)
        system = random_program(rng, resting=True, marked=number % 3 == 0)
        reading = rng.choice(READINGS)
        implementation = implemented(system, reading)
        assert implementation is not None
        definitions: dict[int, Written] = {}
        session = registry.load(engine).open(implementation.system, Options(), Budget(seconds=60))
        for _ in range(6):
            formula = read_as(random_formula(rng, rng.choice((1, 2))), reading)
            if unreadable(formula) is not None:
                continue
            outcome = session.check(formula)
            if outcome.verdict is Verdict.UNKNOWN:
                continue
            deep = sum(isinstance(part, PAST) for part in subformulae(formula))
            if deep not in definitions:
                definitions[deep] = Written(system, reading, REST + 1 + deep)
            expected = definitions[deep].holds(formula)
            assert (outcome.verdict is Verdict.HOLDS) == expected, (number, show(formula), to_ispl(system))
            compared += 1
    assert compared > PART // 2


@pytest.mark.long
def test_thousands_of_verdicts() -> None:
    """The same, until so many verdicts were compared (EPISTRAT_VERDICTS)."""
    compared, number = 0, 100_000
    while compared < int(os.environ.get("EPISTRAT_VERDICTS", "4000")):
        number += 1
        rng = random.Random(number)
        system = random_program(rng, resting=True, marked=number % 3 == 0)
        reading = rng.choice(READINGS)
        implementation = implemented(system, reading)
        if implementation is None:
            continue
        try:
            written = Written(system, reading, REST + 2)
        except AssertionError:
            continue  # more histories than are written out
        assert histories(implementation.system, system, REST + 2) == [set(layer) for layer in written.histories]
        for engine in ("explicit", "symbolic"):
            session = registry.load(engine).open(implementation.system, Options(), Budget(seconds=60))
            for _ in range(8):
                formula = read_as(random_formula(rng, rng.choice((1, 2))), reading)
                if unreadable(formula) is not None or sum(isinstance(one, PAST) for one in subformulae(formula)) > 1:
                    continue
                outcome = session.check(formula)
                if outcome.verdict is not Verdict.UNKNOWN:
                    assert (outcome.verdict is Verdict.HOLDS) == written.holds(formula), (number, show(formula))
                    compared += 1
