"""Reports for continuous integration: JUnit XML, SARIF and GitHub annotations say what the text says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.cli.lamp_models import COUNTER, LAMP, Run

from epistrat.answers import Difference, Ending, How
from epistrat.render.findings import Step, _step, github, items, junit, sarif
from epistrat.service import CheckRequest, Text, ask

REPORT = ask(CheckRequest(model=Text(LAMP, "lamp.ispl")))[0]
WARNED = ask(CheckRequest(model=Text(COUNTER, "counter.ispl")))[0]


def test_one_case_for_each_formula() -> None:
    root = ElementTree.fromstring(junit([REPORT, WARNED]))
    one, two = root
    assert [case.get("name") for case in one] == ["1: AG EF lit", "2: AF lit", "3: <g>F lit"]
    assert (one.get("tests"), one.get("failures"), one.get("errors")) == ("3", "1", "0")
    failure = one[1].find("failure")
    assert failure is not None
    assert "`lit` never becomes true" in (failure.get("message") or "")
    assert two.get("failures") == "0"


def test_a_model_that_is_rejected_or_ends_early_is_an_error() -> None:
    ended = replace(REPORT, results=REPORT.results[:1], ending=Ending(How.CRASHED, "a \x07 crash"))
    (suite,) = ElementTree.fromstring(junit([ended]))
    assert (suite.get("tests"), suite.get("errors")) == ("2", "1")
    assert [item.rule for item in items(ended)] == ["ended"]


def test_what_was_expected_is_no_finding() -> None:
    expected = replace(REPORT, differences=())
    assert list(items(expected)) == []
    assert [item.rule for item in items(replace(REPORT, differences=(Difference("formula 2: ...", 2),)))] == [
        "difference"
    ]


def test_sarif_names_rules_and_places() -> None:
    log = json.loads(sarif([REPORT, WARNED], "1.0"))
    (run,) = log["runs"]
    assert log["version"] == "2.1.0"
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {one["ruleId"] for one in run["results"]}
    failure = run["results"][0]
    assert failure["level"] == "error"
    place = failure["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "lamp.ispl"
    assert place["region"] == {"startLine": 17, "startColumn": 3}


def test_annotations_are_escaped_lines() -> None:
    (line,) = github([REPORT]).split("\n")
    assert line.startswith("::error file=lamp.ispl,line=17,col=3,title=epistrat%3A a formula that fails::formula 2")
    assert "%0A" in line


@pytest.mark.parametrize("form", ["junit", "sarif", "github", "json", "text"])
def test_the_exit_status_is_the_same_in_every_format(form: str, run: Run, models: Path) -> None:
    assert run("check", "lamp.ispl", "--format", form).status == 1
    assert run("check", "counter.ispl", "lamp.ispl", "--only", "1", "--format", form).status == 0
    assert run("check", "missing.ispl", "--format", form).status == 3


EXPECTED = LAMP  # it says what it expects
TRIVIAL = LAMP.replace("InitStates", "InitStates\n false and", 1)
BROKEN = LAMP.replace("AG EF lit", "AG EF lti").replace("AF lit", "AF unlit", 1)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (EXPECTED, ["--expect"]),
        (EXPECTED.replace("2 fails", "2 holds"), ["--expect"]),
        (EXPECTED.replace("3 holds", "3 holds, states 99"), ["--expect"]),
        (EXPECTED.replace(", 3 holds", ""), ["--expect"]),
        (LAMP, []),
        (LAMP, ["--only", "1"]),
        (LAMP, ["--only", "1", "--werror"]),
        (COUNTER, []),
        (COUNTER, ["--werror"]),
        (TRIVIAL, []),
        (TRIVIAL, ["--allow-vacuous"]),
        (BROKEN, []),
        (LAMP, ["--engine", "explicit", "--states", "1"]),
    ],
)
def test_junit_and_sarif_agree_with_the_exit_status(text: str, options: list[str], run: Run, models: Path) -> None:
    (models / "asked.ispl").write_text(text)
    done = run("check", "asked.ispl", "--format", "junit", *options)
    root = ElementTree.fromstring(done.out)
    bad = [case for case in root.iter("testcase") if case.find("failure") is not None or case.find("error") is not None]
    assert (done.status == 0) == (not bad)
    assert sum(int(suite.get("failures") or 0) + int(suite.get("errors") or 0) for suite in root) == len(bad)
    log = json.loads(run("check", "asked.ispl", "--format", "sarif", *options).out)
    wrong = [one for one in log["runs"][0]["results"] if one["level"] == "error" or one["ruleId"] == "unknown"]
    assert (done.status == 0) == (not wrong)


def test_what_differs_is_the_failure_of_its_formula(run: Run, models: Path) -> None:
    (models / "asked.ispl").write_text(EXPECTED.replace("2 fails", "2 holds"))
    (suite,) = ElementTree.fromstring(run("check", "asked.ispl", "--expect", "--format", "junit").out)
    (failing,) = [case for case in suite if case.find("failure") is not None]
    assert failing.get("name") == "2: AF lit"
    assert failing.get("line") == "17"
    found = failing.find("failure")
    assert found is not None
    assert found.get("message") == "formula 2: expected: holds; result: fails"


def test_rejections_have_lines_and_each_is_a_case(run: Run, models: Path) -> None:
    (models / "asked.ispl").write_text(BROKEN)
    (suite,) = ElementTree.fromstring(run("check", "asked.ispl", "--format", "junit").out)
    assert [(case.get("file"), case.get("line")) for case in suite] == [("asked.ispl", "16"), ("asked.ispl", "17")]
    error = suite[0].find("error")
    assert error is not None
    assert (error.get("message") or "").startswith("asked.ispl:16:")


def test_sarif_shows_runs_as_code_flows(run: Run, models: Path) -> None:
    log = json.loads(run("check", "lamp.ispl", "--only", "2", "--evidence", "--format", "sarif").out)
    (result,) = log["runs"][0]["results"]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [_line(step) for step in steps] == [13, 6], (
        "the initial condition, and the protocol line that allows to wait"
    )
    assert all(step["location"]["message"]["text"] for step in steps)


def _line(step: dict[str, Any]) -> int:
    line: int = step["location"]["physicalLocation"]["region"]["startLine"]
    return line


def test_a_step_points_at_the_line_that_did_it(run: Run, models: Path) -> None:
    text = (models / "lamp.ispl").read_text().replace("AF lit;", "AG !lit;")
    (models / "lamp.ispl").write_text(text)
    log = json.loads(run("check", "lamp.ispl", "--only", "2", "--evidence", "--format", "sarif").out)
    (result,) = log["runs"][0]["results"]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [_line(step) for step in steps] == [13, 8], "the evolution line that switches the lamp on"


def test_a_step_of_a_model_without_text_has_no_place() -> None:
    step = Step("something happens", None)
    assert _step("lamp.ispl", step) == {"message": {"text": "something happens"}}


@pytest.mark.parametrize("name", ["a\x01b.ispl", "a\udcffb.ispl", 'a"<&>\u00fc.ispl', "a\nb.ispl"])
def test_any_name_of_a_file_leaves_the_formats_readable(name: str) -> None:
    report = replace(REPORT, model=name)
    (suite,) = ElementTree.fromstring(junit([report]).encode())
    assert suite.get("failures") == "1"
    (run,) = json.loads(sarif([report], "1.0"))["runs"]
    (failure,) = run["results"]
    assert failure["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].isascii()
    assert len(github([report]).splitlines()) == 1


@pytest.mark.parametrize("how", [how for how in How if how not in (How.DONE, How.REJECTED)])
def test_every_early_end_is_an_item(how: How) -> None:
    assert [item.rule for item in items(replace(REPORT, results=REPORT.results[:1], ending=Ending(how, "")))] == [
        "ended"
    ]
