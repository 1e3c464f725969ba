"""Strategies without memory by tables as variables of diagrams, compared with the judge, who tries one after the other."""

from __future__ import annotations

import random

import pytest
from tests.generators.arenas import random_aim, random_arena, random_goal, random_names, random_path, with_goals
from tests.generators.systems import random_system
from tests.names.comparing import answer, compare
from tests.names.fuzzing import KINDS, fuzz

from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Tag
from epistrat.logic.show import show
from epistrat.model.forced import is_forced
from epistrat.model.show import to_ispl
from epistrat.model.system import Composition, System
from epistrat.records import replace

READ = (Tag.STATES, Tag.VIEWS)


def arena(rng: random.Random, chance: bool = True, fair: bool = False) -> System:
    often = 0.3 if chance and rng.random() < 0.25 else 0.0
    players, states, narrow = rng.choice((1, 2, 2)), rng.choice((2, 3)), rng.choice((0.3, 0.7))
    return random_arena(rng, players, states, often, narrow, fair, rng.random() < 0.4)


@pytest.mark.parametrize("seed", range(12))
def test_names(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        system = arena(rng)
        formula = random_names(rng, system)
        tag = rng.choice((None, *READ))
        asked = formula if tag is None else logic.Tagged(tag, formula)
        compare(system, asked, Options(), ("explicit",), all_of_it=False)


@pytest.mark.parametrize("seed", range(4))
def test_names_where_nobody_has_a_choice(seed: int) -> None:
    """Diagrams answer these: strategies are what protocols say, goals are about all runs."""
    rng = random.Random(seed)
    forced = 0
    for _ in range(20):
        system = random_arena(rng, 2, rng.choice((2, 3, 4)), rng.choice((0.0, 0.5)), 1.0)
        compare(system, random_names(rng, system), Options(), ("symbolic", "explicit"), all_of_it=False)
        forced += is_forced(system)
    assert 4 < forced < 20


def test_strategies_that_leave_nothing_make_an_interleaved_state_repeat_itself() -> None:
    """All plays of the system come to `on`; with Ann's choice of what Bob never allows nothing happens."""
    system = load(
        """
        Composition = Interleaved;
        Agent Ann Vars: on : boolean; end Vars Actions = {press, call};
          Protocol: Other : {press, call}; end Protocol Evolution: on = true if Action = press; end Evolution end Agent
        Agent Bob Vars: end Vars Actions = {call}; Protocol: end Protocol Evolution: end Evolution end Agent
        Evaluation on if Ann.on = true; end Evaluation
        InitStates Ann.on = false; end InitStates
        Formulae
          AF on;
          [[x]] [[y]] (Ann, x) (Bob, y) F on;
          <<x>> [[y]] (Ann, x) (Bob, y) F on;
        end Formulae
        """
    ).system
    assert system is not None
    for formula, wanted in zip(system.formulae, (Verdict.HOLDS, Verdict.FAILS, Verdict.HOLDS), strict=True):
        for engine in ("reference", "explicit"):
            assert answer(engine, system, formula, Options()).verdict is wanted, (engine, show(formula))


def test_who_cannot_act_somewhere_has_no_strategy() -> None:
    system = load(
        """
        Agent Environment Obsvars: lit : boolean; end Obsvars Actions = {none}; Protocol: Other : {none}; end Protocol
          Evolution: lit = true if Ann.Action = go; end Evolution end Agent
        Agent Ann Vars: end Vars Actions = {go}; Protocol: Environment.lit = false : {go}; end Protocol
          Evolution: end Evolution end Agent
        InitStates Environment.lit = false; end InitStates
        Formulae <<x>> <<e>> (Environment, e) (Ann, x) X Environment.lit; end Formulae
        """
    ).system
    assert system is not None and not is_forced(system)
    assert answer("reference", system, system.formulae[0], Options()).verdict is Verdict.FAILS
    compare(system, system.formulae[0], Options(), ("symbolic", "explicit"), all_of_it=False)


@pytest.mark.parametrize("seed", range(4))
def test_names_in_interleaved_systems(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(10):
        system = random_system(rng, agents=2, fairness=False, composition=Composition.INTERLEAVED)
        compare(system, random_names(rng, system), Options(), ("explicit",), all_of_it=False)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    "options",
    [
        Options(Strategies.ANY, remembering=False, asked=Strategies.ANY),
        Options(Strategies.OBJECTIVE, asked=Strategies.OBJECTIVE),
        Options(Strategies.SUBJECTIVE, asked=Strategies.SUBJECTIVE),
    ],
    ids=["any", "objective", "subjective"],
)
def test_coalitions(seed: int, options: Options) -> None:
    rng = random.Random(seed)
    for number in range(8):
        system = arena(rng, fair=number % 5 == 0)
        compare(system, random_aim(rng, system), options, ("explicit",), all_of_it=False)


@pytest.mark.parametrize("seed", range(8))
def test_equilibria(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(5):
        system = with_goals(rng, arena(rng, chance=False), 1)
        kind = rng.choice((logic.SomeEquilibrium, logic.EveryEquilibrium))
        compare(system, logic.Tagged(rng.choice(READ), kind(random_path(rng, system, 1))), Options(), ("explicit",))


@pytest.mark.parametrize("seed", range(6))
def test_an_equilibrium_is_a_formula_with_names(seed: int) -> None:
    """Law 9, for two players and the Environment, which has no goal."""
    rng = random.Random(seed)
    for _ in range(5):
        system = random_arena(rng, 2, rng.choice((2, 3)), 0.0, own=rng.random() < 0.3)
        first, second, fact = (random_goal(rng, system, 1) for _ in range(3))
        system = replace(system, goals=(("Ann", first), ("Bob", second)))
        for tag in READ:
            asked = logic.SomeEquilibrium(fact), _by_names(first, second, fact)
            found = [answer("explicit", system, logic.Tagged(tag, one), Options()).verdict for one in asked]
            assert found[0] is found[1] is not Verdict.UNKNOWN, (show(asked[1]), to_ispl(system))


def _by_names(first: Formula, second: Formula, fact: Formula) -> Formula:
    def bound(ann: str, bob: str, goal: Formula) -> Formula:
        return logic.Bound("Ann", ann, logic.Bound("Bob", bob, goal))

    body: Formula = logic.And(
        (
            logic.Implies(logic.SomeStrategy("z", bound("z", "y", first)), bound("x", "y", first)),
            logic.Implies(logic.SomeStrategy("z", bound("x", "z", second)), bound("x", "y", second)),
            bound("x", "y", fact),
        )
    )
    body = logic.Bound("Environment", "e", body)
    for name in ("y", "x", "e"):
        body = logic.SomeStrategy(name, body)
    return body


@pytest.mark.parametrize("seed", range(5))
def test_laws_of_quantifiers(seed: int) -> None:
    """Law 5: neighbours of one kind may be swapped, and who chooses first has it harder.  Law 12: what is unused."""
    rng = random.Random(seed)
    for _ in range(8):
        system = random_arena(rng, 2, rng.choice((2, 3)), 0.0)
        goal = random_goal(rng, system, 2)
        bound = logic.Bound("Ann", "x", logic.Bound("Bob", "y", logic.Bound("Environment", "e", goal)))
        some, every = logic.SomeStrategy, logic.EveryStrategy

        def said(*order: tuple[type[logic.SomeStrategy | logic.EveryStrategy], str], body: Formula = bound) -> Verdict:
            for kind, name in reversed(order):
                body = kind(name, body)
            return answer("explicit", system, body, Options()).verdict  # noqa: B023

        assert said((some, "e"), (some, "x"), (every, "y")) is said((some, "x"), (some, "e"), (every, "y"))
        assert said((some, "e"), (some, "x"), (every, "u"), (every, "y")) is said(
            (some, "e"), (some, "x"), (every, "y")
        )
        if said((some, "e"), (some, "x"), (every, "y")) is Verdict.HOLDS:
            assert said((some, "e"), (every, "y"), (some, "x")) is Verdict.HOLDS
        denied = logic.Not(some("x", logic.Not(bound)))
        assert said((some, "e"), (every, "y"), (every, "x")) is said((some, "e"), (every, "y"), body=denied)


@pytest.mark.parametrize("seed", range(6))
def test_readings_from_weak_to_strong(seed: int) -> None:
    """Law 1: subjective, objective, by states, with memory."""
    rng = random.Random(seed)
    readings = [
        Options(Strategies.SUBJECTIVE, asked=Strategies.SUBJECTIVE),
        Options(Strategies.OBJECTIVE, asked=Strategies.OBJECTIVE),
        Options(Strategies.ANY, remembering=False, asked=Strategies.ANY),
        Options(),
    ]
    for _ in range(8):
        system = arena(rng)
        aim = logic.Coalition(
            system.group("two"), logic.And((random_goal(rng, system, 1), random_goal(rng, system, 2)))
        )
        verdicts = [answer("explicit", system, aim, options).verdict is Verdict.HOLDS for options in readings]
        assert verdicts == sorted(verdicts), (verdicts, show(aim), to_ispl(system))


def test_questions_of_every_kind() -> None:
    """A short run of the program that compares many; what that found is tested where it belongs."""
    counts = fuzz(150, 3, 60)
    assert all(counts[name] for name in KINDS if name not in ("past_is_refused", "equilibria_watching_states"))
