"""Evidence of the abstraction engine: proofs with their measures, decision rules, runs beyond what was explored; all re-checked."""

from __future__ import annotations

import pytest

import epistrat
from epistrat.answers import Question, Result
from epistrat.engines.contract import Options, Verdict
from epistrat.evidence import Along, Descent, Enforced, Invariant, Region, RuleStrategy
from epistrat.explain.follow import follow
from epistrat.explain.policy import policies
from epistrat.lang import load
from epistrat.model.show import to_ispl
from epistrat.model.system import System
from epistrat.service import pipeline
from epistrat.service.models import read_formula
from epistrat.solvers.budget import Budget

WATCHDOG = """
Agent Process
  Vars: hung: boolean; end Vars
  Actions = {kick, work, hang};
  Protocol: hung = false: {kick, work, hang}; Other: {work}; end Protocol
  Evolution: hung = true if Action = hang; end Evolution
end Agent
Agent Watchdog
  Vars: w: integer; alarm: boolean; end Vars
  Actions = {look};
  Protocol: Other: {look}; end Protocol
  Evolution:
    w = 0 if Process.Action = kick and alarm = false;
    w = w + 1 if !(Process.Action = kick) and alarm = false and w < 5000;
    alarm = true if !(Process.Action = kick) and w >= 5000 and alarm = false;
  end Evolution
end Agent
Evaluation
  alarm if Watchdog.alarm = true;
  low if Watchdog.w <= 5000;
  late if Watchdog.w >= 340;
end Evaluation
InitStates Process.hung = false and Watchdog.w >= 0 and Watchdog.w <= 9 and Watchdog.alarm = false; end InitStates
Groups p = {Process}; w = {Watchdog}; end Groups
Formulae AG low; end Formulae
"""
TWO_LOOPS = """
Agent M
  Vars: x: integer; y: integer; end Vars
  Actions = {step, refill};
  Protocol: y <= 0: {refill}; Other: {step}; end Protocol
  Evolution: y = y - 1 if Action = step; x = x - 1 and y = x + 50 if Action = refill and x > 0; end Evolution
end Agent
Evaluation done if M.x = 0 and M.y = 0; end Evaluation
InitStates M.x >= 0 and M.y >= 0; end InitStates
Formulae AF done; end Formulae
"""


def checked(text: str, formula: str) -> tuple[System, Result]:
    system = epistrat.load(text)
    question = Question(1, read_formula(formula, system), formula)
    report = pipeline.check(
        system,
        [question],
        engine="abstraction",
        options=Options(evidence=True),
        budget=Budget(seconds=60),
        facts=False,
    )
    return system, report.results[0]


@pytest.mark.parametrize(
    ("text", "formula", "verdict", "kinds"),
    [
        (WATCHDOG, "AG low", Verdict.HOLDS, [Invariant]),
        (WATCHDOG, "EF !low", Verdict.FAILS, [Invariant]),
        (WATCHDOG, "EF alarm", Verdict.HOLDS, [Descent]),
        (WATCHDOG, "AG !alarm", Verdict.FAILS, [Descent]),
        (WATCHDOG, "AG !late", Verdict.FAILS, [Along]),
        (WATCHDOG, "<p>F alarm", Verdict.HOLDS, [Enforced, Descent]),
        (WATCHDOG, "<p>G !alarm", Verdict.HOLDS, [Enforced, Region]),
        (WATCHDOG, "<p>X !alarm", Verdict.HOLDS, [Enforced]),
        (TWO_LOOPS, "AF done", Verdict.HOLDS, [Descent]),
        (TWO_LOOPS, "EG !done", Verdict.FAILS, [Descent]),
    ],
)
def test_what_is_shown_is_checked_again(text: str, formula: str, verdict: Verdict, kinds: list[type]) -> None:
    _, result = checked(text, formula)
    assert result.verdict is verdict
    assert result.evidence is not None
    assert [type(reason) for reason in result.evidence.because] == kinds
    assert result.replay is not None and not result.replay.problems
    assert result.replay.complete or formula == "<p>X !alarm", "one step from more than one initial state is not proved"


@pytest.mark.parametrize("formula", ["<p>F alarm", "<p>G !alarm"])
def test_rules_are_written_as_a_model(formula: str) -> None:
    system, result = checked(WATCHDOG, formula)
    assert result.evidence is not None
    (enforced,) = [reason for reason in result.evidence.because if isinstance(reason, Enforced)]
    assert isinstance(enforced.strategy, RuleStrategy)
    narrowed = follow(system, policies(system, enforced.strategy))
    written = load(to_ispl(narrowed), "narrowed.ispl").system
    assert written is not None
    _, again = checked(to_ispl(narrowed), formula.replace("<p>", "A"))
    assert again.verdict is Verdict.HOLDS


def test_common_knowledge_in_one_state_is_no_invariant() -> None:
    """A sees the number, so p is common knowledge at the start; later p is false."""
    text = """
    Agent A
      Vars: x : boolean; end Vars
      Actions = {go};
      Protocol: Other : {go}; end Protocol
      Evolution: x = false if Action = go; end Evolution
    end Agent
    Evaluation p if A.x = true; end Evaluation
    InitStates A.x = true; end InitStates
    Groups g = {A}; end Groups
    Formulae GCK(g, p); end Formulae
    """
    (result,) = epistrat.load(text).check(engine="abstraction", evidence=True)
    assert result and result.replay is not None and not result.replay.problems
