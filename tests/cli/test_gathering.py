"""Reports that are complete although the check was not, and how they are shown."""

from __future__ import annotations

import io

from epistrat.cli.exit_codes import Exit, worst
from epistrat.cli.expect import Expectation, differences
from epistrat.cli.gather import Gathered
from epistrat.cli.supervise import Ending, How
from epistrat.render.as_json import ResultRecord
from epistrat.render.progress import ProgressLine, describe
from epistrat.render.text import Style, number, seconds, show_report


def result(index: int, verdict: str, reason: str | None = None) -> ResultRecord:
    return {
        "index": index,
        "formula": f"p{index}",
        "verdict": verdict,
        "engine": "symbolic",
        "seconds": 0.1,
        "reason": reason,
        "advice": None,
        "notes": [],
    }


def gathered(*results: ResultRecord) -> Gathered:
    found = Gathered("m.ispl")
    found.receive({"event": "loaded", "agents": 2, "questions": [[1, "p1"], [2, "p2"], [3, "p3"]]})
    for one in results:
        found.receive({"event": "result", "result": one})
    found.receive({"event": "progress", "phase": "reachable states", "counts": {"step": 41, "states": 2 * 10**14}})
    return found


def test_what_was_not_told_is_unknown_for_the_reason_it_ended() -> None:
    found = gathered(result(1, "holds"))
    ending = Ending(How.TIME, "time limit of 60 s reached")
    found.finish(ending, 60.2)
    one, two, three = found.report["results"]
    assert one["verdict"] == "holds"
    assert two["reason"] == "time limit of 60 s reached (at: reachable states   step 41   states 2.0e14)"
    assert two["advice"] is not None
    assert three["reason"] == "time limit of 60 s reached"
    assert found.status(ending) is Exit.UNKNOWN
    assert found.decided() == (1, 3)


def test_a_failure_outweighs_what_is_unknown() -> None:
    found = gathered(result(1, "fails"))
    ending = Ending(How.MEMORY, "memory limit of 500 MB reached")
    found.finish(ending, 1)
    assert found.status(ending) is Exit.FAILS


def test_a_child_stopped_for_memory_knows_it_only_as_an_interruption() -> None:
    found = gathered(result(1, "unknown", "interrupted while the model was being encoded"))
    found.finish(Ending(How.MEMORY, "memory limit of 500 MB reached"), 1)
    assert found.report["results"][0]["reason"] == "memory limit of 500 MB reached while the model was being encoded"


def test_statuses() -> None:
    assert gathered().status(Ending(How.INTERRUPTED, "interrupted")) is Exit.INTERRUPTED
    assert gathered().status(Ending(How.CRASHED, "a native library crashed")) is Exit.BUG
    found = gathered()
    found.receive({"event": "bug", "message": "oops", "trace": ""})
    assert found.status(Ending(How.CRASHED)) is Exit.BUG
    found = gathered()
    found.receive({"event": "memory"})
    found.finish(Ending(How.MEMORY, "memory ran out"), 1)
    assert "memory ran out" in (found.report["results"][0]["reason"] or "")
    assert worst([Exit.UNKNOWN, Exit.FAILS, Exit.HOLDS]) is Exit.FAILS
    assert worst([Exit.INPUT, Exit.FAILS, Exit.BUG]) is Exit.BUG
    assert worst([]) is Exit.HOLDS


def test_every_difference_is_named() -> None:
    found = gathered(result(1, "holds"), result(2, "fails"))
    expected = Expectation({1: "fails", 4: "holds"}, 7)
    assert list(differences(expected, found.report)) == [
        "formula 1: expected fails, but it is holds",
        "formula 4: expected holds, but there is no such formula",
        "formula 2: no verdict is expected, and it is fails",
        "expected 7 reachable states, but there are None",
    ]


def test_reports_in_colour_and_with_long_formulae() -> None:
    found = gathered(result(1, "unknown", "no engine"), result(2, "fails"))
    found.report["results"][1]["formula"] = " and ".join(f"proposition{i}" for i in range(200))
    found.report["results"][1]["statistics"] = {"nodes": 12, "seconds": {"reach": 0.123456}, "order": "auto"}
    lines = list(show_report(found.report, Style(colour=True, width=80)))
    assert any("\x1b[31;1mFAILS" in line for line in lines)
    assert all(len(line) < 110 for line in lines)
    assert sum("proposition" in line for line in lines) < 8
    assert any("nodes: 12" in line for line in lines)
    assert any("reach: 0.123" in line for line in lines)


def test_numbers_and_durations() -> None:
    assert number(10**30) == "1" + "0" * 30
    assert number(123 * 10**50) == "about 1.230e52"
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
    line = ProgressLine(stream, width=60, clock=lambda: now[0])
    line.show("reachable states", {"step": 1})
    assert stream.getvalue() == ""
    now[0] = 65.0
    line.show("reachable states", {"step": 41, "states": 2.1e14, "order": "auto"})
    assert stream.getvalue() == "\r\x1b[2Kreachable states   step 41   states 2.1e14   order auto   1"
    line.clear()
    line.clear()
    assert stream.getvalue().count("\x1b[2K") == 2
    assert describe("x", {"part": 0.5}) == "x   part 0.5"
