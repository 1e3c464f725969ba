"""Reports for continuous integration: JUnit XML, SARIF and GitHub annotations say what the text says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.cli.lamp_models import COUNTER, LAMP, Run

from epistrat.answers import Ending, How
from epistrat.render.findings import github, items, junit, sarif
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
    assert [item.rule for item in items(replace(REPORT, differences=("formula 2: ...",)))] == ["difference"]


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
