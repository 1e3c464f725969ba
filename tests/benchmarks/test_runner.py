"""The runner: it measures what it says, notices wrong answers, and its suites are in order."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.families import FAMILIES
from benchmarks.measure import Run
from benchmarks.report import Row
from benchmarks.suite import Case

from benchmarks import measure, plot, report, run_suite, suite

PRINT = "import json; print(json.dumps({}))"


def run_python(code: str, limit: float = 20.0) -> Run:
    return measure.execute([sys.executable, "-c", code], limit)


def answered(cpu: float, *verdicts: str, states: int | None = None) -> Run:
    found = {"states": states, "results": [{"verdict": verdict, "reason": "no time"} for verdict in verdicts]}
    return Run(cpu, cpu, 100.0, 0, True, found | {"statistics": {"symbolic": {"variables": 12}}})


def ring(n: int, cpu: float, **changes: float) -> Row:
    case = replace(Case("dc", n, "ctl", 10.0), **changes)  # type: ignore[arg-type]
    return Row(case, answered(cpu, "holds"))


def test_cpu_time_and_memory_of_children_count() -> None:
    burn = "x = bytearray(200_000_000); [i * i for i in range(3_000_000)]"
    run = run_python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn!r}])")
    assert run.cpu > 0.1
    assert run.peak_mb > 190


def test_a_command_that_overruns_is_killed() -> None:
    run = run_python("while True: pass", limit=0.5)
    assert not run.finished
    assert not run.decided
    assert run.wall < 5


def test_a_crash_is_reported_with_its_complaint() -> None:
    run = run_python("raise SystemExit('no such luck')")
    assert (run.status, run.report, run.complaint) == (1, None, "no such luck")
    assert Row(Case("dc", 3, "ctl", 1.0), run).problem == "exit 1: no such luck"


def test_wrong_verdicts_and_wrong_counts_are_noticed() -> None:
    case = Case("dc", 3, "ctl", 10.0)
    assert Row(case, answered(0.1, "holds", states=64)).problem == ""
    assert Row(case, answered(0.1, "fails")).problem == "WRONG: formula 1 fails"
    assert Row(case, answered(0.1, "holds", states=63)).problem == "WRONG: 63 states, not 64"
    assert Row(case, answered(0.1, "holds"), answered(0.1, "fails")).problem == "WRONG: the plain variant disagrees"
    assert Row(case, answered(0.1, "unknown")).problem == "no time"


def test_ratio_and_missed_figures() -> None:
    case = Case("dc", 3, "ctl", 10.0, figure=0.5)
    row = Row(case, answered(0.25, "holds"), answered(2.5, "holds"))
    assert row.ratio == 10
    assert not row.missed
    assert Row(case, answered(0.75, "holds")).missed
    assert Row(case, answered(0.25, "unknown")).missed


def test_random_models_are_held_to_the_median() -> None:
    runs = [answered(cpu, "holds") for cpu in (0.25, 9.0, 0.75)] + [answered(0.5, "unknown")]
    rows = [Row(Case("sparse", 12, "all", 10.0, figure=0.5, seed=seed), run) for seed, run in enumerate(runs)]
    assert report.medians(rows[:3]) == {"sparse 12 all": (0.75, 0.5)}
    assert report.medians(rows) == {"sparse 12 all": (4.875, 0.5)}
    assert report.medians(rows[:1]) == {}
    assert report.misses(rows) == ["sparse 12 all"]
    assert report.misses(rows[1:2]) == ["sparse 12 all"]
    assert report.misses(rows[:1]) == []


def test_growth_is_the_exponent_without_start_up() -> None:
    rows = [ring(10, 1.2), ring(20, 4.2), ring(40, 16.2)]
    (steps,) = report.growth(rows, startup=0.2).values()
    assert [(small, large) for small, large, _ in steps] == [(10, 20), (20, 40)]
    assert [exponent for _, _, exponent in steps] == pytest.approx([2.0, 2.0])
    assert report.growth([ring(10, 0.21), ring(20, 0.22)], startup=0.2) == {}


def test_the_picture_is_well_formed(tmp_path: Path) -> None:
    path = tmp_path / "growth.svg"
    assert plot.write(path, "time & size", [ring(10, 0.3), ring(100, 3.0)])
    root = ElementTree.parse(path).getroot()
    assert len(root.findall(".//{http://www.w3.org/2000/svg}polyline")) == 1
    assert not plot.write(path, "nothing", [ring(10, 0.3)])


@pytest.mark.parametrize("name", suite.available())
def test_suites_name_existing_families_and_specs(name: str) -> None:
    for case in suite.load(name).cases:
        smallest = replace(case, n=FAMILIES[case.family].tiny[-1])
        assert smallest.text()
        assert smallest.expected()


def test_figures_cover_every_family_with_figures() -> None:
    cases = suite.load("figures").cases
    assert all(case.figure is not None for case in cases)
    assert {case.family for case in cases if case.scrambled is None} >= {"dc", "muddy", "ring", "grid", "vote", "pipe"}
    assert {case.family for case in suite.load("growth").cases} == set(FAMILIES)


def test_rows_multiply_and_inherit_the_limits(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        """
        summary = "mine"
        limit = 9
        plain_limit = 0
        [[row]]
        family = "sparse"
        spec = "all"
        seeds = [1, 2]
        figures = { 4 = 0.5, 3 = 0.25 }
        [[row]]
        family = "dc"
        spec = "ctl"
        sizes = [3]
        scrambled = [5]
        limit = 1
        plain_limit = 2
        """,
        encoding="utf-8",
    )
    found = suite.load(str(path))
    assert [case.name for case in found.cases] == [
        "sparse 3 all seed 1",
        "sparse 4 all seed 1",
        "sparse 3 all seed 2",
        "sparse 4 all seed 2",
        "dc 3 ctl scrambled 5",
    ]
    assert [(case.limit, case.plain_limit, case.figure) for case in found.cases[3:]] == [(9, None, 0.5), (1, 2, None)]
    assert {case.curve for case in found.cases} == {"sparse all seed 1", "sparse all seed 2", "dc ctl scrambled 5"}


def test_smoke_suite_answers_rightly() -> None:
    rows = list(run_suite.run_cases(suite.load("smoke").cases, plain=False))
    assert {row.case.name: row.problem for row in rows if row.problem} == {}
    assert {row.case.family for row in rows} == set(FAMILIES)


def test_results_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = run_suite.main(["smoke", "--only", "signing", "--out", str(tmp_path)])
    head, row = map(json.loads, (tmp_path / "smoke.jsonl").read_text(encoding="utf-8").splitlines())
    assert status == 0, capsys.readouterr().out
    assert {"suite", "date", "machine", "versions", "startup_cpu"} == set(head)
    assert row["run"]["states"] == 55
    assert row["run"]["bdd_variables"] > 0
    assert row["plain"]["verdicts"] == row["run"]["verdicts"]
    assert "| signing | 3 | all |" in (tmp_path / "smoke.md").read_text(encoding="utf-8")


def test_models_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_suite.main(["--print", "ring", "3", "all"]) == 0
    assert "Agent Process3" in capsys.readouterr().out
