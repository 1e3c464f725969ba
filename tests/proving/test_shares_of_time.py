"""Shares of time: no question of the solver, and no method, takes what others need.  The clock is one of the tests' own."""

from __future__ import annotations

import pickle
from types import SimpleNamespace

import pytest

from epistrat.answers.decoration import decorated
from epistrat.encoding.transitions import transitions
from epistrat.lang import load
from epistrat.proving import unbounded
from epistrat.proving.contract import Undecided
from epistrat.proving.unbounded import UnboundedReachability
from epistrat.solvers import budget as budgets
from epistrat.solvers.budget import Budget, OutOfBudget

MODEL = """
Agent Environment
    Obsvars:
        x : integer;
    end Obsvars
    Actions = {up};
    Protocol:
        Other : {up};
    end Protocol
    Evolution:
        x = x + 1 if Action = up;
    end Evolution
end Agent
Agent A
    Actions = {wait};
    Protocol:
        Other : {wait};
    end Protocol
end Agent
Evaluation
    low if Environment.x < 0;
end Evaluation
InitStates
    Environment.x = 0;
end InitStates
Formulae
    AG !low;
end Formulae
"""


class Silent:
    """An attempt that never answers."""

    def __init__(self, *_: object) -> None:
        self.stopped = False

    def poll(self) -> None:
        """No answer yet."""

    def stop(self) -> None:
        """Nothing to end."""


@pytest.fixture
def search() -> UnboundedReachability:
    system = load(MODEL, "counter").system
    assert system is not None
    return UnboundedReachability(transitions(system), Budget())


@pytest.mark.parametrize("seconds", [4.0, 40.0, 400.0])
def test_a_length_that_is_too_hard_takes_a_part_of_the_time(
    search: UnboundedReachability, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    clock = [0.0]
    given: list[float] = []

    def too_hard(_search: object, _question: object, _free: object, start: int, _end: int, until: float) -> int:
        given.append(until - clock[0])
        clock[0] = until
        return start

    def sleep(some: float) -> None:
        clock[0] += some

    monkeypatch.setattr(unbounded, "time", SimpleNamespace(sleep=sleep))
    monkeypatch.setattr(Budget, "clock", property(lambda _: clock[0]))
    monkeypatch.setattr(unbounded, "attempts_at", lambda *_: [Silent(), Silent()])
    monkeypatch.setattr(search, "_unrolled", too_hard)
    with pytest.raises(Undecided):
        search._long_search(search._whole, [], [], 15, seconds)
    assert given == sorted(given)
    assert max(given) <= max(0.5, seconds / 4)
    assert clock[0] <= 1.3 * seconds + 1


def test_the_share_of_a_question_ends_all_its_portions() -> None:
    budget = Budget(seconds=1000)
    portion = budget.portion()
    budget.share(-1)
    assert portion.left is not None and portion.left < 0
    with pytest.raises(OutOfBudget, match="time limit of 1000 s"):
        portion.check()
    copy = pickle.loads(pickle.dumps(portion))
    copy.check()
    budget.share(None)
    portion.check()


def test_what_is_added_to_a_verdict_leaves_time_for_other_questions() -> None:
    budget = Budget(seconds=1000)
    portion = budget.portion()
    budget.share(100)
    with budget.aside():
        assert portion.left is not None and 45 < portion.left <= 50
    assert portion.left is not None and 90 < portion.left <= 100


def test_evidence_of_a_decided_formula_ends_before_the_limit() -> None:
    budget = Budget(seconds=1000)

    def slow() -> str:
        budget.share(-1) if budget.left is not None and budget.left <= 500 else None
        budget.check()
        return "a tree"

    assert decorated("evidence", slow, None, budget) == (None, ("evidence: time limit of 1000 s reached",))
    budget.check()


def test_the_clock_stands_still_while_others_have_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a search among others would give up its ways of working before it had tried them."""
    now = [100.0]
    monkeypatch.setattr(budgets, "time", SimpleNamespace(monotonic=lambda: now[0]))
    budget = Budget(seconds=1000, started=now[0])
    short = budget.at_most(10)

    def others() -> None:
        now[0] += 60

    budget.meter.pause = others
    short.check()
    assert short.left == 10 and budget.left == 940
    now[0] += 11
    with pytest.raises(OutOfBudget):
        short.check()
    budget.check()
