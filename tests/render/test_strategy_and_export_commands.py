"""The commands that write strategies and graphs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import epistrat
from epistrat.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EPISTRAT_IN_PROCESS", "1")


def call(*arguments: str) -> int:
    return main(list(arguments))


def example(name: str) -> str:
    return str(EXAMPLES / f"{name}.ispl")


def test_a_strategy_as_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("strategy", example("prisoners"), "-f", "<prisoners>F free", "--verify") == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Yes. What each member does (memory: only what it sees):")
    assert "sees = brightness" in printed
    assert "Checked: the model restricted to these rules satisfies <prisoners>F free." in printed


@pytest.mark.parametrize("reading", ["any", "uniform", "objective", "subjective"])
def test_every_reading_of_strategies(reading: str, capsys: pytest.CaptureFixture[str]) -> None:
    group = ["--group", "prisoners"] if reading == "uniform" else []
    wanted = ["strategy", example("prisoners"), "-f", "<prisoners>F free", "--strategies", reading, *group, "--verify"]
    assert call(*wanted) == 0
    assert "Checked" in capsys.readouterr().out


def test_no_strategy_says_why_and_exits_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("strategy", example("prisoners"), "-f", "<counter_alone>F free") == 1
    printed = capsys.readouterr().out
    assert printed.startswith("No.")
    assert "Counter cannot make sure that `free` becomes true" in printed


def test_a_strategy_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("strategy", example("contract"), "-f", "<partners>F served", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "epistrat-strategy/1"
    assert data["exists"]
    assert data["strategy"]["agents"] == ["Client", "Provider"]
    assert {"when": {"Client.stage": ["agreed"]}, "do": "pay"} in data["rules"]["Client"]
    assert call("strategy", example("contract"), "-f", "<client>F served", "--json") == 1
    assert not json.loads(capsys.readouterr().out)["exists"]


def test_the_restricted_model_and_its_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, graph = tmp_path / "model.ispl", tmp_path / "graph.dot"
    wanted = ["strategy", example("tian_ji"), "-f", "<both>F tian_wins", "--ispl", str(model), "--dot", str(graph)]
    assert call(*wanted) == 0
    assert all(epistrat.load(model).check())
    assert graph.read_text().startswith("digraph")
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f"{graph}: what can happen under these rules",
        f"{model}: the model restricted to these rules",
    ]
    assert call(*wanted[:6], "--json") == 0
    assert json.loads(capsys.readouterr().out)["exists"]
    assert call(*wanted[:4], "--ispl", "-") == 0
    assert capsys.readouterr().out.startswith("Agent Environment")


def test_mistakes_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("strategy", example("prisoners"), "-f", "<nobody>F free") == 3
    assert call("strategy", str(tmp_path / "missing.ispl"), "-f", "<g>F p") == 3
    assert call("strategy", example("prisoners"), "-f", "AG true") == 2
    assert call("strategy", example("prisoners"), "-f", "<prisoners>F free", "--group", "none_such") == 2
    complaints = capsys.readouterr().err
    assert "no such file" in complaints
    assert "the formula asks for no strategy" in complaints


@pytest.mark.parametrize("form", ["dot", "json", "svg", "mermaid", "html"])
def test_export_of_the_reachable_graph(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / f"graph.{form}"
    assert call("export", example("train_gate_controller"), f"--{form}", "-o", str(file)) == 0
    assert "20 states, 48 steps" in capsys.readouterr().out
    assert call("export", example("train_gate_controller"), f"--{form}") == 0
    assert capsys.readouterr().out.strip() == file.read_text().strip()


def test_export_has_limits(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("export", example("prisoners"), "--svg", "--states", "10") == 4
    complaint = capsys.readouterr().err
    assert "limit of 10 states" in complaint
    assert "--states N" in complaint


def test_check_writes_a_page(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    assert call("check", example("card_game"), "--html", str(file)) == 1
    assert file.read_text().count("<section") == len(epistrat.load(example("card_game")).formulae)
