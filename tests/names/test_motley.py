"""Names where agents differ in actions, protocols and views: all ways to answer beside the judge, and what they show re-checked."""

from __future__ import annotations

import random

import pytest
from tests.generators.arenas import random_goal
from tests.generators.motley import motley, motley_sentence, one_goal
from tests.names.comparing import answer, compare
from tests.names.test_by_proposals import expanded, guided

from epistrat.answers import Certificate
from epistrat.engines import registry
from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.engines.needs import refusal
from epistrat.engines.readings import named
from epistrat.evidence import Tree
from epistrat.evidence.entail import Entailment
from epistrat.evidence.findings import Findings
from epistrat.evidence.replay import replay
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.survey import Survey
from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Tag
from epistrat.logic.show import show
from epistrat.model.initial import initial_states
from epistrat.model.show import to_ispl
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.model.visited import Visited
from epistrat.records import replace

READINGS = (
    Options(),
    Options(Strategies.ANY, remembering=False, asked=Strategies.ANY),
    Options(Strategies.OBJECTIVE, asked=Strategies.OBJECTIVE),
    Options(Strategies.SUBJECTIVE, asked=Strategies.SUBJECTIVE),
)


def question(rng: random.Random, system: System) -> tuple[Formula, Options]:
    formula = motley_sentence(rng, system, rng.choice((1, 2))) if rng.random() < 0.6 else one_goal(rng, system, 0.7)
    tag = rng.choice((None, Tag.STATES, Tag.VIEWS))
    return (formula, rng.choice(READINGS)) if tag is None else (logic.Tagged(tag, formula), Options())


@pytest.mark.parametrize("seed", range(12))
def test_names_without_memory(seed: int) -> None:
    rng = random.Random(seed)
    decided = 0
    for _ in range(16):
        system = motley(rng, rng.choice((1, 2, 2)), rng.choice((0.0, 0.4)), rng.random() < 0.3)
        formula, options = question(rng, system)
        if refusal(registry.load("explicit"), system, formula, options) is not None:
            continue
        compare(system, formula, options, ("explicit",), seconds=1)
        judge = answer("reference", system, formula, options, 1)
        if judge.verdict is Verdict.UNKNOWN:
            continue
        decided += 1
        for way in (guided, expanded):
            found = way(system, formula, options)
            assert found in (None, judge.verdict is Verdict.HOLDS), (way, show(formula), options, to_ispl(system))
    assert decided > 4


