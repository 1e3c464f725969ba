"""Suites of benchmarks: how they are read, run, compared with other programs, and written down."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.experiments.test_sweep import LAMP

import epistrat
from epistrat.cli.main import main
from epistrat.experiments import bench, bench_report, peers, suite
from epistrat.experiments.process import Run, execute
from epistrat.experiments.suite import BadSuite, Case
from epistrat.experiments.task import Measured, Said, Task
from epistrat.service.models import questions

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
        tuple(Said("p", str(place), one) for place, one in enumerate(verdicts, 1)), cpu, cpu, 40.0, "12345678901"
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
    why = Measured((Said("p", "1", "unknown", "no memory left"),), 1, 1, 1)
    assert row(why).problem == "not decided: no memory left"
    assert row(run_of("holds", "unknown"), expected=("holds", "fails")).problem == "not decided within the limit"
    assert row(Measured((), 1, 1, 1, None, "killed after 5 s")).problem == "no verdict: killed after 5 s"


def test_slower_means_by_a_tenth_and_by_a_tenth_of_a_second() -> None:
    rows = [row(run_of("holds", cpu=cpu)) for cpu in (0.29, 0.31, 10.9, 11.1)]
    assert [
        bool(bench.slower([one], {one.case.name: old})) for one, old in zip(rows, (0.2, 0.2, 10, 10), strict=True)
    ] == [
        False,
        True,
        False,
        True,
    ]
    assert bench.slower(rows, {}) == []


def test_ratios_are_of_the_same_run() -> None:
    assert row(run_of("holds", cpu=0.5), beside=(("mcmas", run_of("holds", cpu=5.0)),)).ratio("mcmas") == 10
    assert row(run_of("holds")).ratio("mcmas") is None


PRINTED = {
    "mcmas": "Formula number 1: (AF lit), is TRUE in the model\nFormula number 2: (AG lit), is FALSE in the model\n",
    "NuSMV": "*** Copyright\n-- specification AF lit  is true\n-- specification AG lit  is false\n",
    "stv": "Verification result: TRUE\nVerification result: FALSE\n",
}


@pytest.mark.parametrize("name", peers.PEERS)
def test_peers_are_used_when_they_are_on_the_path(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = peers.PEERS[name]
    fake = tmp_path / name
    fake.write_text(
        f"#!{sys.executable}\nimport sys\nopen(sys.argv[-1]).read().index('amp')\nprint({PRINTED[name]!r})\n"
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    assert name not in [one.name for one in peers.chosen(None)]
    fake.chmod(0o755)
    assert [one.name for one in peers.chosen(None)] == [name]
    model = peers.written(peer, Task("lamp.stv" if name == "stv" else "lamp.ispl", LAMP))
    assert model is not None
    assert [one.verdict for one in peers.measure(peer, model, 10).verdicts] == ["holds", "fails"]


def test_what_a_peer_cannot_read_is_not_written() -> None:
    assert peers.written(peers.PEERS["stv"], Task("lamp.ispl", LAMP)) is None
    knowing = LAMP.replace("AG lit;", "AG K(Lamp, lit);")
    assert peers.written(peers.PEERS["NuSMV"], Task("lamp.ispl", knowing)) is None
    only_first = peers.written(peers.PEERS["NuSMV"], Task("lamp.ispl", knowing, only="1"))
    assert only_first is not None
    assert only_first.count("CTLSPEC") == 1


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
    command = ["bench", "--suite", str(lamps), "--repeats", "1", "--peers", "nobody", "-o", str(out)]
    assert main(command) == 0
    assert "1 cases; all as expected" in capsys.readouterr().out
    data = out / "lamps.jsonl"
    fast, old = lamps.parent / "fast.jsonl", lamps.parent / "old.jsonl"
    head, line = data.read_text().splitlines()
    fast.write_text(f"{head}\n{json.dumps({**json.loads(line), 'cpu': 0.001})}\n")
    assert main([*command, "--resume", "--against", str(fast)]) == 0
    said = capsys.readouterr().out
    assert "1/1" not in said  # what was measured is not measured again
    assert "slower than before: 1 of 1\n  Lamps: lamp: " in said
    old.write_text(f'{head}\n{{"case": "lamp", "run": {{"cpu": 1}}}}\n')
    assert main([*command, "--resume", "--against", str(old)]) == 2
    assert "holds no results" in capsys.readouterr().err
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


def test_figures_variants_and_growth(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("""
        summary = "mine"
        limit = 9
        [variants]
        plain = ["--engine", "reference"]
        [[case]]
        model = "sparse-agents"
        parameters = { n = [9], seed = [1, 2] }
        figures = { 4 = 0.5, 3 = 0.25 }
        [[case]]
        model = "token-ring"
        options = ["--engine", "explicit"]
        """)
    found = suite.load(str(path))
    assert [(case.title, case.figure, case.compared) for case in found.cases] == [
        ("sparse-agents n=4 seed=1", 0.5, True),
        ("sparse-agents n=4 seed=2", 0.5, True),
        ("sparse-agents n=3 seed=1", 0.25, True),
        ("sparse-agents n=3 seed=2", 0.25, True),
        ("token-ring --engine explicit", None, False),
    ]
    times = (0.3, 0.6, 0.3, 0.1)
    rows = [bench.Row(case, (run_of("holds", cpu=cpu),)) for case, cpu in zip(found.cases[:4], times, strict=True)]
    assert bench.misses(rows) == []  # the median of the seeds counts
    assert bench.misses(rows[1:]) == ["sparse-agents, 4"]
    bench_report.write(tmp_path, found, rows, {})
    page = (tmp_path / "mine.md").read_text()
    assert "Size 4, median of 2 cases: 0.45 s." in page
    assert "**" not in page  # the median has reached the figure
    other = replace(rows[1], case=replace(rows[1].case, task=replace(rows[1].case.task, only="quiet")))
    bench_report.write(tmp_path, found, [rows[0], other], {})
    assert "median of" not in (tmp_path / "mine.md").read_text().replace("the median of CPU", "")  # different questions
    slow = bench.Row(found.cases[2], (run_of("holds", cpu=3.2),), (("plain", run_of("unknown", cpu=9.0)),))
    large = bench.Row(found.cases[0], (run_of("holds", cpu=0.2 + 3 * (4 / 3) ** 2),))
    bench_report.write(tmp_path, found, [slow, large], {}, startup=0.2)
    page = (tmp_path / "mine.md").read_text()
    assert "| **0.25** |" in page
    assert "| > 9.00 | > 2.8 |" in page
    assert "3 to 4: 2.0" in page
    assert list(bench_report.read(tmp_path, found).values()) == [slow, large]


@pytest.mark.parametrize("name", suite.available())
def test_suites_ask_for_formulae_that_exist(name: str) -> None:
    seen = set()
    for case in suite.load(name).cases:
        if (case.task.model, case.task.only) not in seen:
            seen.add((case.task.model, case.task.only))
            system = epistrat.load(case.task.model)
            asked = questions(system, only=case.task.only.split(",") if case.task.only else None)
            assert not case.expected or len(asked) == len(case.expected)


def run_python(code: str, limit: float = 20.0) -> Run:
    return execute([sys.executable, "-c", code], limit)


def test_cpu_time_and_memory_of_children_count() -> None:
    burn = "x = bytearray(200_000_000); [i * i for i in range(3_000_000)]"
    run = run_python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn!r}])")
    assert run.cpu > 0.1
    assert run.peak_mb > 190


def test_a_command_that_overruns_is_killed() -> None:
    run = run_python("while True: pass", limit=0.5)
    assert not run.finished
    assert not run.decided


def test_a_crash_is_reported_with_its_complaint() -> None:
    run = run_python("raise SystemExit('no such luck')")
    assert (run.status, run.report, run.complaint) == (1, None, "no such luck")


def test_an_unknown_suite_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--suite", "nonsense"]) == 2
    assert "there is no suite 'nonsense'" in capsys.readouterr().err


def test_the_program_is_compiled_before_it_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    bench.compile_program()
    assert list(tmp_path.rglob("portfolio.*.pyc"))
