"""Sweeps: ranges, what is kept, and that an end in between loses nothing and repeats nothing."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from epistrat.cli.main import main
from epistrat.experiments import formats, local, ranges, tables
from epistrat.experiments.chart import Curve
from epistrat.experiments.store import Store, Unusable
from epistrat.experiments.task import Measured, Said, Task

LAMP = """
Agent Lamp
    Vars:
        on : boolean;
    end Vars
    Actions = {press};
    Protocol:
        Other : {press};
    end Protocol
    Evolution:
        on = true if on = false;
        on = false if on = true;
    end Evolution
end Agent
Evaluation
    lit if Lamp.on = true;
end Evaluation
InitStates
    Lamp.on = false;
end InitStates
Formulae
    AF lit;
    AG lit;
end Formulae
"""


def task(n: int, text: str = "model") -> Task:
    return Task("family.ispl", text, (("n", str(n)),))


def measured(cpu: float = 1.0, verdict: str = "holds") -> Measured:
    return Measured((Said("AG p", "1", verdict),), cpu, cpu, 50.0, str(10**40))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("n=3..6", ["3", "4", "5", "6"]),
        ("n=10..40:15", ["10", "25", "40"]),
        ("n=2,8,2,4..5", ["2", "8", "4", "5"]),
        ("mode=fast,safe", ["fast", "safe"]),
        ("n=-1..1", ["-1", "0", "1"]),
    ],
)
def test_ranges(text: str, wanted: list[str]) -> None:
    assert ranges.values(text) == (text.split("=")[0], wanted)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("n", "expected NAME=VALUES"),
        ("n=", "expected NAME=VALUES"),
        ("9=1", "expected NAME=VALUES"),
        ("n=5..3", "empty"),
        ("n=1..1000000000", "more than 100,000"),
        ("n=1..", "is no value"),
        ("n=1,,2", "is no value"),
        ("n=1..9:0", "is no value"),
    ],
)
def test_bad_ranges_say_why(text: str, why: str) -> None:
    with pytest.raises(ranges.BadRange, match=why):
        ranges.values(text)


def test_all_combinations_with_the_last_parameter_fastest() -> None:
    found = [dict(one) for one in ranges.combinations(["n=1,2", "m=5,6"])]
    assert found == [{"n": "1", "m": "5"}, {"n": "1", "m": "6"}, {"n": "2", "m": "5"}, {"n": "2", "m": "6"}]
    assert list(ranges.combinations([])) == [()]
    assert [dict(one)["n"] for one in ranges.combinations(["n=2..3", "n=3,10"])] == ["2", "3", "10"]


def test_each_task_keeps_its_first_result(tmp_path: Path) -> None:
    store = Store(tmp_path / "sweep.sqlite")
    store.plan([task(1), task(2)])
    assert store.record(task(1), measured(1.0))
    assert not store.record(task(1), measured(2.0))
    store.close()
    again = Store(tmp_path / "sweep.sqlite")
    again.plan([task(2), task(1), task(3)])
    assert again.open_tasks() == [task(2), task(3)]
    assert list(again.results()) == [(task(1), measured(1.0))]


def test_a_changed_model_is_another_task() -> None:
    assert task(1).key == task(1).key
    assert len({task(1).key, task(2).key, task(1, "changed").key}) == 3


def test_two_sweeps_do_not_share_a_file(tmp_path: Path) -> None:
    one, two = Store(tmp_path / "sweep.sqlite"), Store(tmp_path / "sweep.sqlite")
    with one.held(), pytest.raises(Unusable, match="another sweep"), two.held():
        pass
    with two.held():
        pass


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database, but long enough to be looked at" * 40)
    with pytest.raises(Unusable, match="not a sweep's file"):
        Store(tmp_path / "notes.txt")


def test_tables_and_curves() -> None:
    found = tables.rows(
        [
            (task(2), measured(0.5)),
            (task(4), measured(2.0)),
            (task(8), measured(9.0, "unknown")),
            (task(16), Measured((), 1, 1, 1, None, "killed")),
        ]
    )
    assert tables.columns(found)[:3] == ["model", "n", "label"]
    assert [row["verdict"] for row in found] == ["holds", "holds", "unknown", "error"]
    assert tables.curves(found, "n") == {"family": Curve(((2, 0.5), (4, 2.0)), (8, 16))}


@pytest.mark.skipif(find_spec("pyarrow") is None, reason="Parquet is not installed: pip install 'epistrat[parquet]'")
def test_parquet_holds_the_same_table(tmp_path: Path) -> None:
    found = tables.rows([(task(2), measured(0.5))])
    formats.write_parquet(tmp_path / "t.parquet", found)
    read = import_module("pyarrow.parquet").read_table(tmp_path / "t.parquet")
    assert read.to_pylist() == found


def test_without_pandas_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(formats.NoFormat, match="pip install"):
        formats.write_parquet(tmp_path / "t.parquet", tables.rows([(task(2), measured(0.5))]))


def test_the_command_checks_and_writes_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lamp.ispl").write_text(LAMP)
    command = ["sweep", str(tmp_path / "lamp.ispl"), "--store", str(tmp_path / "s"), "-o", str(tmp_path / "t.csv")]
    assert main(command) == 0
    assert "1/1  lamp: 1 holds, 1 fails" in capsys.readouterr().out
    with (tmp_path / "t.csv").open(newline="") as file:
        assert [(row["formula"], row["verdict"]) for row in csv.DictReader(file)] == [
            ("AF lit", "holds"),
            ("AG lit", "fails"),
        ]
    assert main(command) == 0
    captured = capsys.readouterr()
    assert "1 of 1 checks were done before" in captured.err
    assert captured.out == "1 holds, 1 fails\n"


def test_bad_input_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "n=1..2"]) == 2
    assert main(["sweep", str(tmp_path / "nowhere.ispl")]) == 3
    assert "nowhere.ispl: No such file" in capsys.readouterr().err
    (tmp_path / "lamp.ispl").write_text(LAMP)
    assert main(["sweep", str(tmp_path / "lamp.ispl"), f"--option=--proof={tmp_path / 'kept'}"]) == 2
    assert "--proof keeps the proofs of one check" in capsys.readouterr().err
    assert not (tmp_path / "kept").exists()


DRIVER = """
import sys
from pathlib import Path
from epistrat.service import run
run.SERVING = "tests.experiments.fake_child"
from epistrat.cli.main import main
sys.exit(main(["sweep", {model!r}, "n=1..12", "--store", {store!r}, "-j", "2"]))
"""


def test_killed_and_restarted_every_result_is_there_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.ispl").write_text("Parameters n = 1; end Parameters" + LAMP)
    log = tmp_path / "log"
    monkeypatch.setenv("EPISTRAT_FAKE", json.dumps({"log": str(log), "seconds": {"other": 0.05}}))
    script = DRIVER.format(model=str(tmp_path / "model.ispl"), store=str(tmp_path / "s"))
    first = subprocess.Popen([sys.executable, "-u", "-c", script], stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    seen = [first.stdout.readline() for _ in range(3)]
    first.send_signal(signal.SIGKILL)
    first.wait()
    first.stdout.close()
    assert all("holds" in line for line in seen)
    store = Store(tmp_path / "s")
    before = [dict(one.parameters)["n"] for one, _ in store.results()]
    assert 3 <= len(before) < 12
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, timeout=60)
    assert sorted(int(dict(one.parameters)["n"]) for one, _ in store.results()) == list(range(1, 13))
    started = log.read_text().split()
    assert all(started.count(f"n={n}") == 1 for n in before)  # what was done is not done again


def test_whoever_stops_listening_ends_the_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    monkeypatch.setenv("EPISTRAT_FAKE", json.dumps({"log": str(log), "seconds": {"1": 0, "other": 60}}))
    monkeypatch.setattr("epistrat.service.run.SERVING", "tests.experiments.fake_child")
    running = local.run([task(1), task(2), task(3)], 2)
    assert dict(next(running)[0].parameters) == {"n": "1"}
    running.close()  # returns only when all are gone, long before their minute
    assert "n=1" in log.read_text()


CLUSTER = """
import json, os, signal, sys
from pathlib import Path
from distributed import LocalCluster
from epistrat.experiments import cluster
from epistrat.experiments.task import Task
if __name__ == "__main__":
    text = Path(sys.argv[1]).read_text()
    wanted = [Task(sys.argv[1], text, only=str(1 + n % 2), options=("--states", str(1000 + n))) for n in range(4)]
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local:
        done = []
        for task, measured in cluster.run(wanted, local.scheduler_address.replace("tcp://", "dask://")):
            if not done:
                os.kill(local.workers[0].pid, signal.SIGKILL)
            done.append((task.key, [one.verdict for one in measured.verdicts]))
    print(json.dumps(sorted(done) == sorted((one.key, ["holds" if one.only == "1" else "fails"]) for one in wanted)))
"""


@pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed: pip install 'epistrat[cluster]'")
def test_a_worker_of_a_cluster_may_be_killed(tmp_path: Path) -> None:
    (tmp_path / "lamp.ispl").write_text(LAMP)
    (tmp_path / "drive.py").write_text(CLUSTER)
    environment = {**os.environ, "DASK_LOGGING__DISTRIBUTED": "critical"}
    command = [sys.executable, str(tmp_path / "drive.py"), str(tmp_path / "lamp.ispl")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120, check=False)
    assert json.loads(done.stdout or "null") is True, done.stderr
