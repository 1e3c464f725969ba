"""Small questions whose answers planted bugs changed while no other test noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

import epistrat
from epistrat.answers import DONE, Certificate, Facts, Outcome, Question, Result, Verdict
from epistrat.answers.ending import How
from epistrat.engines import registry
from epistrat.engines.contract import Options, Session
from epistrat.evidence import Along, Fixpoint, Path, Tree
from epistrat.evidence.findings import Replay
from epistrat.evidence.replay import replay
from epistrat.jobs import Portfolio
from epistrat.model.step import Stepper
from epistrat.model.transform.rules import with_rules
from epistrat.service.events import Answered, Finished, Loaded
from epistrat.service.gather import Gathering
from epistrat.service.requests import CheckRequest, Given
from epistrat.solvers.budget import Budget
from epistrat.terms import Terms

CLOCK = """
Agent C Vars: x : 0..2; end Vars Actions = {tick}; Protocol: Other : {tick}; end Protocol
  Evolution: x = x + 1 if x < 2; end Evolution end Agent
Agent B Vars: b : boolean; end Vars Actions = {none}; Protocol: Other : {none}; end Protocol
  Evolution: b = false if b = true; end Evolution end Agent
Evaluation zero if C.x = 0; two if C.x = 2; end Evaluation
InitStates C.x = 0 and B.b = false; end InitStates
"""
PENNIES = """
Agent P Vars: p : boolean; end Vars Actions = {head, tail}; Protocol: Other : {head, tail}; end Protocol
  Evolution: p = true if Action = head; p = false if Action = tail; end Evolution end Agent
Agent Q Vars: q : boolean; end Vars Actions = {head, tail}; Protocol: Other : {head, tail}; end Protocol
  Evolution: q = true if Action = head; q = false if Action = tail; end Evolution end Agent
Evaluation same if P.p = Q.q; end Evaluation
InitStates P.p and Q.q; end InitStates
"""
GROWING = """
Agent A Vars: n : integer; end Vars Actions = {up}; Protocol: Other : {up}; end Protocol
  Evolution: n = n + 1 if Action = up; end Evolution end Agent
Evaluation low if A.n <= 5; high if A.n > 5; end Evaluation
InitStates A.n = 0; end InitStates
"""
TWO_ACTIONS = """
Agent A Vars: x : 0..1; end Vars Actions = {a, b}; Protocol: x = 0 : {a}; Other : {b}; end Protocol
  Evolution: x = 1 if Action = a or Action = b; end Evolution end Agent
Evaluation one if A.x = 1; end Evaluation
InitStates A.x = 0; end InitStates
"""


@pytest.mark.parametrize("engine", ["symbolic", "explicit", "reference"])
def test_knowledge_of_past_and_future_is_about_runs_from_the_start(engine: str) -> None:
    (result,) = epistrat.load(CLOCK).check("AG K(B, Once (X (C.x = 1)))", engine=engine, evidence=False)
    assert result.verdict is Verdict.HOLDS


@pytest.mark.parametrize("engine", ["symbolic", "explicit", "reference"])
def test_the_others_choose_too(engine: str) -> None:
    found = epistrat.load(PENNIES).check(["<P>X same", "<P>X !same", "<P, Q>X !same"], engine=engine, evidence=False)
    assert [bool(result) for result in found] == [False, False, True]


def test_how_soon_every_run_comes_somewhere_is_exact() -> None:
    (result,) = epistrat.load(CLOCK).check("AF two")
    assert "within 2 steps" in result.explain()


def test_exclusive_or_is_not_equivalence_in_an_abstraction() -> None:
    found = epistrat.load(GROWING).check(
        ["AG (low xor high)", "AG (low <-> high)"], engine="abstraction", evidence=False
    )
    assert [result.verdict for result in found] == [Verdict.HOLDS, Verdict.FAILS]


def test_a_step_by_an_action_that_the_protocol_forbids_does_not_replay() -> None:
    system = epistrat.load(TWO_ACTIONS)
    formula = system.formula("EF one")
    for action, fine in (("a", True), ("b", False)):
        path = Path(((0,), (1,)), ((action,),))
        one = Tree((1,), system.formula("one"), True)
        tree = Tree((0,), formula, True, (Along(path, ((1, one),)),))
        found = replay(system, Certificate(formula, Verdict.HOLDS, trees=(tree,)), survey=0)
        assert (not found.problems) is fine


@pytest.mark.parametrize("kind", ["reachable", "safe"])
def test_no_set_of_states_is_a_reason_for_what_the_state_contradicts(kind: str) -> None:
    system = epistrat.load(CLOCK)
    formula = system.formula("AG two")
    tree = Tree((0, False), formula, True, (Fixpoint(kind, 3),))
    assert replay(system, Certificate(formula, Verdict.HOLDS, trees=(tree,)), survey=0).problems


def test_following_rules_allows_no_action_that_the_protocol_forbids() -> None:
    system = epistrat.load(TWO_ACTIONS)
    ruled = with_rules(system, {"A": [(Terms().boolean(True), "b")]})
    assert Stepper(ruled).allowed(ruled.agents[0], (0,)) == ("a",)


def test_evidence_that_does_not_replay_ends_as_a_bug() -> None:
    system = epistrat.load(CLOCK)
    question = Question(1, system.formula("EF two"), "EF two")
    gathered = Gathering(CheckRequest(model=Given(system)))
    for event in (
        Loaded(system, (question,)),
        Answered(Result(Verdict.HOLDS, question=question, replay=Replay(1, (), ("a step is wrong",)))),
        Finished(DONE, Facts(3), {}, None),
    ):
        gathered.receive(event)
    ending = gathered.report(0.0).ending
    assert ending.how is How.CRASHED
    assert "a step is wrong" in (ending.reason or "")


class Undecided(Session):
    """A session that never knows."""

    def check(self, formula: object) -> Outcome:
        return Outcome(Verdict.UNKNOWN, reason="it was told to")

    def facts(self) -> Facts:
        return Facts(None)

    def statistics(self) -> dict[str, int]:
        return {}

    def close(self) -> None:
        pass


def test_an_engine_that_does_not_decide_leaves_the_turn_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(registry.load("symbolic")), "open", lambda *_: Undecided())
    system = epistrat.load(CLOCK)
    with Portfolio(system, "auto", Options(), replace(Budget(), cores=1)) as portfolio:
        answer = portfolio.answer(Question(1, system.formula("EF two"), ""))
    assert (answer.verdict, answer.engine) == (Verdict.HOLDS, "explicit")


def test_evidence_of_the_lazy_engine_with_knowledge_of_a_path_inside() -> None:
    system = epistrat.load(CLOCK)
    (result,) = system.check("AG O(C, K(C, (Once zero) and (X zero)))", engine="lazy")
    assert result.verdict is Verdict.FAILS
    assert result.replay is not None
    assert not result.replay.problems
