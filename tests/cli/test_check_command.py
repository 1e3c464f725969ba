"""``epistrat check``: what it prints, and its exit status."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.lamp_models import LAMP, Run

COMMAND = [sys.executable, "-c", "from epistrat.cli.main import run; run()"]


def test_the_answer_comes_first(run: Run) -> None:
    done = run("check", "lamp.ispl")
    lines = done.out.splitlines()
    assert done.status == 1
    assert lines[0] == "lamp.ispl: 1 agent"
    assert lines[2:4] == ["  1  holds  AG EF lit  (proved)", "  2  FAILS  AF lit  (proved)"]
    assert "`lit` never becomes true" in lines[4]
    assert lines[5] == "  3  holds  <g>F lit  (proved)"
    assert lines[-1].startswith("2 hold, 1 fails; 2 reachable states (")
    assert lines[-1].endswith("See why: epistrat check lamp.ispl --only 2 --evidence")
    assert done.err == ""


def test_why_is_shown_when_asked(run: Run) -> None:
    done = run("check", "lamp.ispl", "--only", "2", "--evidence")
    assert done.status == 1
    assert "Re-checked independently" in done.out
    assert "See why" not in done.out
    full = run("check", "lamp.ispl", "--only", "2", "--evidence", "--full", "--agents", "Lamp", "--depth", "1")
    assert full.status == 1


def test_what_holds_for_a_trivial_reason_says_so(run: Run) -> None:
    done = run("check", "lamp.ispl", "-f", "AG (false and lit -> lit)", "-f", "AG ((lit and !lit) -> lit)")
    assert done.status == 0
    assert "never" in done.out


def test_all_hold(run: Run) -> None:
    done = run("check", "lamp.ispl", "--only", "1,3")
    assert done.status == 0
    assert "1 holds" not in done.out
    assert "2 hold; 2 reachable states (" in done.out


def test_formulae_from_the_command_line(run: Run) -> None:
    done = run("check", "lamp.ispl", "-f", "EX lit", "-f", "lit")
    assert done.status == 1
    assert "  1  holds  EX lit  (proved)\n  2  FAILS  lit  (proved)\n" in done.out


def test_json_is_one_object_and_nothing_else(run: Run) -> None:
    done = run("check", "lamp.ispl", "--json")
    report = done.json
    assert done.status == 1
    assert done.out.count("\n") == 1
    assert report["schema"] == 1
    assert report["model"] == "lamp.ispl"
    assert report["states"] == 2
    assert [result["index"] for result in report["results"]] == [1, 2, 3]
    assert [result["verdict"] for result in report["results"]] == ["holds", "fails", "holds"]
    assert {result["reason"] for result in report["results"]} == {None}
    assert report["diagnostics"] == []


def test_several_files_make_several_reports(run: Run) -> None:
    done = run("check", "lamp.ispl", "counter.ispl", "--json")
    assert [line.count('"schema"') for line in done.out.splitlines()] == [1, 1]
    assert done.status == 1


def test_expected_verdicts(run: Run, models: Path) -> None:
    assert run("check", "lamp.ispl", "--expect").status == 0
    wrong = LAMP.replace("2 fails, 3 holds; states 2", "2 holds, 3 holds; states 3")
    (models / "wrong.ispl").write_text(wrong)
    done = run("check", "wrong.ispl", "--expect")
    assert done.status == 1
    assert "formula 2: expected: holds; result: fails" in done.out
    assert "reachable states: expected: 3; result: 2" in done.out
    assert run("check", "lamp.ispl", "--expect", "--only", "2").status == 0


def test_nothing_expected_is_a_misuse(run: Run) -> None:
    done = run("check", "counter.ispl", "--expect")
    assert done.status == 2
    assert "nothing to compare with" in done.err


@pytest.mark.parametrize("line", ["-- expect: 1 perhaps", "-- expect: yes"])
def test_expectations_that_cannot_be_understood(run: Run, models: Path, line: str) -> None:
    (models / "odd.ispl").write_text(line + "\n" + LAMP)
    done = run("check", "odd.ispl", "--expect")
    assert done.status == 2
    assert "is no expectation" in done.err


def test_dead_ends_and_overflows_are_warned_about_with_a_path(run: Run) -> None:
    done = run("check", "counter.ispl")
    assert done.status == 0
    assert "warning[W008]: one reachable state is a dead end" in done.out
    assert "warning[W009]: in one reachable state an assignment leaves the range" in done.out
    assert "counter.ispl:5:14\n   5 |   Evolution: n = n + 1 if Action = up; end Evolution" in done.out
    assert "0  Counter.n=0" in done.out
    assert "3  Counter.n=3" in done.out


def test_dead_ends_and_overflows_as_properties(run: Run) -> None:
    done = run("check", "counter.ispl", "--deadlock", "--overflow", "--json", "--evidence")
    assert done.status == 1
    results = done.json["results"]
    assert [(r["index"], r["verdict"], r.get("property")) for r in results] == [
        (1, "holds", None),
        (2, "fails", "deadlock"),
        (3, "fails", "overflow"),
    ]
    assert results[1]["evidence"]["states"][-1] == {"Counter.n": 3}
    assert len(results[1]["evidence"]["actions"]) == 3
    assert run("check", "lamp.ispl", "--deadlock", "--only", "1").status == 0


@pytest.mark.parametrize("engine", ["reference", "symbolic", "all"])
def test_engines_by_name(run: Run, engine: str) -> None:
    done = run("check", "lamp.ispl", "--engine", engine, "--json")
    assert done.status == 1
    assert {r["verdict"] for r in done.json["results"]} == {"holds", "fails"}


def test_a_refusal_is_unknown_and_says_why(run: Run, models: Path) -> None:
    (models / "big.ispl").write_text(
        LAMP.replace("on : boolean;", "on : boolean; n : integer;").replace(
            "Lamp.on = false;", "Lamp.on = false and Lamp.n = 0;"
        )
    )
    done = run("check", "big.ispl", "--engine", "symbolic", "--only", "1")
    assert done.status == 4
    assert "the engine symbolic cannot answer this: it cannot deal with unbounded variables such as Lamp.n" in " ".join(
        done.out.split()
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--engine", "magic"], "there is no engine 'magic'"),
        (["--order", "magic"], "order"),
        (["--only", "9"], "there is no formula 9"),
        (["--only", "2x"], "neither a number, a range"),
        (["--group", "g"], "--group needs --strategies uniform"),
        (["--strategies", "uniform", "--group", "h"], "there is no group 'h'"),
        (["--expect", "-f", "lit"], "--expect"),
        (["--memory", "lots"], "is no size"),
        (["--time", "0"], "not a number of seconds"),
        (["--nodes", "-1"], "negative"),
        (["--nonsense"], "there is no option --nonsense"),
    ],
)
def test_misuse(run: Run, arguments: list[str], words: str) -> None:
    done = run("check", "lamp.ispl", *arguments)
    assert done.status == 2
    assert words in done.err
    assert "Traceback" not in done.err


def test_uniform_strategies_of_a_group(run: Run) -> None:
    assert run("check", "lamp.ispl", "--strategies", "uniform", "--group", "g").status == 0


def test_bad_formulae_are_located(run: Run) -> None:
    done = run("check", "lamp.ispl", "-f", "AG (litt)")
    assert done.status == 3
    assert "`litt`" in done.err
    assert "did you mean `lit`?" in done.err


def test_bad_models_are_located_and_counted(run: Run, models: Path) -> None:
    (models / "bad.ispl").write_text(
        LAMP.replace("Action = press;\n  end", "Action = pess;\n  end").replace("Action = press", "Action = pres")
    )
    done = run("check", "bad.ispl")
    assert done.status == 3
    assert done.out == ""
    assert "bad.ispl:8:" in done.err
    assert "2 errors. `epistrat explain E014` says more." in done.err
    report = run("check", "bad.ispl", "--json").json
    assert report["states"] is None
    assert report["results"] == []
    assert [d["line"] for d in report["diagnostics"] if d["severity"] == "error"] == [8, 9]


def test_files_that_cannot_be_read(run: Run, models: Path) -> None:
    (models / "folder").mkdir()
    (models / "latin.ispl").write_bytes(b"-- fine\nAgent caf\xe9\n")
    (models / "binary.ispl").write_bytes(b"\0\1\2\3" * 100)
    (models / "empty.ispl").write_bytes(b"")
    for name, words in [
        ("missing.ispl", "there is no such file"),
        ("folder", "this is a directory"),
        ("latin.ispl", "byte 17 in line 2 is not UTF-8"),
        ("binary.ispl", "this is not text"),
        ("empty.ispl", ""),
    ]:
        done = run("check", name)
        assert done.status == 3, name
        assert words in done.err
        assert "error[E" in done.err
        assert run("check", name, "--json").json["results"] == []


def test_one_bad_file_does_not_hide_the_others(run: Run) -> None:
    done = run("check", "missing.ispl", "lamp.ispl", "--only", "1")
    assert done.status == 3
    assert "1 holds" in done.out


def test_strict_refuses_extensions(run: Run, models: Path) -> None:
    (models / "extended.ispl").write_text(LAMP.replace("AF lit;", "AF (Lamp.on = true);"))
    assert run("check", "extended.ispl", "--only", "1").status == 0
    assert run("check", "extended.ispl", "--only", "1", "--strict").status == 3
    assert run("check", "lamp.ispl", "--only", "1", "--strict").status == 0


def test_statistics(run: Run) -> None:
    done = run("check", "lamp.ispl", "--stats")
    assert "chosen because: a finite model: decision diagrams are tried first" in done.out
    assert run("check", "lamp.ispl", "--stats", "--json").json["statistics"]


def test_our_own_mistakes_are_short_and_exit_with_70(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from epistrat.service import pipeline

    def broken(*_: object, **__: object) -> None:
        raise AssertionError("impossible")

    monkeypatch.setattr(pipeline, "check", broken)
    done = run("check", "lamp.ispl")
    assert done.status == 70
    assert "internal error: AssertionError: impossible" in done.err
    assert "Traceback" not in done.err
    monkeypatch.setenv("EPISTRAT_TRACEBACK", "1")
    assert "Traceback" in run("check", "lamp.ispl").err


def test_disagreeing_engines_are_our_bug(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from epistrat.engines.contract import Outcome, Verdict
    from epistrat.engines.symbolic.session import SymbolicSession

    monkeypatch.setattr(SymbolicSession, "check", lambda self, formula: Outcome(Verdict.FAILS))
    done = run("check", "lamp.ispl", "--engine", "all")
    assert done.status == 70
    assert "symbolic says fails" in done.err
    assert "reference says holds" in done.err


def test_standard_input(shell: Run) -> None:
    done = shell("check", "-", "--only", "1", input=LAMP)
    assert done.status == 0
    assert done.out.startswith("<stdin>: 1 agent\n")


def test_supervised_runs_say_the_same(shell: Run, run: Run) -> None:
    alone, supervised = run("check", "counter.ispl"), shell("check", "counter.ispl")
    assert supervised.status == alone.status
    assert supervised.out.splitlines()[:-1] == alone.out.splitlines()[:-1]


def test_no_colour_and_no_progress_outside_a_terminal(shell: Run) -> None:
    done = shell("check", "lamp.ispl")
    assert "\x1b" not in done.out + done.err


def test_a_reader_that_goes_away_is_no_error(models: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -c 'from epistrat.cli.main import run; run()' check lamp.ispl --only 2 | true; "
        'echo "${PIPESTATUS[0]}"',
        shell=True,
        executable="/bin/bash",
        cwd=models,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout == "1\n"


ENDLESS = """\
Agent A
  Vars: n : integer; end Vars
  Actions = {up};
  Protocol: Other : {up}; end Protocol
  Evolution: n = n + 1 if Action = up; end Evolution
