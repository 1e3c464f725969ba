"""The engine around the judge: verdicts, limits, refusals, facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from epistrat.engines.contract import Options, Progress, Strategies, Verdict
from epistrat.engines.needs import refusal
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.lang import load
from epistrat.logic.formula import (
    And,
    Coalition,
    Exists,
    Finally,
    ForAll,
    Globally,
    Group,
    Iff,
    Implies,
    Knows,
    Next,
    Not,
    Once,
    Or,
    Prop,
    Test,
    Truth,
    Xor,
)
from epistrat.model.system import Blocking, System
from epistrat.solvers.budget import Budget
from epistrat.terms import Sort, Terms


def system(text: str) -> System:
    loaded = load(text)
    assert loaded.system is not None, [str(diagnostic) for diagnostic in loaded.report.diagnostics]
    return loaded.system


COUNTER = system("""
Agent A
  Vars: n : 0 .. 3; blind : boolean; end Vars
  Actions = {up, down};
  Protocol: Other : {up, down}; end Protocol
  Evolution:
    n = n + 1 if Action = up;
    n = n - 1 if Action = down and n > 0;
  end Evolution
end Agent
Evaluation
  top if A.n = 3;
  zero if A.n = 0;
end Evaluation
InitStates A.n = 0 and A.blind = false; end InitStates
Groups a = {A}; end Groups
Formulae EF top; end Formulae
""")

TOGETHER = system("""
Composition = Interleaved;
Agent A
  Vars: n : 0 .. 1; end Vars
  Actions = {step};
  Protocol: n = 0 : {step}; end Protocol
  Evolution: n = 1 if Action = step; end Evolution
end Agent
Evaluation done if A.n = 1; end Evaluation
InitStates A.n = 0; end InitStates
Formulae AF done; end Formulae
""")

ENDLESS = system("""
Agent A
  Vars: n : integer; end Vars
  Actions = {up};
  Protocol: Other : {up}; end Protocol
  Evolution: n = n + 1 if Action = up; end Evolution
end Agent
Evaluation far if A.n > 1000000; end Evaluation
InitStates A.n = 0; end InitStates
Formulae EF far; end Formulae
""")

top, zero = Prop("top"), Prop("zero")


def test_verdicts_and_statistics() -> None:
    told: list[Progress] = []
    session = ReferenceEngine().open(COUNTER, Options(), Budget(), told.append)
    assert session.check(Exists(Finally(top))).verdict is Verdict.HOLDS
    outcome = session.check(ForAll(Finally(top)))
    assert outcome.verdict is Verdict.FAILS
    assert outcome.statistics["states"] == 4
    assert session.check(Finally(top)).verdict is Verdict.FAILS, "a path formula is read with A in front"
    assert session.statistics()["steps"] == 7
    assert told
    assert told[0].phase == "exploring"
    session.close()


def test_facts() -> None:
    facts = ReferenceEngine().open(COUNTER, Options(), Budget()).facts()
    assert (facts.states, facts.dead_ends, facts.overflows, facts.fair_states) == (4, 0, 1, None)
    assert facts.overflow_line == ("A", 1)
    assert facts.overflow is not None
    assert facts.overflow.last == (3, False)
    assert len(facts.overflow.actions) == 3


def test_facts_of_an_interleaved_dead_end_and_of_fairness() -> None:
    session = ReferenceEngine().open(TOGETHER, Options(), Budget())
    facts = session.facts()
    assert (facts.states, facts.dead_ends, facts.overflows) == (2, 1, 0)
    assert facts.dead_end is not None
    assert facts.dead_end.actions == (("step",),)
    assert session.facts() is facts
    assert session.check(ForAll(Finally(Prop("done")))).verdict is Verdict.HOLDS
    fair = System(
        COUNTER.agents, COUNTER.initial, propositions=COUNTER.propositions, groups=COUNTER.groups, fairness=(top,)
    )
    assert ReferenceEngine().open(fair, Options(), Budget()).facts().fair_states == 4


def test_an_unbounded_model_ends_with_unknown() -> None:
    session = ReferenceEngine().open(ENDLESS, Options(), Budget(states=1_000))
    outcome = session.check(Exists(Finally(Prop("far"))))
    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.reason is not None
    assert "1,000 states" in outcome.reason
    assert outcome.advice
    facts = session.facts()
    assert facts.states is None
    assert facts.reason == outcome.reason


def test_a_part_of_the_states_may_decide() -> None:
    session = ReferenceEngine().open(ENDLESS, Options(), Budget(states=100))
    terms = Terms()
    number = terms.variable("A", "n", Sort.NUMBER)
    small, far = Test(terms.compare("<", number, terms.number(50))), Prop("far")
    for decided in (
        Implies(far, small),
        Xor(small, far),
        And((small, Not(far))),
        Or((small, far)),
        Iff(small, Truth(True)),
    ):
        early = session.check(ForAll(Globally(And((decided, small)))))
        assert early.verdict is Verdict.FAILS
        assert early.notes
        assert session.check(Exists(Finally(Not(And((decided, small)))))).verdict is Verdict.HOLDS
    for open_question in (
        ForAll(Globally(Not(far))),
        Exists(Finally(far)),
        Exists(Globally(small)),
        ForAll(Globally(small), star=True),
        ForAll(Globally(Knows("A", small))),
        far,
    ):
        assert session.check(open_question).verdict is Verdict.UNKNOWN


def test_time_ends_with_unknown_and_the_session_stays_usable() -> None:
    budget = Budget(seconds=0.0)
    session = ReferenceEngine().open(COUNTER, Options(), budget)
    assert session.check(zero).reason == "time limit of 0 s reached"
    budget.seconds = None
    assert session.check(zero).verdict is Verdict.HOLDS


def test_what_is_not_defined_for_interleaved_systems_is_refused() -> None:
    judge = ReferenceEngine()
    enforced = Coalition(Group(("A",)), Finally(Prop("done")))
    assert refusal(judge, COUNTER, enforced, Options()) is None
    assert refusal(judge, TOGETHER, enforced, Options()) is None
    uniform = Options(strategies=Strategies.UNIFORM)
    assert refusal(judge, TOGETHER, Prop("done"), uniform) is None
    ignoring = replace(TOGETHER, blocking=Blocking.IGNORE)
    assert "uniform" in str(refusal(judge, ignoring, Prop("done"), uniform))
    past = And((enforced, ForAll(Finally(Once(Prop("done"))))))
    assert "past" in str(refusal(judge, TOGETHER, past, Options()))
    outcome = judge.open(TOGETHER, Options(), Budget()).check(past)
    assert outcome.verdict is Verdict.UNKNOWN


LIGHT = system("""
Agent Environment
  Vars: lamp : boolean; end Vars
  Actions = {}; Protocol: end Protocol
  Evolution: end Evolution