@pytest.mark.parametrize("seed", range(6))
def test_names_that_remember(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        system = motley(rng, rng.choice((2, 3)), chance=rng.random() < 0.2)
        formula = logic.Tagged(Tag.PERFECT, one_goal(rng, system))
        compare(system, formula, Options(), ("symbolic",))
        shown = Options(evidence=True)
        outcome = answer("symbolic", system, formula, shown)
        if outcome.verdict is not Verdict.UNKNOWN:
            found = replay(
                system, Certificate(formula, outcome.verdict, trees=outcome.trees, named=named(formula, shown))
            )
            assert not found.problems, (found.problems, show(formula), to_ispl(system))


@pytest.mark.parametrize("seed", range(8))
def test_where_all_are_tried_the_judge_says_the_same(seed: int) -> None:
    """Names, equilibria and coalitions, with what is re-checked by trying all tables."""
    rng = random.Random(seed)
    tried = 0
    for number in range(16):
        system = motley(rng, rng.choice((1, 2)), chance=number % 4 == 0, one_start=True)
        formula: Formula
        if number % 4 == 1:
            goals = tuple((agent.name, random_goal(rng, system, 1)) for agent in system.agents if agent.actions)
            system = replace(system, goals=goals)
            formula = logic.Tagged(Tag.VIEWS, logic.SomeEquilibrium(random_goal(rng, system, 1)))
        elif number % 4 == 2:
            formula = logic.Tagged(Tag.VIEWS, logic.Coalition(Group(("Ann",)), random_goal(rng, system, 2)))
        else:
            formula = logic.Tagged(rng.choice((Tag.STATES, Tag.VIEWS)), motley_sentence(rng, system, 2))
        (start,) = initial_states(system, 10)
        judge = answer("reference", system, formula, Options(), 1).verdict
        if judge is not Verdict.UNKNOWN:
            found = all_tried(system, formula, start)
            tried += found is not None
            assert found in (None, judge is Verdict.HOLDS), (show(formula), to_ispl(system))
    assert tried > 8


def all_tried(system: System, formula: Formula, start: State) -> bool | None:
    """What re-checking finds by the definitions."""
    runs = RunChecker(system)
    assert isinstance(formula, logic.Tagged)
    reading = Strategies.OBJECTIVE if formula.tag is Tag.VIEWS else Strategies.ANY
    survey = Survey(runs, 300, reading, Visited(system))
    checker = Entailment(runs, survey, reading, 5_000, Findings(), named=named(formula, Options()))
    return checker.all_tried(Tree(start, formula, True))


# -- small models, each for one thing that may go wrong

AGENT = "Agent {} Lobsvars = {{{}}}; Vars: end Vars Actions = {{l, r}}; Protocol: {} end Protocol Evolution: end Evolution end Agent"


def game(lines: str, formula: str, *agents: str, more: str = "") -> tuple[System, Formula]:
    """The Environment has `at` and a bit `h` that it never shows by itself; p, q, s, t are at = 1, 2, 3, 4."""
    loaded = load(
        f"""
        Agent Environment Vars: at : 0..4; h : boolean; end Vars Actions = {{}}; Protocol: end Protocol
          Evolution: {lines} end Evolution end Agent
        {" ".join(agents)}
        Evaluation {" ".join(f"{name} if Environment.at = {at};" for at, name in enumerate("opqst"))} end Evaluation
        InitStates Environment.at = 0 and Environment.h = false; end InitStates
        {more} Formulae {formula}; end Formulae
        """
    )
    assert loaded.system is not None, [str(one) for one in loaded.diagnostics]
    return loaded.system, loaded.system.formulae[0]


def player(name: str, sees: str = "at, h", protocol: str = "Other : {l, r};") -> str:
    return AGENT.format(name, sees, protocol)


ROUND = "at = 1 if at = 0; at = 2 if at = 1; at = 1 if at = 2;"
TURNS = "at = 1 if at = 0 and Ann.Action = l; at = 2 if at = 0 and Ann.Action = r; at = 3 if at = 1 and Ann.Action = r;"
CASES = {
    # whoever confuses more stands second: the strategy is blind all the same
    "chains": game(TURNS, "#ir <<x>> (Ann, x) (Bob, x) F s", player("Ann", "at"), player("Bob", "h")),
    # what Bob may do depends on the bit, and Ann, who does the same, does not see it
    "offered": game(
        "h = true if h = false;",
        "#ir <<x>> (Ann, x) (Bob, x) X o",
        player("Ann", ""),
        player("Bob", "h", "Environment.h = true : {r}; Other : {l};"),
    ),
    # a coalition below names sees what its members see
    "inside": game(
        f"{TURNS} at = 4 if at = 1 and Ann.Action = l;",
        "#ir <<x>> (Ann, x) <Ann> F (s and (Ann, x) X (s or !s))",
        player("Ann", "h"),
    ),
    # two things again and again, never both at once
    "again": game(ROUND, "#Ir <<x>> (Ann, x) !((G F p) and (G F q))", player("Ann")),
    # an implication is denied by its left side, and the right one denied
    "implies": game(ROUND, "#Ir [[x]] ((Ann, x) F p -> (Ann, x) F s)", player("Ann")),
}


@pytest.mark.parametrize("case", CASES)
def test_what_fails_for_one_reason(case: str) -> None:
    system, formula = CASES[case]
    for engine in ("reference", "explicit"):
        assert answer(engine, system, formula, Options()).verdict is Verdict.FAILS, engine
    assert guided(system, formula) is not True
    assert expanded(system, formula) is not True


def test_two_fairness_constraints() -> None:
    """Only runs that come to both count: on them Bob does not stay."""
    system, formula = game(
        "at = 1 if at = 0; at = 2 if at = 1; at = 1 if at = 2 and Bob.Action = l;",
        "<Ann>((G F p) and (G F q) and F q)",
        player("Ann"),
        player("Bob"),
        more="Fairness q; p; end Fairness",
    )
    for options in (Options(), Options(remembering=False), Options(Strategies.OBJECTIVE)):
        for engine in ("reference", "explicit"):
            assert answer(engine, system, formula, options).verdict is Verdict.HOLDS, (engine, options)


def test_what_is_known_is_tried_where_it_looks_the_same() -> None:
    """Ann does not see that the bit is set, and then p does not come."""
    lines = "at = 1 if at = 0 and h = false and Ann.Action = l; h = true if h = false and Ann.Action = r;"
    system, formula = game(lines, "#Ir <<x>> K(Ann, (Ann, x) X p)", player("Ann", "at"))
    assert answer("reference", system, formula, Options()).verdict is Verdict.FAILS
    assert all_tried(system, formula, initial_states(system, 2)[0]) is False
