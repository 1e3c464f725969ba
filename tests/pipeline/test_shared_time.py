"""A time limit is shared by the questions: a hard one does not keep the others from being answered."""

from __future__ import annotations

from typing import Any, cast

from epistrat.answers import Question, Result, Verdict
from epistrat.logic.formula import Truth
from epistrat.service.pipeline import _answers


class Clock:
    """A budget whose time passes when questions are asked."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self.elapsed = 0.0


class Slow:
    """A portfolio in which question n needs the n-th of the given times."""

    def __init__(self, clock: Clock, needed: list[float]) -> None:
        self.clock = clock
        self.needed = needed
        self.asked: list[int] = []

    def answer(self, question: Question, seconds: float | None) -> Result:
        self.asked.append(question.index)
        left = float("inf") if self.clock.seconds is None else self.clock.seconds - self.clock.elapsed
        allowed = left if seconds is None else min(left, seconds)
        needed = self.needed[question.index - 1]
        self.clock.elapsed += min(allowed, needed)
        verdict = Verdict.HOLDS if needed <= allowed else Verdict.UNKNOWN
        return Result(verdict, question=question)


def answers(seconds: float | None, needed: list[float]) -> tuple[list[int], dict[int, Verdict]]:
    questions = [Question(number, Truth(True), "true") for number in range(1, len(needed) + 1)]
    clock = Clock(seconds)
    portfolio = Slow(clock, needed)
    found = dict(_answers(cast(Any, portfolio), questions, cast(Any, clock)))
    return portfolio.asked, {place + 1: result.verdict for place, result in found.items()}


def test_without_a_limit_questions_are_asked_once_and_in_order() -> None:
    assert answers(None, [5, 1, 9])[0] == [1, 2, 3]


def test_a_question_without_answer_leaves_time_for_the_others() -> None:
    asked, found = answers(60, [1000, 10, 10])
    assert asked == [1, 2, 3, 1]
    assert found == {1: Verdict.UNKNOWN, 2: Verdict.HOLDS, 3: Verdict.HOLDS}


def test_what_the_others_leave_goes_to_who_needs_more() -> None:
    asked, found = answers(100, [60, 1, 1, 1])
    assert asked == [1, 2, 3, 4, 1]
    assert set(found.values()) == {Verdict.HOLDS}


def test_an_early_unknown_is_not_asked_again() -> None:
    questions = [Question(number, Truth(True), "true") for number in (1, 2)]

    class Helpless:
        def answer(self, question: Question, seconds: float | None) -> Result:
            return Result(Verdict.UNKNOWN, question=question)

    assert len(list(_answers(cast(Any, Helpless()), questions, cast(Any, Clock(10))))) == 2
