"""What crosses threads and processes: values pickle, and a check leaves the settings of the process as they are."""

from __future__ import annotations

import gc
import pickle
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import epistrat
from benchmarks import families
from epistrat import Verdict
from epistrat.jobs.limits import Limits
from epistrat.lang import load
from epistrat.lang.lexer import Words
from epistrat.solvers.budget import Budget, Cancelled, OutOfBudget
from epistrat.source import Report, SourceText
from epistrat.terms import Expr, Sort, Terms

LAMP = """
Agent Lamp
  Vars: on : boolean; end Vars
  Actions = {press, wait};
  Protocol: Other : {press, wait}; end Protocol
  Evolution: on = !on if Action = press; end Evolution
end Agent
Evaluation lit if Lamp.on = true; end Evaluation
InitStates Lamp.on = false; end InitStates
Groups g = {Lamp}; end Groups
Formulae EF lit; AG !lit; <g> G !lit; end Formulae
"""


def test_systems_formulae_and_reports_pickle() -> None:
    system = load(LAMP).system
    assert system is not None
    assert pickle.loads(pickle.dumps(system)) == system
    report = epistrat.load(LAMP).report(evidence=True)
    copy = pickle.loads(pickle.dumps(report))
    assert [one.verdict for one in copy.results] == [Verdict.HOLDS, Verdict.FAILS, Verdict.HOLDS]
    assert [one.evidence for one in copy.results] == [one.evidence for one in report.results]
    assert copy.facts == report.facts


def test_a_loaded_text_pickles_with_its_places() -> None:
    loaded = load(LAMP)
    copy = pickle.loads(pickle.dumps(loaded))
    assert copy.system == loaded.system
    assert copy.origins.text("formula", 1) == loaded.origins.text("formula", 1)


def test_deep_expressions_pickle_and_keep_their_shared_parts() -> None:
    terms = Terms()
    expr: Expr = terms.variable("A", "x", Sort.NUMBER)
    for _ in range(20_000):
        expr = terms.arith("+", expr, expr)
    copy = pickle.loads(pickle.dumps(expr))
    assert copy.left is copy.right
    assert hash(copy) == hash(expr)


def test_a_budget_travels_as_data() -> None:
    budget = Budget(5.0, 1 << 50, 100, 1000)
    copy = pickle.loads(pickle.dumps(budget))
    assert (copy.seconds, copy.memory, copy.nodes, copy.states) == (5.0, 1 << 50, 100, 1000)
    assert copy.started == budget.started
    budget.cancel()
    copy.check()


def test_a_cancellation_has_a_reason_and_reaches_all_portions() -> None:
    budget = Budget()
    portion = budget.portion()
    budget.cancel("another engine was faster")
    with pytest.raises(Cancelled, match="another engine was faster"):
        portion.check()


def _settings() -> object:
    handlers = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    return (threading.stack_size(), gc.isenabled(), gc.get_threshold(), sys.getrecursionlimit(), handlers)


def test_ten_checks_in_ten_threads_of_which_three_are_cancelled() -> None:
    """The rest are right, and the settings of the process are as before."""
    before = _settings()
    cases = [("dc", 6, "privacy"), ("ring", 6, "all"), ("cards", 6, "ctl"), ("vote", 5, "all"), ("pipe", 3, "all")]
    texts = [families.text(*case) for case in cases]
    expected = [[question.holds for question in families.questions(*case)] for case in cases]
    cancelled = {1, 4, 8}
    budgets = [Budget() for _ in range(10)]

    def check(number: int) -> list[Verdict]:
        if number in cancelled:
            budgets[number].cancel("no longer wanted")
        results = epistrat.load(texts[number % 5]).check(budget=budgets[number])
        for result in results:
            assert result.verdict is not Verdict.UNKNOWN or "no longer wanted" in (result.reason or "")
        return [result.verdict for result in results]

    with ThreadPoolExecutor(10) as pool:
        found = list(pool.map(check, range(10)))
    for number, verdicts in enumerate(found):
        if number in cancelled:
            assert set(verdicts) == {Verdict.UNKNOWN}
        else:
            assert [verdict is Verdict.HOLDS for verdict in verdicts] == expected[number % 5]
    assert _settings() == before


def test_places_in_a_text_can_be_asked_for_by_many_threads() -> None:
    source = SourceText(families.text("dc", 20, "privacy"), "cryptographers")
    alone, shared = Words(source, Report(source)), Words(source, Report(source))
    indices = range(0, alone.count, 7)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda index: shared.span(index, index + 1), indices))
    assert found == [alone.span(index, index + 1) for index in indices]


def test_a_cancelled_budget_and_its_portions_say_so_at_the_next_look() -> None:
    budget = Budget()
    portion = budget.portion()
    portion.check()
    budget.cancel("no longer wanted")
    for one in (budget, portion):
        with pytest.raises(Cancelled, match="no longer wanted"):
            one.check()


def test_running_out_is_still_what_it_was() -> None:
    with pytest.raises(OutOfBudget, match="time limit of 0 s"):
        Budget(seconds=0.0, started=0.0).check()


def test_every_limit_reaches_the_work() -> None:
    budget = Limits(seconds=1.5, memory=2, nodes=3, states=4, cores=5).budget()
    assert (budget.seconds, budget.memory, budget.nodes, budget.states, budget.cores) == (1.5, 2, 3, 4, 5)
