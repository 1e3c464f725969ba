"""Eight places where the faces, or a face and its documentation, had begun to differ.  Each was seen by a user; each has a test.

What the faces make of random questions is compared in `test_faces_agree`.  The eighth was memory that was told by its name: see
`tests/encoding/test_ages_of_memory.py`.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.lamp_models import LAMP, Run

import epistrat
from epistrat.answers import Verdict
from epistrat.render.json.cursor import Datum
from epistrat.studio import asking as studio

ROOT = Path(__file__).parents[2]
HIDDEN = (Path(__file__).parent / "hidden_coin.ispl").read_text(encoding="utf-8")
CLIMBING = """
Agent A
  Vars: n : 0..3; m : 0..3; k : 0..1; end Vars
  Actions = {up, go};
  Protocol: Other : {up, go}; end Protocol
  Evolution:
    n = n + 1 if Action = up;
    m = m + 1 and k = 1 if Action = go and k = 0;
  end Evolution
end Agent
Evaluation p if A.n = 3; end Evaluation
InitStates A.n = 0 and A.m = 0 and A.k = 0; end InitStates
Formulae EF p; end Formulae
"""
"""``n`` leaves its range, ``m`` never does: each of them gets a warning from the text, and one is withdrawn."""
SENSOR = """
Agent Environment
  Vars: n : 0..2; end Vars
  Obsvars: signal : boolean; end Obsvars
  Actions = {tick}; Protocol: Other : {tick}; end Protocol
  Evolution:
    n = 0 and signal = false if n = 2;
    n = 1 if n = 0;
    n = 2 and signal = true if n = 1;
  end Evolution
end Agent
Agent A
  Actions = {look}; Protocol: Other : {look}; end Protocol
end Agent
Evaluation one if Environment.n = 1; end Evaluation
InitStates Environment.n = 2 and Environment.signal = true; end InitStates
Groups g = {A}; end Groups
Formulae AG (one -> K(A, one)); AF !K(A, one); AG GCK(g, !one or one); end Formulae
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "model.ispl"


def studio_events(text: str) -> list[Any]:
    told: list[Any] = []
    studio.check(Datum({"text": text, "name": "model.ispl", "parameters": {}}), told.append)
    return told


def test_1_where_no_reading_is_chosen_the_faces_choose_the_same(run: Run, file: Path) -> None:
    file.write_text(HIDDEN, encoding="utf-8")
    assert [one["verdict"] for one in run("check", str(file), "--json").json["results"]] == ["fails"]
    assert [one.verdict for one in epistrat.load(HIDDEN).check()] == [Verdict.FAILS]
    answered = [one["result"]["verdict"] for one in studio_events(HIDDEN) if one["event"] == "answered"]
    assert answered == ["fails"]


def test_2_the_studio_withdraws_the_warnings_that_the_command_withdraws(run: Run, file: Path) -> None:
    file.write_text(CLIMBING, encoding="utf-8")
    printed = run("check", str(file), "--json").json["diagnostics"]
    events = studio_events(CLIMBING)
    warned = [one["diagnostic"] for one in events if one["event"] == "warned"]
    assert [one["code"] for one in warned].count("W006") == 2
    (left,) = [one["left"] for one in events if one["event"] == "withdrawn"]
    assert [one["code"] for one in left].count("W006") == [one["code"] for one in printed].count("W006") == 1


def test_3_answers_with_recall_can_be_replayed(run: Run, tmp_path: Path, file: Path) -> None:
    file.write_text(SENSOR, encoding="utf-8")
    answers = tmp_path / "answers.json"
    for steps, verdict in ((0, "fails"), (1, "holds")):
        said = run("check", str(file), "--only", "1", "--recall", str(steps), "--evidence", "--json")
        assert said.json["results"][0]["verdict"] == verdict
        answers.write_text(said.out, encoding="utf-8")
        assert run("replay", str(file), str(answers)).status == 0


@pytest.mark.parametrize("text", [LAMP, SENSOR, CLIMBING])
def test_4_the_form_of_the_output_does_not_decide_what_is_computed(run: Run, file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    bare, shown = (run("check", str(file), "--json", *more).json["results"] for more in ([], ["--evidence"]))
    assert [(one["verdict"], one.get("why")) for one in bare] == [(one["verdict"], one.get("why")) for one in shown]
    assert all(one.get("why") for one in bare if one["verdict"] == "fails")
    printed = " ".join(run("check", str(file)).out.split())
    assert all(" ".join(one["why"].split()) in printed for one in bare if one["verdict"] == "fails")


def test_5_what_an_engine_does_not_answer_it_declines_as_data(run: Run, file: Path) -> None:
    file.write_text(SENSOR, encoding="utf-8")
    (said,) = run("check", str(file), "--only", "3", "--engine", "lazy", "--json").json["results"]
    assert said["verdict"] == "unknown" and "common knowledge" in said["reason"]
    assert "--time" not in json.dumps(said)


def test_6_exports_keep_limits_and_nobody_reads_what_a_command_printed(run: Run, file: Path) -> None:
    file.write_text(LAMP, encoding="utf-8")
    for form in ("json", "dot", "vmt", "smv"):
        assert "--time" in run("export", str(file), f"--{form}", "--time", "no time").err
        limited = run("export", str(file), f"--{form}", "--only", "1", "--time", "60", "--memory", "1")
        assert limited.status == 4 and "memory limit" in limited.err
    for module in ("experiments/task", "experiments/sweep", "cli/several", "cli/check"):
        text = (ROOT / f"src/epistrat/{module}.py").read_text(encoding="utf-8")
        assert "json.loads" not in text, module


CLOCKS = {"engines/abstraction/session.py": "time.monotonic"}  # how long it took, which is told and decides nothing


@pytest.mark.parametrize("package", ["proving", "engines/abstraction", "engines/lazy"])
def test_7_proof_search_has_no_clock(package: str) -> None:
    """Names of clocks in these packages; the user's limit is the budget's."""
    for path in sorted((ROOT / "src/epistrat" / package).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        clocks = [
            one
            for one in ast.walk(tree)
            if (isinstance(one, ast.Import) and any(alias.name == "time" for alias in one.names))
            or (isinstance(one, ast.ImportFrom) and one.module == "time")
            or (isinstance(one, ast.keyword) and one.arg in ("seconds", "timeout"))
        ]
        name = str(path.relative_to(ROOT / "src/epistrat"))
        assert not clocks or name in CLOCKS, (name, [one.lineno for one in clocks])
