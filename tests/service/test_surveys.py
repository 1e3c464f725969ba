"""Lines that overlap or never fire, warnings that the states show to be unfounded, and what the command says about warnings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import epistrat
from epistrat import Verdict
from epistrat.cli.main import main
from epistrat.service.survey import Visit, may_overlap

COUNTERS = """
Agent A Vars: x : 0..2; y : 0..2; end Vars Actions = {go, rest};
  Protocol: x < 2 and y < 2 : {go}; Other : {rest}; end Protocol
  Evolution:
    x = x + 1 if Action = go;
    y = y + 1 if Action = go;
  end Evolution end Agent
Evaluation same if A.x = A.y; end Evaluation
InitStates A.x = 0 and A.y = 0; end InitStates
Formulae AG same; end Formulae
"""
HALF = """
Agent A Vars: x : 0..3; y : 0..3; up : boolean; end Vars Actions = {go, run};
  Protocol: Other : {go, run}; end Protocol
  Evolution:
    x = x + 1 if Action = go and up = false;
    y = y + 1 and up = true if Action = run;
    y = y - 1 and up = true if Action = run and up = true and x = 0 and y = 0;
  end Evolution end Agent
Evaluation zero if A.x = 0; end Evaluation
InitStates A.x = 0 and A.y = 0 and A.up = false; end InitStates
Formulae EF zero; end Formulae
"""


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("EPISTRAT_IN_PROCESS", "1")

    def command(text: str, *options: str) -> tuple[int, str]:
        (tmp_path / "model.ispl").write_text(text)
        status = main(["check", str(tmp_path / "model.ispl"), *options])
        return status, capsys.readouterr().out

    return command


def test_lines_of_which_one_does_not_fire(check) -> None:  # type: ignore[no-untyped-def]
    _, out = check(COUNTERS)
    assert "warning[W020]: evolution lines 1 and 2 of A assign different variables at once" in out
    assert "   5 |     x = x + 1 if Action = go;" in out
    assert "line 6 of the file: y = y + 1 if Action = go;" in out
    assert "joined by `and`, or set Semantics = SingleAssignment" in out
    assert "    0  A.x=0 y=0" in out


@pytest.mark.parametrize(
    "text",
    [
        "Semantics = SingleAssignment;" + COUNTERS,
        COUNTERS.replace("go;\n    y = y", "go and x = 0;\n    y = y").replace("y + 1 if", "y + 1 if x = 1 and"),
        COUNTERS.replace("y = y + 1", "x = 0"),
    ],
)
def test_lines_that_do_not_overlap_or_are_alternatives(check, text: str) -> None:  # type: ignore[no-untyped-def]
    assert "W020" not in check(text)[1]


@pytest.mark.parametrize("engine", ["symbolic", "explicit", "reference"])
def test_warnings_are_withdrawn_line_by_line(check, engine: str) -> None:  # type: ignore[no-untyped-def]
    out = check(HALF, "--all-warnings", "--no-warn", "W020", "--engine", engine)[1]
    assert out.count("warning[W006]") == 2, out
    assert "y = y - 1" not in out


def test_one_warning_of_each_kind(check) -> None:  # type: ignore[no-untyped-def]
    out = check(HALF)[1]
    assert out.count("warning[W006]") == 1
    assert "1 more with the same cause: line 6 (--all-warnings shows them)." in out


def test_warnings_and_the_exit_status(check) -> None:  # type: ignore[no-untyped-def]
    assert check(HALF)[0] == 0
    assert check(HALF, "--werror")[0] == 1
    assert check(HALF, "--werror", "--no-warn", "W006,W009,W020")[0] == 0


def test_quiet(check) -> None:  # type: ignore[no-untyped-def]
    assert check(HALF, "--quiet") == (0, "")
    status, out = check(COUNTERS, "-q")
    assert status == 1
    assert out.splitlines()[0].split()[:4] == ["1", "FAILS", "AG", "same"]
    assert "W020" not in out


def test_a_survey_is_made_where_it_can_show_something_and_long_conditions_count() -> None:
    overlapping, single = epistrat.load(COUNTERS), epistrat.load("Semantics = SingleAssignment;" + COUNTERS)
    assert may_overlap(overlapping)
    assert not may_overlap(single)
    assert not may_overlap(epistrat.load(COUNTERS.replace("    y = y + 1 if Action = go;\n", "")))
    long = " or ".join(f"(x = {n % 3} and y = {m % 3} and x < y + {n})" for n in range(9) for m in range(9))
    slow = epistrat.load(COUNTERS.replace("x < 2 and y < 2 :", f"x < 2 and y < 2 and ({long}) :"))
    assert Visit(overlapping, most=20).complete
    assert not Visit(slow, most=20).complete


UNUSED = """
Agent A
  Vars: x : 0..3; mood : {good, bad}; end Vars
  Actions = {go, rest, fly};
  Protocol: x < 2 : {go}; x = 3 : {fly}; Other : {rest}; end Protocol
  Evolution:
    x = x + 1 if Action = go;
    mood = bad if Action = fly;
  end Evolution
end Agent
Evaluation two if A.x = 2; end Evaluation
InitStates A.x = 0 and A.mood = good; end InitStates
Formulae EF two; end Formulae
"""


def test_what_never_happens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EPISTRAT_IN_PROCESS", "1")
    (tmp_path / "model.ispl").write_text(UNUSED)
    assert main(["info", str(tmp_path / "model.ispl"), "--coverage"]) == 0
    out = capsys.readouterr().out
    expected = """never in a reachable state:
  protocol line: A, line 5: x = 3 : {fly};
  evolution line: A, line 8: mood = bad if Action = fly;
  action: A: fly
  value: A.x = 3
  value: A.mood = bad
"""
    assert expected in out
    assert main(["info", str(tmp_path / "model.ispl"), "--coverage", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["coverage"]["actions"] == ["A: fly"]


# The counter leaves its range in the end, and nothing else can be done there.
LONG = """
Agent A Vars: x : 0..9; end Vars Actions = {up};
  Protocol: Other : {up}; end Protocol
  Evolution: x = x + 1 if Action = up; end Evolution end Agent
InitStates A.x = 0; end InitStates
Formulae AG A.x >= 0; end Formulae
"""


@pytest.mark.parametrize("question", ["deadlock", "overflow"])
def test_states_that_were_not_explored_may_hide_a_dead_end(question: str) -> None:
    """Whether there is one is unknown, and the answer says why; with all states in sight it is known."""
    system, dead = epistrat.load(LONG), question == "deadlock"
    limited = system.report(states=3, engine="explicit", deadlock=dead, overflow=not dead).results[-1]
    assert limited.verdict is Verdict.UNKNOWN
    assert limited.reason is not None and "3 states" in limited.reason
    found = system.report(engine="explicit", deadlock=dead, overflow=not dead).results[-1]
    assert found.verdict is Verdict.FAILS
