"""An AG inside an AG, and EF of a condition, by proof search: against the reference engine, with evidence that replays."""

from __future__ import annotations

import random

import pytest
from tests.generators.certificates import certified
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

import epistrat
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load
from epistrat.evidence.replay import replay
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.logic.nested import looking_back
from epistrat.model.system import System
from epistrat.proving.fresh import FreshProver
from epistrat.solvers.budget import Budget

SYSTEMS = 40


def _always(body: Formula) -> Formula:
    return logic.ForAll(logic.Globally(body))


def _nested(rng: random.Random, system: System, depth: int) -> Formula:
    """AG over conditions and further AG, in one of the shapes that have a form looking back, and sometimes in others."""

    def plain() -> Formula:
        return random_formula(rng, system, "CTL", 0)

    inner = _always(_nested(rng, system, depth - 1)) if depth else plain()
    return rng.choice(
        [
            logic.Implies(plain(), inner),
            logic.Or((plain(), inner, plain())),
            logic.Or((plain(), logic.And((plain(), inner)))),
            logic.And((inner, logic.Implies(plain(), _always(plain())))),
            logic.Not(logic.And((plain(), logic.Not(inner)))),
            inner,
        ]
    )


@pytest.mark.parametrize("case", range(3))
def test_against_the_judge(case: int) -> None:
    lazy, judge = load("lazy"), load("reference")
    decided = {Verdict.HOLDS: 0, Verdict.FAILS: 0}
    shown = nested = 0
    for seed in range(case * SYSTEMS, (case + 1) * SYSTEMS):
        rng = random.Random(seed)
        system = random_system(rng, fairness=False)
        right = judge.open(system, Options(), Budget())
        found = lazy.open(system, Options(evidence=True), Budget())
        goal = random_formula(rng, system, "CTL", 0)
        for formula in (
            _always(_nested(rng, system, rng.randint(1, 2))),
            logic.Exists(logic.Finally(goal)),
            logic.Exists(logic.Finally(logic.And((goal, random_formula(rng, system, "CTL", 0))))),
        ):
            if refusal(lazy, system, formula, Options()) is not None:
                assert not isinstance(formula, logic.Exists) and looking_back(formula) is None
                continue
            outcome = found.check(formula)
            nested += looking_back(formula) is not None
            if outcome.verdict is Verdict.UNKNOWN:
                continue
            decided[outcome.verdict] += 1
            assert outcome.verdict is right.check(formula).verdict, (seed, formula)
            if outcome.evidence is not None:
                shown += 1
                replayed = replay(system, certified(formula, outcome), prover=FreshProver())
                assert replayed.ok, (seed, formula, replayed.problems)
    assert min(decided.values()) > SYSTEMS // 4 and shown > SYSTEMS // 4 and nested > SYSTEMS // 2


COUNTERS = """
Agent Environment
  Obsvars: x : integer; y : integer; end Obsvars
  Actions = {up, down, none};
  Protocol: x > 0 : {up, down, none}; Other : {up, none}; end Protocol
  Evolution:
    x = x + 1 if Action = up;
    x = x - 1 and y = y + 1 if Action = down;
  end Evolution
end Agent
Agent A Vars: b : boolean; end Vars Actions = {w}; Protocol: Other : {w}; end Protocol end Agent
Evaluation far if Environment.y > 3; low if Environment.x < 0; begun if Environment.y > 0; end Evaluation
InitStates Environment.x >= 0 and Environment.y >= 0 and A.b = true; end InitStates
Formulae end Formulae
"""


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("AG (far -> AG far)", "holds"),
        ("AG (begun -> AG far)", "fails"),
        ("AG (!far -> AG begun)", "fails"),
        ("EF low", "fails"),
        ("EF Environment.y < 2", "fails"),
    ],
)
def test_unbounded(text: str, verdict: str) -> None:
    model = epistrat.load(COUNTERS)
    (result,) = model.check(text, engine="lazy", evidence=True)
    assert result.verdict.value == verdict
    if verdict == "fails":
        assert result.replay is not None and result.replay.ok and not result.replay.trusted


def test_of_many_initial_states_not_all_were_looked_at() -> None:
    """That a goal can be met from those that were is no proof."""
    (result,) = epistrat.load(COUNTERS).check("EF far", engine="lazy")
    assert result.verdict.value == "unknown"


RARE = """
Agent Environment
  Obsvars: x : integer; end Obsvars
  Actions = {none}; Protocol: Other : {none}; end Protocol
  Evolution: x = x + 1 if x < 0; end Evolution
end Agent
Agent A Vars: b : boolean; end Vars Actions = {w}; Protocol: Other : {w}; end Protocol end Agent
InitStates A.b = true; end InitStates
Formulae end Formulae
"""


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("EF Environment.x <> 12345", "fails"),
        ("EF (Environment.x < 10 or Environment.x >= 10)", "holds"),
        ("EF Environment.x <> -7", "holds"),
    ],
)
def test_initial_states_that_meet_the_goal_at_once_say_nothing(text: str, verdict: str) -> None:
    (result,) = epistrat.load(RARE).check(text, engine="lazy", evidence=True)
    assert result.verdict.value == verdict, result.reason
    assert result.replay is not None and result.replay.ok
