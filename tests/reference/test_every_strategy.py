"""The reference engine against every strategy, one by one: dense little games, with and without fairness, in every reading."""

from __future__ import annotations

import random

import pytest
from tests.reference.every_strategy import EveryStrategy, Operands

from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.engines.reference.judge import Judge
from epistrat.lang import load
from epistrat.logic.formula import (
    Coalition,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Next,
    Prop,
    Release,
    Until,
    WeakUntil,
)
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

P, Q = Prop("p"), Prop("q")
SEEDS = 40
SHAPES: tuple[Formula, ...] = (Next(P), Finally(P), Globally(P), Until(P, Q), WeakUntil(P, Q), Release(P, Q))


def system_of(text: str) -> System:
    loaded = load(text)
    assert loaded.system is not None, [str(diagnostic) for diagnostic in loaded.report.diagnostics]
    return loaded.system


def dense_game(rng: random.Random, fair: bool) -> str:
    """A place that nobody sees, a lamp that A and B see, random moves: some to two places, some nowhere, some out of range."""
    places = rng.randint(3, 4)
    lines = []
    for place in range(places):
        for one in "ab":
            for other in "ab":
                here = f"x = {place} and A.Action = {one} and B.Action = {other}"
                for _ in range(rng.choice((0, 1, 1, 1, 1, 1, 1, 2))):
                    target = rng.randrange(places) if rng.random() < 0.95 else f"x + {places}"
                    lines.append(f"x = {target} and z = {rng.choice(('true', 'false'))} if {here};")

    def some(most: int = places - 1) -> str:
        picked = rng.sample(range(places), rng.randint(1, most))
        return " or ".join(f"Environment.x = {place}" for place in picked)

    stuck = f"z = false : {{n}}; x <> {rng.randrange(places)} : {{n}};" if rng.random() < 0.2 else "Other : {n};"
    fairness = f"Fairness {' '.join(f'f{k};' for k in range(rng.randint(1, 2)))} end Fairness" if fair else ""
    initial = rng.choice(("Environment.x = 0", "Environment.z = true", "Environment.x < 2 and Environment.z = false"))
    return f"""
    Agent Environment
      Obsvars: z : boolean; end Obsvars
      Vars: x : 0..{places - 1}; end Vars
      Actions = {{n}};
      Protocol: {stuck} end Protocol
      Evolution: {" ".join(lines)} end Evolution
    end Agent
    Agent A Actions = {{a, b}}; Protocol: Other : {{a, b}}; end Protocol end Agent
    Agent B Actions = {{a, b}}; Protocol: Environment.z = true : {{a, b}}; Other : {{{rng.choice("ab")}}}; end Protocol end Agent
    Evaluation p if {some(2)}; q if {some()}; f0 if {some(2)}; f1 if {some()}; end Evaluation
    InitStates {initial}; end InitStates
    Groups a = {{A}}; ab = {{A, B}}; nobody = {{}}; end Groups
    {fairness}
    """


