"""Laws of strategies with names and without that no other file has, on random games: each compares two questions to engines."""

from __future__ import annotations

import random

import pytest
from tests.generators.arenas import random_arena, random_goal, random_path
from tests.names.comparing import answer

from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Tag
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.model.system import System

WITHOUT_MEMORY = Options(Strategies.ANY, remembering=False, asked=Strategies.ANY)
OBJECTIVE = Options(Strategies.OBJECTIVE, asked=Strategies.OBJECTIVE)
SUBJECTIVE = Options(Strategies.SUBJECTIVE, asked=Strategies.SUBJECTIVE)


def said(system: System, formula: Formula, options: Options = Options()) -> bool:  # noqa: B008
    engine = (
        "explicit" if options.strategies is Strategies.ANY else "reference"
    )  # which reads one operator by views, too
    verdict = answer(engine, system, formula, options).verdict
    assert verdict is not Verdict.UNKNOWN, (show(formula), to_ispl(system))
    return verdict is Verdict.HOLDS


def acting(system: System) -> list[str]:
    return [agent.name for agent in system.agents if agent.actions]


def named(system: System, members: list[str], goal: Formula) -> Formula:
    """Some strategies of the members, whatever the strategies of all others."""
    found = goal
    for agent in acting(system):
        found = logic.Bound(agent, f"x {agent}", found)
    for agent in acting(system):
        if agent not in members:
            found = logic.EveryStrategy(f"x {agent}", found)
    for agent in members:
        found = logic.SomeStrategy(f"x {agent}", found)
    return found


def small(rng: random.Random) -> System:
    return random_arena(rng, 2, rng.choice((2, 3)), 0.0, own=rng.random() < 0.3)


@pytest.mark.parametrize("seed", range(5))
def test_memory_does_not_matter_for_one_operator(seed: int) -> None:
    """Law 3: for X, F, G and U over conditions coalitions are those of ATL, and names without memory that see the state."""
    rng = random.Random(seed)
    for _ in range(6):
        system = small(rng)
        p, q = (random_path(rng, system, 0) for _ in range(2))
        goal = rng.choice((logic.Next(p), logic.Finally(p), logic.Globally(p), logic.Until(p, q)))
        group = Group(("Ann",))
        found = {
            said(system, logic.Coalition(group, goal)),
            said(system, logic.Coalition(group, goal), WITHOUT_MEMORY),
            said(system, logic.Coalition(group, logic.And((goal, goal)))),
            said(system, logic.Tagged(Tag.STATES, named(system, ["Ann"], goal))),
        }
        assert len(found) == 1, (show(goal), to_ispl(system))


@pytest.mark.parametrize("seed", range(5))
def test_against_strategies_is_easier_than_against_runs(seed: int) -> None:
    """Law 4: what a coalition enforces without memory, names do; there opponents have no memory either, and may be blind."""
    rng = random.Random(seed)
    for _ in range(6):
        system, goal = small(rng), random_goal(rng, small(rng), 2)
        for options, tag in ((WITHOUT_MEMORY, Tag.STATES), (OBJECTIVE, Tag.VIEWS)):
            if said(system, logic.Coalition(Group(("Ann",)), goal), options):
                assert said(system, logic.Tagged(tag, named(system, ["Ann"], goal))), (show(goal), to_ispl(system))


@pytest.mark.parametrize("seed", range(5))
def test_memory_does_not_matter_for_one_condition_again_and_again(seed: int) -> None:
    """Law 7: ``G F p``, ``F G p``, and a pair of both, of which one has to be true."""
    rng = random.Random(seed)
    for _ in range(6):
        system = random_arena(rng, 2, rng.choice((2, 3)), rng.choice((0.0, 0.3)), own=rng.random() < 0.3)
        p, q = (random_path(rng, system, 0) for _ in range(2))
        often, ever = logic.Globally(logic.Finally(p)), logic.Finally(logic.Globally(q))
        for goal in (often, ever, logic.Or((often, ever))):
            aim = logic.Coalition(Group(("Ann",)), goal)
            assert said(system, aim) is said(system, aim, WITHOUT_MEMORY), (show(goal), to_ispl(system))


@pytest.mark.parametrize("seed", range(5))
def test_who_succeeds_from_all_states_that_look_the_same_knows_a_strategy(seed: int) -> None:
    """Law 8: subjective ability is a strategy of which it is known that it succeeds."""
    rng = random.Random(seed)
    for _ in range(6):
        system, goal = small(rng), random_goal(rng, small(rng), 2)
        aim = logic.Coalition(Group(("Ann",)), goal)
        if said(system, aim, SUBJECTIVE):
            body: Formula = goal
            for agent in acting(system):
                body = logic.Bound(agent, f"x {agent}", body)
            body = logic.Knows("Ann", body)
            for agent in acting(system):
                if agent != "Ann":
                    body = logic.EveryStrategy(f"x {agent}", body)
            known = logic.Tagged(Tag.VIEWS, logic.SomeStrategy("x Ann", body))
            assert said(system, known), (show(goal), to_ispl(system))


@pytest.mark.parametrize("seed", range(5))
def test_words_that_change_nothing(seed: int) -> None:
    """Law 12: other names, a binding written twice or at another place, a quantifier that nobody follows."""
    rng = random.Random(seed)
    for _ in range(5):
        system = small(rng)
        goal = random_goal(rng, system, 2)
        kinds = {agent: rng.choice((logic.SomeStrategy, logic.EveryStrategy)) for agent in acting(system)}

        def sentence(order: list[str], prefix: str, twice: bool, unused: bool) -> Formula:
            body: Formula = goal  # noqa: B023
            for agent in order:
                body = logic.Bound(agent, prefix + agent, body)
                body = logic.Bound(agent, prefix + agent, body) if twice else body
            if unused:
                body = logic.EveryStrategy("nobody", body)
            for agent in acting(system):  # noqa: B023
                body = kinds[agent](prefix + agent, body)  # noqa: B023
            return logic.Tagged(Tag.VIEWS, body)

        order = acting(system)
        plain = said(system, sentence(order, "x", False, False))
        for other in (
            sentence(order[::-1], "x", False, False),
            sentence(order, "y", True, False),
            sentence(order, "x", False, True),
        ):
            assert said(system, other) is plain, (show(other), to_ispl(system))


@pytest.mark.parametrize("seed", range(5))
def test_where_everything_is_seen_views_are_states(seed: int) -> None:
    """Law 12: with all variables in Obsvars, and none of agents, strategies that see what agents see are those that see the state."""
    rng = random.Random(seed)
    compared = 0
    for _ in range(10):
        system = random_arena(rng, 2, rng.choice((2, 3)), 0.0, own=False)
        if all(len(system.views[name]) == len(system.variables) for name in acting(system)):
            goal = random_goal(rng, system, 2)
            sentence = named(system, ["Ann"], goal)
            found = [said(system, logic.Tagged(tag, sentence)) for tag in (Tag.STATES, Tag.VIEWS)]
            assert found[0] is found[1], (show(goal), to_ispl(system))
            compared += 1
    assert compared
