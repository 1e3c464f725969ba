"""Strategies with memory by symbolic and explicit engines, compared with the judge on random games."""

from __future__ import annotations

import random

import pytest
from tests.generators.arenas import random_aim, random_arena, random_sentence
from tests.generators.systems import random_system
from tests.names.comparing import answer, compare

from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Tag
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.model.system import System


def arena(rng: random.Random, fair: bool = False) -> System:
    players, chance = rng.choice((1, 2, 2, 3)), rng.choice((0, 0, 0.3))
    return random_arena(rng, players, rng.choice((2, 3, 4)), chance, fair=fair)


@pytest.mark.parametrize("seed", range(10))
def test_coalitions_over_path_formulae(seed: int) -> None:
    rng = random.Random(seed)
    for number in range(15):
        system = arena(rng, fair=number % 5 == 0)
        compare(system, random_aim(rng, system), Options(), ("symbolic", "explicit"))


@pytest.mark.parametrize("seed", range(5))
def test_coalitions_in_systems_of_every_kind(seed: int) -> None:
    rng = random.Random(seed)
    options = Options(Strategies.ANY, asked=Strategies.ANY)
    decided = 0
    for _ in range(12):
        system = random_system(rng, agents=2)
        decided += compare(system, random_aim(rng, system), options, ("symbolic", "explicit"))
    assert decided > 2


@pytest.mark.parametrize("seed", range(10))
def test_names_with_one_goal(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        system = arena(rng)
        compare(system, random_sentence(rng, system, Tag.PERFECT), Options(), ("symbolic",))


@pytest.mark.parametrize("seed", range(4))
def test_a_coalition_is_a_prefix_of_names(seed: int) -> None:
    """Law 2: members quantified first by ``<<x>>``, all others by ``[[y]]``."""
    rng = random.Random(seed)
    for _ in range(10):
        system = arena(rng)
        aim = random_aim(rng, system)
        while not isinstance(aim, logic.Coalition):
            aim = random_aim(rng, system)
        members = [one for one in aim.group.members if system.agent[one].actions]
        others = [one.name for one in system.agents if one.actions and one.name not in members]
        named: Formula = aim.arg
        for agent in (*members, *others):
            named = logic.Bound(agent, f"x {agent}", named)
        for agent in others:
            named = logic.EveryStrategy(f"x {agent}", named)
        for agent in members:
            named = logic.SomeStrategy(f"x {agent}", named)
        if any(isinstance(part, logic.Coalition) for part in logic.subformulae(aim.arg)):
            continue
        verdicts = [
            answer("symbolic", system, one, Options()).verdict for one in (aim, logic.Tagged(Tag.PERFECT, named))
        ]
        assert verdicts[0] is verdicts[1], (show(aim), to_ispl(system))


@pytest.mark.parametrize("seed", range(4))
def test_where_nothing_is_left_to_chance_sentences_are_determined(seed: int) -> None:
    """Law 6: the sentence with all quantifiers exchanged and the goal denied is its opposite."""
    rng = random.Random(seed)
    for _ in range(15):
        system = random_arena(rng, rng.choice((1, 2)), 3)
        sentence = random_sentence(rng, system, Tag.PERFECT)
        assert isinstance(sentence, logic.Tagged)
        exchanged = logic.Tagged(Tag.PERFECT, opposite(sentence.arg))
        verdicts = [answer("symbolic", system, one, Options()) for one in (sentence, exchanged)]
        starts = verdicts[0].verdict, verdicts[1].verdict
        assert starts != (Verdict.HOLDS, Verdict.HOLDS), (show(sentence), to_ispl(system))


def opposite(formula: Formula) -> Formula:
    match formula:
        case logic.Not(arg):
            return arg
        case logic.SomeStrategy(variable, arg):
            return logic.EveryStrategy(variable, opposite(arg))
        case logic.EveryStrategy(variable, arg):
            return logic.SomeStrategy(variable, opposite(arg))
        case logic.Bound(agent, variable, arg):
            return logic.Bound(agent, variable, opposite(arg))
        case _:
            return logic.Not(formula)