@pytest.mark.parametrize("fair", [False, True], ids=["unfair", "fair"])
@pytest.mark.parametrize(
    "reading", [Strategies.ANY, Strategies.OBJECTIVE, Strategies.SUBJECTIVE], ids=lambda r: r.value
)
def test_coalitions_as_by_every_strategy(reading: Strategies, fair: bool) -> None:
    for seed in range(SEEDS if reading is not Strategies.ANY else SEEDS // 4):
        system = system_of(dense_game(random.Random(seed), fair))
        stepper = Stepper(system)
        reached = explore(stepper, initial_states(system))
        labels = Judge(stepper, reached, reading, Budget()).labels()
        everything = EveryStrategy(stepper, reached, labels.world.fair)
        left, right = labels.of(P), labels.of(Q)
        names = ("a", "nobody") if reading is Strategies.ANY else ("a", "ab", "nobody")
        for name in names:
            group = system.group(name)
            for shape in SHAPES:
                args = Operands(left, right)
                expected = everything.enforceable(group, shape, args, reading, labels.world.nodes)
                assert labels.of(Coalition(group, shape)) == expected, (seed, name, shape)


# A sees whether the place is 0, and nothing else.  From place 0 play comes to place 1 at once, without having met `none`: lost, unless no
# path from there is fair.  There a leads to 2 and b back to 0; in 2, a leads back to 0, and b stays in 2 for ever, which is not fair.
# A cannot tell 1 from 2, so it does the same in both, and either way a fair path goes round.
FAIR_UNTIL = """
Agent Environment
  Obsvars: start : boolean; end Obsvars
  Vars: x : 0..2; end Vars
  Actions = {n};
  Protocol: Other : {n}; end Protocol
  Evolution:
    x = 1 and start = false if x = 0;
    x = 2 if x = 1 and A.Action = a;
    x = 0 and start = true if x = 1 and A.Action = b;
    x = 0 and start = true if x = 2 and A.Action = a;
  end Evolution
end Agent
Agent A Actions = {a, b}; Protocol: Other : {a, b}; end Protocol end Agent
Evaluation none if false; one if Environment.x = 1; low if Environment.x < 2; end Evaluation
InitStates Environment.x = 0 and Environment.start = true; end InitStates
Groups g = {A}; end Groups
Fairness low; end Fairness
"""


@pytest.mark.parametrize("reading", [Strategies.OBJECTIVE, Strategies.SUBJECTIVE], ids=lambda reading: reading.value)
def test_a_play_that_is_lost_must_avoid_fair_paths_beyond_the_goal_too(reading: Strategies) -> None:
    system = system_of(FAIR_UNTIL)
    session = ReferenceEngine().open(system, Options(reading), Budget())
    lost = Coalition(system.group("g"), Until(Prop("none"), Prop("one")))
    assert session.check(lost).verdict is Verdict.FAILS
    assert session.check(Coalition(system.group("g"), Finally(Prop("one")))).verdict is Verdict.HOLDS


# A has to do a in place 0 and b in place 1, and cannot tell them apart; B is of no help.
ALTERNATING = """
Agent Environment
  Vars: x : 0..1; bad : boolean; end Vars
  Actions = {n};
  Protocol: Other : {n}; end Protocol
  Evolution:
    x = 1 - x if x = 0 and A.Action = a or x = 1 and A.Action = b;
    bad = true if x = 0 and A.Action = b or x = 1 and A.Action = a;
  end Evolution
end Agent
Agent A Actions = {a, b}; Protocol: Other : {a, b}; end Protocol end Agent
Agent B Actions = {a, b}; Protocol: Other : {a, b}; end Protocol end Agent
Evaluation good if Environment.bad = false; end Evaluation
InitStates Environment.x = 0 and Environment.bad = false; end InitStates
Groups g = {A, B}; end Groups
"""


@pytest.mark.parametrize("reading", [Strategies.OBJECTIVE, Strategies.SUBJECTIVE], ids=lambda reading: reading.value)
def test_members_of_a_group_act_alike_in_look_alikes(reading: Strategies) -> None:
    system = system_of(ALTERNATING)
    claim = Coalition(system.group("g"), Globally(Prop("good")))
    assert ReferenceEngine().open(system, Options(reading), Budget()).check(claim).verdict is Verdict.FAILS
    assert ReferenceEngine().open(system, Options(), Budget()).check(claim).verdict is Verdict.HOLDS


def test_the_uniform_reading_as_by_every_strategy_of_the_group() -> None:
    for seed in range(SEEDS // 2):
        system = system_of(dense_game(random.Random(seed), fair=True))
        stepper = Stepper(system)
        reached = explore(stepper, initial_states(system))
        evaluate = stepper.evaluator.holds

        def where(name: str) -> frozenset[int]:
            condition = system.propositions[name]  # noqa: B023 - called before the next system is drawn
            return frozenset(n for n, state in enumerate(reached.states) if evaluate(condition, state))  # noqa: B023

        fair = tuple(where(constraint.name) for constraint in system.fairness if isinstance(constraint, Prop))
        everything = EveryStrategy(stepper, reached, fair)
        nowhere = Operands(frozenset(), frozenset())
        graphs = {name: list(everything.left_over(system.group(name), uniform=True)) for name in ("a", "ab")}
        for name, left in graphs.items():
            options = Options(Strategies.UNIFORM, system.group(name).members)
            session = ReferenceEngine().open(system, options, Budget())
            for shape in SHAPES:
                args = Operands(where("p"), where("q"))
                expected = any(
                    all(
                        everything.succeeds(graph, shape, args, start)
                        for start in reached.initial
                        if not everything.succeeds(graph, Globally(P), nowhere, start)  # a fair run starts here
                    )
                    for graph in left
                )
                assert (session.check(ForAll(shape)).verdict is Verdict.HOLDS) == expected, (seed, name, shape)


def test_a_goal_reached_from_one_of_several_initial_states_decides_nothing() -> None:
    """From n = 9 no state with n = 0 is reached; the search is cut short after it has seen such a state."""
    system = system_of("""
    Agent A
      Vars: n : 0..99; end Vars
      Actions = {up};
      Protocol: Other : {up}; end Protocol
      Evolution: n = n + 1 if Action = up and n < 99; end Evolution
    end Agent
    Evaluation p if A.n = 0; end Evaluation
    InitStates A.n = 0 or A.n = 9; end InitStates
    """)
    cut_short = ReferenceEngine().open(system, Options(), Budget(states=20))
    assert cut_short.check(Exists(Finally(P))).verdict is Verdict.UNKNOWN
    assert cut_short.check(ForAll(Globally(P))).verdict is Verdict.FAILS
    assert ReferenceEngine().open(system, Options(), Budget()).check(Exists(Finally(P))).verdict is Verdict.FAILS


def test_a_state_on_no_fair_path_refutes_nothing() -> None:
    """Whoever counts beyond 0 never comes back, and only 0 is fair; the search is cut short after it has seen such states."""
    system = system_of("""
    Agent A
      Vars: n : 0..99; end Vars
      Actions = {up, stay};
      Protocol: n = 0 : {up, stay}; Other : {up}; end Protocol
      Evolution: n = n + 1 if Action = up and n < 99; end Evolution
    end Agent
    Evaluation p if A.n = 0; end Evaluation
    InitStates A.n = 0; end InitStates
    Fairness p; end Fairness
    """)
    cut_short = ReferenceEngine().open(system, Options(), Budget(states=20))
    assert cut_short.check(ForAll(Globally(P))).verdict is Verdict.UNKNOWN
    assert ReferenceEngine().open(system, Options(), Budget()).check(ForAll(Globally(P))).verdict is Verdict.HOLDS
