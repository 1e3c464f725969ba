"""Short cuts of the symbolic engine where they must not be taken: each question has another answer if one is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import epistrat
from epistrat.answers import Question
from epistrat.engines.contract import Options, Rival, silent
from epistrat.engines.symbolic.candidates import Candidate, Candidates
from epistrat.engines.symbolic.checker import Checker
from epistrat.engines.symbolic.session import SymbolicSession
from epistrat.engines.symbolic.tuning import SymbolicTuning
from epistrat.engines.symbolic.work import Work
from epistrat.jobs import Portfolio
from epistrat.solvers.bdd import OutOfNodes
from epistrat.solvers.budget import Budget

ENGINES = ("reference", "explicit", "symbolic")


def verdicts(model: str, formulae: Sequence[str], engine: str, **options: Any) -> list[str]:
    """Asked in one session, in this order; the model has no formulae of its own."""
    return [one.verdict.value for one in epistrat.load(model).check(list(formulae), engine=engine, **options)]


# 0 -> 1 -> 2, and 2 stays or, with `go`, passes on to 3 for ever.  Blind sees nothing of it.
LINE = """
Agent Environment
  Vars: x : 0..3; end Vars
  Actions = {wait, go};
  Protocol: Other : {wait, go}; end Protocol
  Evolution:
    x = 1 if x = 0;
    x = 2 if x = 1;
    x = 3 if x = 2 and Action = go;
  end Evolution
end Agent
Agent Blind
  Vars: idle : boolean; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
end Agent
Evaluation
  zero if Environment.x = 0;
  one if Environment.x = 1;
  late if Environment.x >= 1;
  end_ if Environment.x = 3;
end Evaluation
InitStates Environment.x = 0 and Blind.idle = false; end InitStates
FAIRNESS
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_knowledge_after_an_implication_is_about_all_reachable_states(engine: str) -> None:
    """Seen from where `one` holds, `late` is always true; Blind does not know that x is not 0."""
    formulae = ["AG(one -> AF K(Blind, late))", "AG(one -> EF GK({Blind}, late))", "AG(one -> !EF DK({Blind}, late))"]
    assert verdicts(LINE.replace("FAIRNESS", ""), formulae, engine) == ["fails", "fails", "holds"]


@pytest.mark.parametrize("engine", ENGINES)
def test_what_follows_an_implication_is_about_fair_paths(engine: str) -> None:
    fair = LINE.replace("FAIRNESS", "Fairness end_; end Fairness")
    unfair = LINE.replace("FAIRNESS", "")
    formulae = ["AG(one -> AF end_)", "AG(one -> EG !end_)"]
    assert verdicts(fair, formulae, engine) == ["holds", "fails"]
    assert verdicts(unfair, formulae, engine) == ["fails", "holds"]


