"""Equilibria of strategies with memory on decision diagrams, compared with the judge on random games; and laws."""

from __future__ import annotations

import random

import pytest
from tests.generators.arenas import random_arena, random_goal, random_path, with_goals
from tests.names.comparing import answer, compare

from epistrat.engines.contract import Options, Verdict
from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.model.system import System
from epistrat.records import replace

STATES_ONLY = Options(states_only=True)


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


@pytest.mark.parametrize("seed", range(8))
def test_strategies_that_see_states_only(seed: int) -> None:
    """The explicit engine beside the judge; law 11: such equilibria are some where actions are seen, too."""
    rng = random.Random(seed)
    for number in range(6):
        players, states = rng.choice(((1, 4), (2, 3), (2, 4), (3, 2)))
        chance = 0.3 if number == 0 else 0.0
        system = with_goals(rng, random_arena(rng, players, states, chance, own=rng.random() < 0.3), 1)
        fact = random_path(rng, system, 1)
        asked = rng.choice((logic.SomeEquilibrium, logic.EveryEquilibrium))(fact)
        compare(system, asked, STATES_ONLY, ("explicit",))
        some = logic.SomeEquilibrium(fact)
        if answer("explicit", system, some, STATES_ONLY).verdict is Verdict.HOLDS:
            assert said(system, some) is Verdict.HOLDS, (show(fact), to_ispl(system))


@pytest.mark.parametrize("seed", range(5))
def test_equilibria_do_not_change_under_bisimulation(seed: int) -> None:
    """Law 11: a coin of its own that decides nothing makes more states, and neither adds nor takes equilibria."""
    rng = random.Random(seed)
    for _ in range(5):
        text = to_ispl(random_arena(rng, 2, 3, own=False))
        coin = (
            "Agent Coin Vars: side : boolean; end Vars Actions = { none }; Protocol: Other : { none }; end Protocol "
            "Evolution: side = true if Ann.Action = l; side = false if Ann.Action = r; end Evolution end Agent "
        )
        longer = text.replace("Evaluation", f"{coin} Evaluation", 1)
        same, more = load(text).system, load(longer).system
        assert same is not None and more is not None, [str(one) for one in load(longer).diagnostics]
        wanting = with_goals(rng, same, 1).goals
        fact = random_path(rng, same, 1)
        verdicts = [said(replace(one, goals=wanting), logic.SomeEquilibrium(fact)) for one in (same, more)]
        assert verdicts[0] is verdicts[1], (show(fact), text)


@pytest.mark.parametrize("seed", range(5))
def test_two_who_show_a_coin(seed: int) -> None:
    """Law 10: ENash(f) is Nash with two more agents, who want f, or the same side, or the other one."""
    rng = random.Random(seed)
    for _ in range(5):
        text = to_ispl(random_arena(rng, rng.choice((1, 2)), rng.choice((2, 3)), own=False))
        coins = "".join(
            f"Agent {name} Vars: side : boolean; shown : boolean; end Vars Actions = {{ head, tail }}; "
            "Protocol: Other : { head, tail }; end Protocol Evolution: "
            "shown = true and side = true if shown = false and Action = head; "
            "shown = true and side = false if shown = false and Action = tail; end Evolution end Agent "
            for name in ("One", "Two")
        )
        start = "InitStates One.shown = false and Two.shown = false and One.side = false and Two.side = false and ("
        longer = text.replace("Evaluation", f"{coins} Evaluation same if One.side = Two.side;", 1)
        longer = longer.replace("InitStates", start, 1).replace(";\nend InitStates", ");\nend InitStates", 1)
        plain, more = load(text).system, load(longer).system
        assert plain is not None and more is not None, [str(one) for one in load(longer).diagnostics]
        plain = with_goals(rng, plain, 1)
        fact = random_path(rng, plain, 1)
        same = logic.Next(logic.Prop("same"))
        goals = (*plain.goals, ("One", logic.Or((fact, same))), ("Two", logic.Or((fact, logic.Not(same)))))
        verdicts = [
            said(plain, logic.SomeEquilibrium(fact)),
            said(replace(more, goals=goals), logic.SomeEquilibrium(logic.Truth(True))),
        ]
        assert verdicts[0] is verdicts[1], (show(fact), to_ispl(plain))


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


def repeating(rng: random.Random) -> Formula:
    """What holds now or again and again, and several things that come again and again together."""
    now, again, then = (logic.Prop(rng.choice("pqr")) for _ in range(3))
    inner: Formula = rng.choice((logic.And, logic.Or))((again, rng.choice((logic.Next, logic.Finally))(then)))
    often = logic.Globally(logic.Finally(inner if rng.random() < 0.5 else again))
    fact: Formula = logic.Or((now, often)) if rng.random() < 0.5 else often
    return logic.And((fact, logic.Finally(logic.Globally(then)))) if rng.random() < 0.5 else fact


@pytest.mark.parametrize("seed", range(4))
def test_what_comes_again_and_again(seed: int) -> None:
    """As facts, and as goals."""
    rng = random.Random(seed)
    for _ in range(12):
        system = random_arena(rng, 2, rng.choice((2, 3)), own=False)
        system = replace(system, goals=(("Ann", repeating(rng)), *with_goals(rng, system, 1).goals[1:]))
        compare(system, logic.SomeEquilibrium(repeating(rng)), Options(), ("symbolic",))


def test_what_is_true_now_need_not_be_again() -> None:
    """`q or G F p` beside `F G r`: q is true at the start and never again."""
    loaded = load(
        """
        Agent Environment Obsvars: at : 0..2; end Obsvars Actions = {}; Protocol: end Protocol
          Evolution: at = 1 if at = 0 and Ann.Action = go; at = 2 if at = 0 and Ann.Action = stay; end Evolution end Agent
        Agent Ann Vars: end Vars Actions = {go, stay}; Protocol: Other : {go, stay}; end Protocol Evolution: end Evolution end Agent
        Evaluation q if Environment.at = 0; p if Environment.at = 2; r if Environment.at = 1; end Evaluation
        InitStates Environment.at = 0; end InitStates
        Goals Ann : F r; end Goals
        Formulae ENash((q or G F p) and F G r); ENash((r or G F p) and F G r); ENash(G F (r and X r)); end Formulae
        """
    )
    assert loaded.system is not None
    verdicts = [said(loaded.system, one) for one in loaded.system.formulae]
    assert verdicts == [Verdict.HOLDS, Verdict.FAILS, Verdict.HOLDS]
