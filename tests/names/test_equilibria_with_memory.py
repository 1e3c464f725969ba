"""Equilibria of strategies with memory on decision diagrams, compared with the judge on random games; and laws."""

from __future__ import annotations

import random

import pytest
from tests.generators.arenas import random_arena, random_goal, random_path, with_goals
from tests.names.comparing import answer, compare

from epistrat.engines.contract import Options, Verdict
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.model.system import System
from epistrat.records import replace


def arena(rng: random.Random, chance: float = 0.0) -> System:
    return random_arena(rng, rng.choice((1, 2, 2, 3)), rng.choice((2, 3, 4)), chance, own=rng.random() < 0.3)


def said(system: System, formula: Formula) -> Verdict:
    return answer("symbolic", system, formula, Options()).verdict


@pytest.mark.parametrize("seed", range(10))
def test_beside_the_judge(seed: int) -> None:
    rng = random.Random(seed)
    for number in range(12):
        system = with_goals(rng, arena(rng, 0.2 if number % 6 == 0 else 0.0), rng.choice((1, 2)))
        kind = rng.choice((logic.SomeEquilibrium, logic.EveryEquilibrium))
        formula: Formula = kind(random_path(rng, system, 2))
        formula = logic.Knows("Ann", formula) if number % 4 == 0 else formula
        compare(system, formula, Options(), ("symbolic",))


@pytest.mark.parametrize("seed", range(5))
def test_where_all_get_their_goals_nobody_leaves(seed: int) -> None:
    """Law 10: ENash of all goals is E of all goals."""
    rng = random.Random(seed)
    for _ in range(12):
        system = with_goals(rng, arena(rng), 1)
        goals = [goal for _, goal in system.goals]
        together = goals[0] if len(goals) == 1 else logic.And(tuple(goals))
        asked = logic.SomeEquilibrium(together), logic.Exists(together, star=True)
        assert said(system, asked[0]) is said(system, asked[1]), (show(together), to_ispl(system))


@pytest.mark.parametrize("seed", range(5))
def test_opposed_goals(seed: int) -> None:
    """Law 10: with opposed goals, and no choice for others, there is an equilibrium iff one of the two can enforce its goal."""
    rng = random.Random(seed)
    for _ in range(12):
        system = random_arena(rng, 2, rng.choice((2, 3, 4)))
        goal = random_goal(rng, system, 2)
        system = replace(system, goals=(("Ann", goal), ("Bob", logic.Not(goal))))
        alone = [logic.Coalition(Group((name,)), wanted) for name, wanted in system.goals]
        asked = logic.SomeEquilibrium(logic.Truth(True)), logic.Or(tuple(alone))
        assert said(system, asked[0]) is said(system, asked[1]), (show(goal), to_ispl(system))


@pytest.mark.parametrize("seed", range(5))
def test_one_who_chooses(seed: int) -> None:
    """Law 10: where one agent alone has choices its equilibria are its best runs."""
    rng = random.Random(seed)
    for _ in range(12):
        system = random_arena(rng, 1, rng.choice((2, 3, 4)))
        goal, fact = random_goal(rng, system, 2), random_goal(rng, system, 2)
        system = replace(system, goals=(("Ann", goal),))
        both = logic.Exists(logic.And((goal, fact)), star=True)
        never = logic.And((logic.ForAll(logic.Not(goal), star=True), logic.Exists(fact, star=True)))
        expected = logic.Or((both, never))
        assert said(system, logic.SomeEquilibrium(fact)) is said(system, expected), (show(goal), to_ispl(system))
