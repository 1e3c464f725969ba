"""Agents of many lines that compare with numbers, and conditions that list them: looked up, against the judge."""

from __future__ import annotations

import random

import pytest

from epistrat.engines import choose
from epistrat.engines.contract import Options
from epistrat.engines.explicit.tuning import ExplicitTuning
from epistrat.engines.registry import load as engine
from epistrat.lang import load
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

_LOW, _HIGH = -3, 4
_FORMULAE = (
    "AG EF one",
    "EF two",
    "AG(one -> K(Walker, one))",
    "<walker>F both",
    "<other>G !both",
    "EF K(Second, two)",
)


def _table(dice: random.Random, lines: int) -> System:
    """A walker whose lines test where it is, what the other does, and now and then where the other is; lists of places to speak of."""

    def inside() -> int:
        return dice.randint(_LOW, _HIGH)

    def guard() -> str:
        parts = [f"x = {inside()}", f"Second.Action = {dice.choice('bc')}", f"Action = {dice.choice('ad')}"]
        parts += [f"{inside()} = x"] * (dice.random() < 0.1) + [f"x < {inside()}"] * (dice.random() < 0.2)
        return " and ".join(dice.sample(parts, dice.randint(1, len(parts))))

    def listed(*names: str) -> str:
        return " or ".join(f"{dice.choice(names)} = {inside()}" for _ in range(9))

    moves = "\n".join(f"x = {inside()} if {guard()};" for _ in range(lines))
    text = f"""
    Semantics = {dice.choice(("SingleAssignment", "MultiAssignment"))};
    Agent Walker
      Vars: x: {_LOW}..{_HIGH}; end Vars
      Actions = {{a, d}};
      Protocol: {listed("x")}: {{a}}; Other: {{a, d}}; end Protocol
      Evolution: {moves} end Evolution
    end Agent
    Agent Second
      Vars: y: {_LOW}..{_HIGH}; end Vars
      Actions = {{b, c}};
      Protocol: Other: {{b, c}}; end Protocol
      Evolution: y = y + 1 if Action = b and y < {_HIGH}; y = {_LOW} if Action = c and Walker.Action = a; end Evolution
    end Agent
    Evaluation
      one if {listed("Walker.x")};
      two if {listed("Second.y")};
      both if {listed("Walker.x", "Second.y")};
    end Evaluation
    InitStates Walker.x = {inside()} and Second.y = {inside()}; end InitStates
    Groups walker = {{Walker}}; other = {{Second}}; end Groups
    Formulae {" ".join(f"{formula};" for formula in _FORMULAE)} end Formulae
    """
    system = load(text).system
    assert system is not None
    return system


@pytest.mark.parametrize("case", range(4))
def test_tables_are_read_as_the_judge_reads_them(case: int) -> None:
    for seed in range(25 * case, 25 * case + 25):
        system = _table(random.Random(seed), 40)
        judge = engine("reference").open(system, Options(), Budget())
        explicit = engine("explicit").open(system, Options(tuning=(ExplicitTuning("off"),)), Budget())
        assert explicit.facts().states == judge.facts().states, seed
        for formula in system.formulae:
            assert explicit.check(formula).verdict is judge.check(formula).verdict, (seed, str(formula))


@pytest.mark.parametrize(("lines", "first"), [(600, "explicit"), (400, "symbolic")])
def test_long_tables_over_few_values_are_gone_through_first(lines: int, first: str) -> None:
    system = _table(random.Random(0), lines)
    assert choose.choose(system, system.formulae[0], Options()).engine.name == first