end Agent
Evaluation low if A.n < 1000000000; zero if A.n = 0; end Evaluation
InitStates A.n = 0; end InitStates
Formulae zero; AG low; EF zero; end Formulae
"""


def test_a_time_limit_ends_with_unknown(shell: Run, models: Path) -> None:
    (models / "endless.ispl").write_text(ENDLESS)
    done = shell("check", "endless.ispl", "--time", "1", "--json", "--engine", "reference")
    assert done.status == 4
    assert done.json["seconds"] < 2
    assert "time limit of 1 s reached" in done.json["results"][1]["reason"]


def test_a_limit_reached_before_the_model_is_read_gives_every_formula(shell: Run) -> None:
    done = shell("check", "lamp.ispl", "--memory", "1", "--json")
    assert done.status == 4
    assert [(one["formula"], one["verdict"]) for one in done.json["results"]] == [
        ("AG EF lit", "unknown"),
        ("AF lit", "unknown"),
        ("<g>F lit", "unknown"),
    ]
    assert "memory limit" in done.json["results"][0]["reason"]
    assert "  2  unknown  AF lit\n" in shell("check", "lamp.ispl", "--memory", "1").out


def test_ctrl_c_shows_what_is_known(models: Path) -> None:
    (models / "endless.ispl").write_text(ENDLESS)
    process = subprocess.Popen(
        [*COMMAND, "check", "endless.ispl", "--states", "1000000000", "--engine", "reference"],
        cwd=models,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("endless.ispl")  # the worker has read the model
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "formulae decided" in err
    assert "unknown" in out
    assert "Traceback" not in err