end Agent
Agent A
  Lobsvars = {lamp};
  Vars: s : {wait, won, lost}; end Vars
  Actions = {one, two};
  Protocol: Other : {one, two}; end Protocol
  Evolution:
    s = won if s = wait and Action = one and Environment.lamp = true;
    s = won if s = wait and Action = two and Environment.lamp = false;
    s = lost if s = wait and Action = two and Environment.lamp = true;
    s = lost if s = wait and Action = one and Environment.lamp = false;
  end Evolution
end Agent
Evaluation win if A.s = won; start if A.s = wait; end Evaluation
InitStates A.s = wait; end InitStates
Groups a = {A}; end Groups
Formulae <a>F win; end Formulae
""")


def blind(model: System) -> System:
    """The same model, but A does not see the lamp it acts upon."""
    return replace(model, agents=(model.agents[0], replace(model.agents[1], observes=())))


@pytest.mark.parametrize(
    ("reading", "seeing", "unseeing"),
    [
        (Strategies.ANY, True, True),
        (Strategies.OBJECTIVE, True, True),
        (Strategies.SUBJECTIVE, True, False),
        (Strategies.UNIFORM, True, False),
    ],
)
def test_readings_of_strategies(reading: Strategies, seeing: bool, unseeing: bool) -> None:
    formula = LIGHT.formulae[0]
    for model, expected in ((LIGHT, seeing), (blind(LIGHT), unseeing)):
        session = ReferenceEngine().open(model, Options(strategies=reading), Budget())
        assert (session.check(formula).verdict is Verdict.HOLDS) == expected


def test_uniform_pruning_for_a_group_only() -> None:
    options = Options(strategies=Strategies.UNIFORM, uniform_group=("A",))
    session = ReferenceEngine().open(blind(LIGHT), options, Budget())
    outcome = session.check(Not(LIGHT.formulae[0]))
    assert outcome.verdict is Verdict.FAILS, "each pruning wins from some initial states only"
    assert outcome.statistics["strategies"] >= 2
    assert session.check(Exists(Finally(Truth(True)))).verdict is Verdict.HOLDS


def test_the_implied_environment_sees_nothing_and_does_nothing() -> None:
    session = ReferenceEngine().open(COUNTER, Options(), Budget())
    assert session.check(Knows("Environment", zero)).verdict is Verdict.FAILS
    nobody = Coalition(Group(("Environment",)), Next(Truth(True)))
    assert session.check(nobody).verdict is Verdict.HOLDS


def test_fairness_that_looks_back() -> None:
    """Fair runs pass, infinitely often, points from which one can still go to the top after having been there."""
    again = Exists(And((Finally(top), Once(top))), star=True)
    model = System(COUNTER.agents, COUNTER.initial, propositions=COUNTER.propositions, fairness=(again,))
    session = ReferenceEngine().open(model, Options(), Budget())
    assert session.check(ForAll(Finally(top))).verdict is Verdict.HOLDS
    assert session.facts().fair_states == 4
    plain = ReferenceEngine().open(COUNTER, Options(), Budget())
    assert plain.check(ForAll(Globally(again), star=True)).verdict is Verdict.FAILS
