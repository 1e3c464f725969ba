"""Shares of time and work: no question of the solver, and no method, takes what others need."""

from __future__ import annotations

import pickle

import pytest

from epistrat.answers.decoration import decorated
from epistrat.encoding.transitions import transitions
from epistrat.lang import load
from epistrat.proving import unbounded
from epistrat.proving.contract import Undecided
from epistrat.proving.unbounded import UnboundedReachability
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.solvers.smt.horn import Safety

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
    """Spacer that never finds anything."""

    over = False

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._begun = 0

    def begin(self, work: int) -> None:
        """A slice is done at once."""
        self._begun = work

    def answer(self) -> Safety:
        """Nothing."""
        self._budget.spend(2 * self._begun)
        return Safety(None, reason="silent")

    def stop(self) -> None:
        """Nothing to end."""


@pytest.fixture
def search() -> UnboundedReachability:
    system = load(MODEL, "counter").system
    assert system is not None
    return UnboundedReachability(transitions(system), Budget())


@pytest.mark.parametrize("work", [2_000_000, 20_000_000, 200_000_000])
def test_a_length_that_is_too_hard_takes_a_part_of_the_work(
    search: UnboundedReachability, monkeypatch: pytest.MonkeyPatch, work: int
) -> None:
    budget, given = search._budget, [0]

    def too_hard(_search: object, _question: object, _free: object, start: int, _end: int, until: int) -> int:
        given.append(until - budget.work)
        budget.spend(until - budget.work)
        return start

    monkeypatch.setattr(unbounded, "Spacer", lambda _, own: Silent(own))
    monkeypatch.setattr(search, "_unrolled", too_hard)
    before = budget.work
    with pytest.raises(Undecided):
        search._long_search(search._whole, [], [], 15, work)
    assert given == sorted(given)
    assert max(given) <= max(500_000, work / 4)
    assert work <= budget.work - before <= 6 * work


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


def test_a_part_of_the_work_ends_by_work_alone() -> None:
    """Not by the clock: others may have their turn meanwhile, and the machine may be busy."""
    budget = Budget(seconds=1000)
    short = budget.worth(1_000_000)
    short.spend(999_000)
    short.check()
    assert short.worth(10_000_000).most == short.most
    budget.spend(2_000)
    with pytest.raises(OutOfBudget, match="more work"):
        short.check()
    budget.check()
