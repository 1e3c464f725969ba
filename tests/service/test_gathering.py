"""Reports that are complete although the work was not, and how they are shown."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from tests.cli.lamp_models import LAMP

import epistrat
from epistrat.answers import DONE, Ending, Facts, How, Outcome, Question, Report, Result, Setting, Verdict
from epistrat.answers.backing import Backing, Standing
from epistrat.cli.exit_codes import Exit, status_of, worst
from epistrat.evidence.findings import Replay
from epistrat.explain.words import counted, number
from epistrat.logic.formula import Prop
from epistrat.render.progress import ProgressLine
from epistrat.render.text import seconds, show_report
from epistrat.render.wording import Style, Wording
from epistrat.service import CheckRequest, Text
from epistrat.service.events import Answered, Finished, Loaded, Progress, paced
from epistrat.service.expect import Expectation, differences
from epistrat.service.gather import Gathering

REQUEST = CheckRequest(model=Text(LAMP, "lamp.ispl"))
SYSTEM = epistrat.load(LAMP)
ASKED = tuple(Question(index, Prop("lit"), f"p{index}") for index in (1, 2, 3))
OUT_OF_TIME = Ending(How.TIME, "time limit of 60 s reached")


def result(index: int, verdict: Verdict, reason: str | None = None) -> Result:
    return Result.of(Outcome(verdict, reason), ASKED[index - 1], "symbolic", 0.1)


def report(ending: Ending, *results: Result, loaded: bool = True) -> Report:
    found = Gathering(REQUEST)
    if loaded:
        found.receive(Loaded(SYSTEM, ASKED))
    for one in results:
        found.receive(Answered(one))
    found.receive(Progress("reachable states", {"step": 41, "states": 2 * 10**14}, 2, 3))
    for event in found.missing(ending):
        found.receive(event)
    return found.report(60.2)


def test_what_was_not_told_is_unknown_for_the_reason_it_ended() -> None:
    found = report(OUT_OF_TIME, result(1, Verdict.HOLDS))
    one, two, three = found.results
    assert one.verdict is Verdict.HOLDS
    assert two.reason == "time limit of 60 s reached (at: reachable states   step 41   states 2.0e14)"
    assert two.advice[0] == Setting("time")
    assert three.reason == "time limit of 60 s reached"
    assert status_of(found) is Exit.UNKNOWN
    assert (found.decided, len(found.planned)) == (1, 3)


def test_a_limit_reached_while_the_model_is_read_leaves_every_formula_unknown() -> None:
    found = report(OUT_OF_TIME, loaded=False)
    assert [one.text for one in found.results] == ["AG EF lit", "AF lit", "<g>F lit"]
    assert {one.verdict for one in found.results} == {Verdict.UNKNOWN}
    assert "time limit of 60 s reached" in (found.results[0].reason or "")
    assert found.results[0].advice == (Setting("time"),)
    assert status_of(found) is Exit.UNKNOWN


@pytest.mark.parametrize("how", [How.DONE, How.TIME, How.MEMORY, How.LIMIT])
def test_a_contradiction_is_told_although_a_limit_was_reached(how: How) -> None:
    refuted = replace(result(1, Verdict.UNKNOWN), backing=Backing(Standing.REFUTED, 3, "a step leaves them"))
    false = replace(result(2, Verdict.HOLDS), replay=Replay(1, problems=("no step",)))
    for one in (refuted, false):
        assert report(Ending(how, "a limit was reached"), one).ending.how is How.CRASHED
    assert report(Ending(How.INTERRUPTED), refuted).ending.how is How.INTERRUPTED


def test_a_failure_outweighs_what_is_unknown() -> None:
    assert status_of(report(Ending(How.MEMORY, "memory ran out"), result(1, Verdict.FAILS))) is Exit.FAILS


def test_a_worker_stopped_for_memory_knows_it_only_as_an_interruption() -> None:
    stopped = result(1, Verdict.UNKNOWN, "interrupted while the model was being encoded")
    found = report(Ending(How.MEMORY, "memory limit of 500 MB reached"), stopped)
    assert found.results[0].reason == "memory limit of 500 MB reached while the model was being encoded"
    assert found.results[0].advice[0] == Setting("memory")


def test_statuses() -> None:
    assert status_of(report(Ending(How.INTERRUPTED, "interrupted"))) is Exit.INTERRUPTED
    assert status_of(report(Ending(How.CRASHED, "a native library crashed"))) is Exit.BUG
    assert status_of(report(DONE)) is Exit.BUG, "done, but nothing was finished"
    assert "memory ran out" in (report(Ending(How.MEMORY, "memory ran out")).results[0].reason or "")
    assert worst([Exit.UNKNOWN, Exit.FAILS, Exit.HOLDS]) is Exit.FAILS
    assert worst([Exit.INPUT, Exit.FAILS, Exit.BUG]) is Exit.BUG
    assert worst([]) is Exit.HOLDS


def test_what_the_worker_said_of_its_end_stands() -> None:
    found = Gathering(REQUEST)
    found.receive(Loaded(SYSTEM, ASKED))
    found.receive(Finished(Ending(How.MISUSED, "{} needs {}", (Setting("group"), Setting("strategies", "uniform")))))
    assert list(found.missing(DONE)) == []
    assert found.report(1).ending.how is How.MISUSED


def test_every_difference_is_named() -> None:
    found = Report("m", results=(result(1, Verdict.HOLDS), result(2, Verdict.FAILS)), facts=Facts(None))
    expected = Expectation({1: "fails", 4: "holds"}, 7)
    assert [one.words for one in differences(expected, found)] == [
        "formula 1: expected: fails; result: holds",
        "formula 4: expected: holds; there is no such formula",
        "formula 2: expected: nothing; result: fails",
        "reachable states: expected: 7; result: not known",
    ]


def test_reports_in_colour_and_with_long_formulae() -> None:
    long = replace(ASKED[1], text=" and ".join(f"proposition{i}" for i in range(200)))
    counted = {"nodes": 12, "seconds": {"reach": 0.123456}, "order": "auto"}
    results = (
        result(1, Verdict.UNKNOWN, "no engine"),
        replace(result(2, Verdict.FAILS), question=long, statistics=counted),
    )
    lines = list(show_report(Report("m", SYSTEM, ASKED, results), Style(colour=True, width=80), statistics=True))
    assert any("\x1b[31;1mFAILS" in line for line in lines)
    assert all(len(line) < 110 for line in lines)
    assert sum("proposition" in line for line in lines) < 8
    assert any("nodes: 12" in line for line in lines)
    assert any("reach: 0.123" in line for line in lines)


@pytest.mark.parametrize(
    ("wording", "words"),
    [
        (Wording.SHELL, "a larger --time, --engine symbolic or fewer agents"),
        (Wording.PYTHON, "a larger time, engine='symbolic' or fewer agents"),
    ],
)
def test_each_face_words_advice_in_its_own_way(wording: Wording, words: str) -> None:
    assert wording.advice((Setting("time"), Setting("engine", "symbolic"), "fewer agents")) == words
    assert wording.advice(()) == ""


def test_numbers_and_durations() -> None:
    assert number(10**30) == "1" + ",000" * 10
    assert number(123 * 10**50) == "about 1.230e52"
    assert counted(12345, "state") == "12,345 states"
    assert [seconds(value) for value in (0.001, 0.123, 5.55, 42.4, 125)] == [
        "0.01 s",
        "0.12 s",
        "5.5 s",
        "42 s",
        "2:05 min",
    ]


def test_progress_waits_shows_and_disappears() -> None:
    stream = io.StringIO()
    now = [0.0]
    line = ProgressLine(stream, width=80, clock=lambda: now[0])
    line.show(Progress("reachable states", {"step": 1}))
    assert stream.getvalue() == ""
    now[0] = 65.0
    line.show(Progress("reachable states", {"step": 41, "states": 2.1e14, "order": "auto"}, 2, 7))
    assert (
        stream.getvalue() == "\r\x1b[2Kformula 2 of 7: reachable states   step 41   states 2.1e14   order auto   1:05"
    )
    line.clear()
    line.clear()
    assert stream.getvalue().count("\x1b[2K") == 2
    assert str(Progress("x", {"part": 0.5})) == "x   part 0.5"


def test_progress_is_told_a_few_times_a_second() -> None:
    heard: list[object] = []
    send = paced(heard.append)
    for step in range(1000):
        send(Progress("reachable states", {"step": step}))
    send(Progress("labels"))
    send(Finished())
    assert heard[0] == Progress("reachable states", {"step": 0})
    assert heard[-2:] == [Progress("labels"), Finished()]
    assert len(heard) < 50