# x and y change together; Watcher sees a copy of y and of z, but not x.
CORRELATED = """
Agent Environment
  Vars: x : boolean; y : boolean; z : boolean; end Vars
  Actions = {flip, wait};
  Protocol: Other : {flip, wait}; end Protocol
  Evolution: x = ~x and y = ~y and z = ~z if Action = flip; end Evolution
end Agent
Agent Watcher
  Lobsvars = {z};
  Vars: idle : boolean; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
end Agent
Evaluation
  x if Environment.x = true;
  y if Environment.y = true;
  z if Environment.z = true;
end Evaluation
InitStates Environment.x = false and Environment.y = false and Environment.z = false and Watcher.idle = false; end InitStates
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_each_knowledge_question_gets_the_variables_it_is_about(engine: str) -> None:
    formulae = [
        "AG(z -> K(Watcher, x))",
        "AG(z -> K(Watcher, y))",
        "AG K(Watcher, x <-> y)",
        "AG(z -> GK({Watcher}, y))",
    ]
    assert verdicts(CORRELATED, formulae, engine) == ["holds"] * 4


@pytest.mark.parametrize("engine", ENGINES)
def test_knowledge_of_past_and_future_is_about_runs_from_the_start(engine: str) -> None:
    """On every run x was 0 once; on a sequence of steps that starts in 1 it never was."""
    formulae = {
        "AG K(Blind, Once F zero)": "holds",
        "AG K(Blind, Once (zero and F late))": "holds",
        "AG K(Blind, Y F late -> late)": "holds",
        "AG K(Blind, zero or Y F late)": "holds",
        "AG K(Blind, Once F one)": "holds",
        "AG K(Blind, Hist F one)": "fails",
    }
    assert verdicts(LINE.replace("FAIRNESS", ""), list(formulae), engine) == list(formulae.values())


def _out_of_nodes(monkeypatch: pytest.MonkeyPatch, times: int) -> list[str]:
    """The first encodings need too many nodes; the orders asked for are told."""
    asked: list[str] = []
    build = Candidates.first
    tunings = [SymbolicTuning(order=order) for order in ("declared", "breadth", "random")]
    rivals = [Rival(tuning.order, Options(tuning=(tuning,)), 0) for tuning in tunings]

    def first(candidates: Candidates) -> Candidate:
        asked.append(candidates._tuning.order)
        if len(asked) <= times:
            raise OutOfNodes
        return build(candidates)

    def others(session: SymbolicSession) -> list[Rival]:
        return rivals if session.tuning.order == "auto" else []

    monkeypatch.setattr(Candidates, "first", first)
    monkeypatch.setattr(SymbolicSession, "rivals", others)
    return asked


@pytest.mark.parametrize("times", [1, 2, 3])
def test_other_orders_are_tried_when_the_first_is_out_of_nodes(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _out_of_nodes(monkeypatch, times)
    system = epistrat.load(CORRELATED)
    with Portfolio(system, "symbolic", Options(), Budget(cores=1)) as portfolio:
        assert portfolio.answer(Question(1, system.formula("AG(x <-> y)"), "")).verdict is epistrat.Verdict.HOLDS
    assert asked == ["auto", "declared", "breadth", "random"][: times + 1]


def test_out_of_nodes_is_said_when_no_order_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    _out_of_nodes(monkeypatch, 4)
    system = epistrat.load(CORRELATED)
    with Portfolio(system, "symbolic", Options(), Budget(nodes=1000, cores=1)) as portfolio:
        outcome = portfolio.answer(Question(1, system.formula("AG(x <-> y)"), ""))
    assert outcome.verdict is epistrat.Verdict.UNKNOWN
    assert "limit of 1,000 nodes" in (outcome.reason or "")


COUNTER = """
Agent Environment
  Vars: x : 0..9; end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution: x = x + 1 if x < 9; end Evolution
end Agent
Agent A
  Vars: idle : boolean; end Vars
  Actions = {left, right};
  Protocol: Other : {left, right}; end Protocol
end Agent
Evaluation end_ if Environment.x = 9; five if Environment.x = 5; end Evaluation
InitStates Environment.x = 0 and A.idle = false; end InitStates
Groups a = {A}; end Groups
Formulae <a>G !end_; five; end Formulae
"""


def test_a_label_is_taken_up_where_a_bound_was_left() -> None:
    system = epistrat.load(COUNTER)
    enforced, five = system.formulae

    def checker() -> Checker:
        work = Work(Budget(), silent)
        return Checker(Candidates(system, Options().tuned(SymbolicTuning), 1 << 20, work).first(), work, "auto")

    afresh, after = checker(), checker()
    nothing = after.space.algebra.false
    bound = after.labels.bound(enforced, lambda states: states & after.labels.label(five) == nothing)
    before = after.work.counts["iterations of fixpoints"]
    assert bound != nothing and after.labels.label(enforced) == nothing
    assert afresh.labels.label(enforced) == afresh.space.algebra.false
    counted = afresh.work.counts["iterations of fixpoints"]
    assert before > 1 and after.work.counts["iterations of fixpoints"] <= counted + 1


@pytest.mark.parametrize("engine", ENGINES)
def test_what_looks_back_through_the_future_is_not_asked_of_a_later_state(engine: str) -> None:
    """`E F f` is `EF E f` only where f does not look back: at the end, taken as the beginning, nothing was `zero` before."""
    asked = [
        "CTL* E F (end_ and Once (zero and X one))",
        "CTL* E X (one and Once (zero and X one))",
        "E F (end_ and zero)",
    ]
    assert verdicts(LINE.replace("FAIRNESS", ""), asked, engine) == ["holds", "holds", "fails"]
