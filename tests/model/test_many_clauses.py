"""Initial conditions of many disjunctions: they are solved without being gone through again and again."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from epistrat.lang import load
from epistrat.model.initial import each_initial_state
from epistrat.model.system import System
from epistrat.solvers.budget import Budget, OutOfBudget


def _system(bits: int, condition: str, numbers: int = 0) -> System:
    names = [f"b{i} : boolean;" for i in range(bits)] + [f"n{i} : 0..2;" for i in range(numbers)]
    text = (
        f"Agent Environment Vars: {' '.join(names)} end Vars Actions = {{go}}; Protocol: Other : {{go}}; end Protocol"
        f" Evolution: b0 = b0 if Action = go; end Evolution end Agent"
        f" Evaluation p if Environment.b0 = true; end Evaluation InitStates {condition}; end InitStates"
        " Formulae AG p; end Formulae"
    )
    system = load(text).system
    assert system is not None
    return system


@pytest.mark.parametrize("seed", range(60))
def test_random_clauses_have_exactly_their_solutions(seed: int) -> None:
    dice = random.Random(seed)
    bits, numbers = dice.randint(2, 5), dice.randint(0, 2)

    def literal() -> tuple[str, int, int | bool, bool]:
        if numbers and dice.random() < 0.4:
            return "n", dice.randrange(numbers), dice.randrange(3), dice.random() < 0.5
        return "b", dice.randrange(bits), dice.random() < 0.5, dice.random() < 0.5

    clauses = [[literal() for _ in range(dice.randint(1, 4))] for _ in range(dice.randint(1, 9))]

    def show(kind: str, place: int, value: int | bool, positive: bool) -> str:
        said = f"Environment.{kind}{place} = {str(value).lower()}"
        return said if positive else f"!({said})"

    condition = " and ".join("(" + " or ".join(show(*one) for one in clause) + ")" for clause in clauses)
    system = _system(bits, condition, numbers)
    place = {variable.name: number for number, variable in enumerate(system.variables)}

    def holds(state: tuple[int | bool, ...]) -> bool:
        return all(
            any((state[place[f"{kind}{at}"]] == value) == positive for kind, at, value, positive in clause)
            for clause in clauses
        )

    domains = [(False, True) if variable.name.startswith("b") else range(3) for variable in system.variables]
    wanted = {state for state in product(*domains) if holds(state)}
    found = list(each_initial_state(system))
    assert len(found) == len(set(found))
    assert set(found) == wanted


def test_no_four_of_twenty_are_listed_at_once() -> None:
    four = (" and ".join(f"Environment.b{i} = true" for i in some) for some in combinations(range(20), 4))
    system = _system(20, " and ".join(f"!({one})" for one in four))
    assert len(set(each_initial_state(system))) == 1 + 20 + 190 + 1140


def test_a_range_that_no_machine_can_list_is_no_crash() -> None:
    """Whoever asks for all initial states is told that they are too many to list."""
    text = (
        "Agent Environment Vars: x : integer; end Vars Actions = {go}; Protocol: Other : {go}; end Protocol"
        " Evolution: x = x if Action = go; end Evolution end Agent Evaluation p if Environment.x = 0; end Evaluation"
        " InitStates 0 <= Environment.x and Environment.x <= 1000000000000000000000000000000; end InitStates"
        " Formulae AG p; end Formulae"
    )
    system = load(text).system
    assert system is not None
    with pytest.raises(OutOfBudget, match="cannot be listed"):
        list(each_initial_state(system))


def test_testing_the_values_of_a_wide_range_counts_as_work() -> None:
    wide = (
        "Agent Environment Vars: x : 0..3000000; y : boolean; end Vars Actions = {go}; Protocol: Other : {go}; end Protocol"
        " Evolution: y = true if Action = go; end Evolution end Agent Evaluation p if Environment.y = true; end Evaluation"
        " InitStates !(Environment.x = 5); end InitStates Formulae AG p; end Formulae"
    )
    system = load(wide).system
    assert system is not None
    with pytest.raises(OutOfBudget):
        list(each_initial_state(system, Budget().worth(20_000)))
