"""Suites of benchmarks: how they are read, run, compared with other programs, and written down."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.experiments.test_sweep import LAMP

from epistrat.cli.main import main
from epistrat.experiments import bench, bench_report, peers, suite
from epistrat.experiments.suite import BadSuite, Case
from epistrat.experiments.task import Measured, Task, Verdict

SUITE = """
summary = "A lamp."
limit = 20
repeats = 2

[[case]]
model = "{model}"
table = "Lamps"
expected = ["holds", "fails"]
published = {{ "Paper, Table 1" = {{ "" = "12.5" }} }}
"""


@pytest.fixture
def lamps(tmp_path: Path) -> Path:
    (tmp_path / "lamp.ispl").write_text(LAMP)
    path = tmp_path / "lamps.toml"
    path.write_text(SUITE.format(model=tmp_path / "lamp.ispl"))
    return path


def run_of(*verdicts: str, cpu: float = 1.0) -> Measured:
    return Measured(
        tuple(Verdict("p", str(place), one) for place, one in enumerate(verdicts, 1)), cpu, cpu, 40.0, "12345678901"
    )


def row(*runs: Measured, expected: tuple[str, ...] = (), beside: tuple[tuple[str, Measured], ...] = ()) -> bench.Row:
    return bench.Row(
        Case(Task("lamp.ispl", "text", (("n", "4"),)), "Lamps", expected, (("Paper", "9.9"),)), runs, beside
    )


def test_the_median_and_the_spread_of_runs() -> None:
    found = row(run_of("holds", cpu=1.0), run_of("holds", cpu=4.0), run_of("holds", cpu=2.0))
    assert (found.cpu, found.spread, found.problem) == (2.0, 4.0, "")


def test_wrong_answers_are_noticed() -> None:
    assert row(run_of("holds"), expected=("fails",)).problem == "WRONG: holds instead of fails"
    assert row(run_of("holds"), run_of("fails")).problem == "WRONG: two runs differ"
    assert row(run_of("holds"), beside=(("mcmas", run_of("fails")),)).problem == "WRONG: mcmas says fails"
    assert row(run_of("unknown")).problem == "not decided within the limit"
    assert row(Measured((), 1, 1, 1, None, "killed after 5 s")).problem == "no verdict: killed after 5 s"


def test_ratios_are_of_the_same_run() -> None:
    assert row(run_of("holds", cpu=0.5), beside=(("mcmas", run_of("holds", cpu=5.0)),)).ratio("mcmas") == 10
    assert row(run_of("holds")).ratio("mcmas") is None


def test_mcmas_is_read() -> None:
    said = "Formula number 1: (AF lit), is TRUE in the model\nFormula number 2: (AG lit), is FALSE in the model\n"
    assert [one.verdict for one in peers.PEERS["mcmas"].read(said)] == ["holds", "fails"]


def test_a_program_beside_gets_the_same_model(tmp_path: Path) -> None:
    script = (
        "import sys; open(sys.argv[1]).read().index('Agent Lamp'); print('Formula number 1: x, is TRUE in the model')"
    )
    mine = peers.Peer(
        "mine", (sys.executable, "-c", script, "{model}"), peers.PEERS["mcmas"].verdict, (("TRUE", "holds"),)
    )
    assert mine.found
    assert [one.verdict for one in peers.measure(mine, LAMP, 10).verdicts] == ["holds"]


def test_the_command_runs_a_suite_and_writes_it_down(lamps: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = lamps.parent / "results"
    assert main(["bench", "--suite", str(lamps), "--repeats", "1", "--peers", "nobody", "-o", str(out)]) == 0
    assert "1 cases; all as expected" in capsys.readouterr().out
    table = (out / "lamps.md").read_text()
    assert "## Lamps" in table
    assert "| published: Paper, Table 1 |" in table
    assert "| 12.5 |" in table
    head, first = map(json.loads, (out / "lamps.jsonl").read_text().splitlines())
    assert head["suite"] == "lamps"
    assert first["verdicts"] == ["holds", "fails"]


def test_the_picture_has_a_line_for_each_table(tmp_path: Path) -> None:
    rows = [
        row(run_of("holds")),
        bench.Row(Case(Task("lamp.ispl", "text", (("n", "8"),)), "Lamps"), (run_of("holds", cpu=3),)),
    ]
    written = bench_report.write(tmp_path, suite.Suite("grown", "All.", 1, ()), rows, {})
    assert [one.name for one in written] == ["grown.jsonl", "grown.md", "grown.svg"]
    assert "1.2e10" in (tmp_path / "grown.md").read_text()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("summary = 'x'", "'case' is missing"),
        ("summary = 'x'\n[[case]]\nlimit = 3", "'model' is missing"),
        ("summary = 'x'\n[[case]]\nmodel = 'nowhere.ispl'", "nowhere.ispl: No such file"),
        ("summary = ", "Invalid value"),
    ],
)
def test_bad_suites_say_why(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(BadSuite, match=why):
        suite.load(str(tmp_path / "bad.toml"))


def test_an_unknown_suite_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--suite", "nonsense"]) == 2
    assert "there is no suite 'nonsense'" in capsys.readouterr().err
