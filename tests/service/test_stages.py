"""Stages after a verdict: each is a function from a result to a result; what adds something never loses a verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from epistrat.answers import Question, Result, Verdict
from epistrat.lang.load import load
from epistrat.logic.formula import Truth
from epistrat.records import replace
from epistrat.service import models, pipeline
from epistrat.service.stages import adorned, decided

EXAMPLES = Path(__file__).parents[2] / "examples"
RESULT = Result(Verdict.HOLDS, question=Question(1, Truth(True), "true"))


def broken(result: Result) -> Result:
    raise AssertionError("impossible")


def renamed(result: Result) -> Result:
    return replace(result, notes=(*result.notes, "a note"))


def test_a_stage_that_fails_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EPISTRAT_STRICT", raising=False)
    told = adorned("a sentence", broken)(RESULT)
    assert told == replace(RESULT, left_out=("a sentence: AssertionError: impossible",))


def test_a_stage_for_answers_leaves_the_unknown_alone() -> None:
    unknown = replace(RESULT, verdict=Verdict.UNKNOWN, reason="too large")
    assert decided(broken)(unknown) is unknown
    assert decided(renamed)(RESULT).notes == ("a note",)


def test_answers_are_told_after_their_last_stage_and_kept_so() -> None:
    system = load((EXAMPLES / "muddy_children.ispl").read_text(encoding="utf-8"), "muddy").system
    assert system is not None
    heard: list[Result] = []
    asked = models.questions(system)
    report = pipeline.check(system, asked, stages=lambda _: [renamed, renamed], tell=heard.append, facts=False)
    assert list(report.results) == heard
    assert all(one.notes[-2:] == ("a note", "a note") for one in heard) and len(heard) == len(asked)
