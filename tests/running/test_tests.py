"""``epistrat tests`` and the plug-in: paths that cover the model, drivers, red tests that name the step."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.running.test_possible_states import random_model
from tests.running.test_words import AGENTS

import epistrat
from epistrat.cli.main import main
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.running.tours import edges_of, tours
from epistrat.testing import Different, Paths, state_machine

ALONE = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""Without the plug-ins of other packages, which take long to import."""
STORE = '''
class Store:
    """Leases with a fence; `bug` writes without looking at the queue."""

    def __init__(self, bug=False):
        self.bug, self.queued, self.holder, self.results = bug, True, 0, 0
        self.workers = {1: "idle", 2: "idle"}

    def do(self, action):
        name, _, rest = action.partition("[")
        who = int(rest[:-1]) if rest else 0
        if name == "lease":
            self.holder, self.workers[who] = who, "working"
        elif name == "expire":
            self.holder = 0
        elif name == "write":
            self.holder, self.results, self.workers[who] = 0, self.results + 1, "idle"
            self.queued = self.bug and who == 2
        else:
            self.workers[who] = {"refuse": "idle", "crash": "down", "restart": "idle"}[name]


class Driver:
    def __init__(self, bug=False):
        self.bug = bug

    def reset(self, state):
        self.store = Store(self.bug)

    def do(self, agent, action):
        self.store.do(action)

    def see(self):
        return {"Orchestrator.leased": self.store.holder, "Orchestrator.queued": self.store.queued}
'''


def driver(*, bug: bool = False) -> Any:
    namespace: dict[str, Any] = {}
    exec(STORE, namespace)
    return namespace["Driver"](bug)


@pytest.fixture
def generated(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lease.ispl").write_text((AGENTS / "lease.ispl").read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["tests", "lease.ispl", "--set", "fence=1", "--length", "60", "-o", "made"]) == 0
    assert capsys.readouterr().out.endswith("; 84 of 84 transitions\n")
    return tmp_path


def suite(folder: Path, *arguments: str, bug: bool = False) -> tuple[int, str]:
    """Run the generated tests in a process of their own."""
    fixture = f"\nimport pytest\n@pytest.fixture\ndef epistrat_driver():\n    return Driver({bug})\n"
    (folder / "made/conftest.py").write_text(STORE + fixture, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "epistrat.testing.plugin",
        "-q",
        "-p",
        "no:cacheprovider",
        *arguments,
    ]
    done = subprocess.run(command, cwd=folder, env=ALONE, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_right_program_passes_and_everything_is_covered(generated: Path) -> None:
    status, said = suite(generated, "--epistrat", "--epistrat-runs", "5", "--epistrat-report", "report.json", "made")
    assert status == 0, said
    assert "epistrat: lease.ispl: " in said and "transitions, 11 of 11 actions covered" in said
    report = json.loads((generated / "report.json").read_text(encoding="utf-8"))
    assert report["models"][0]["actions"] == [11, 11] and report["models"][0]["transitions"][1] == 84
    assert main(["conform", "lease.ispl", "--set", "fence=1", "made/paths_lease.jsonl"]) == 0, "paths are logs"


def test_a_red_test_names_the_step_and_both_values(generated: Path) -> None:
    status, said = suite(generated, "--epistrat", "made", bug=True)
    assert status == 1
    assert "write[2]: the model says Orchestrator.queued = false, the program true" in said
    assert "the run: lease[" in said and "to repeat it: pytest --epistrat 'made/test_lease.py::test_path[" in said


def test_without_a_driver_tests_are_skipped_with_the_reason(generated: Path) -> None:
    (generated / "made/conftest.py").unlink(missing_ok=True)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "epistrat.testing.plugin",
        "-q",
        "-rs",
        "-p",
        "no:cacheprovider",
        "made",
    ]
    done = subprocess.run(command, cwd=generated, env=ALONE, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "there is no fixture epistrat_driver" in done.stdout
    assert "covered" not in done.stdout, "inactive without --epistrat"


def test_counterexamples_are_expected_to_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tests", str(AGENTS / "lease.ispl"), "--cover", "formulae", "--itf", "-o", "made"]) == 0
    status, said = suite(tmp_path, "--epistrat", "made")
    assert status == 0 and "3 xfailed" in said, said
    status, said = suite(tmp_path, "--epistrat", "made", bug=True)
    assert status == 1 and "XPASS(strict)" in said, "a program that cannot follow it any more is told so"
    (trace,) = [
        json.loads(file.read_text(encoding="utf-8")) for file in tmp_path.glob("made/lease_one_writer.itf.json")
    ]
    assert trace["states"][0]["Orchestrator.results"] == 0 and trace["states"][-1]["Orchestrator.results"] == 2


def test_models_are_collected(tmp_path: Path) -> None:
    text = (AGENTS / "lights.ispl").read_text(encoding="utf-8")
    (tmp_path / "good.ispl").write_text(text, encoding="utf-8")
    (tmp_path / "bad.ispl").write_text(text.replace("safe fails", "safe holds"), encoding="utf-8")
    (tmp_path / "test_marked.py").write_text(
        "import pytest\n"
        "@pytest.mark.epistrat(model='good.ispl', properties=['safe'])\n"
        "@pytest.mark.parametrize('east', ['stop', 'go'])\n"
        "def test_follows(monitor, east):\n"
        "    monitor.step({'North': 'go', 'East': east})\n",
        encoding="utf-8",
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "epistrat.testing.plugin",
        "--epistrat",
        "-q",
        "-p",
        "no:cacheprovider",
        ".",
    ]
    done = subprocess.run(command, cwd=tmp_path, env=ALONE, capture_output=True, text=True, check=False)
    assert "1 failed, 3 passed, 1 error" in done.stdout
    assert "--expect" in done.stdout and "good.ispl: step 1: safe is violated: crash is true." in done.stdout


def test_files_of_others_are_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "test_lights.py").write_text("x = 1\n", encoding="utf-8")
    model = str(AGENTS / "lights.ispl")
    assert main(["tests", model, "-o", str(tmp_path)]) == 2 and "left alone" in capsys.readouterr().err
    assert main(["tests", model, "--drives", "West", "-o", str(tmp_path / "x")]) == 3
    assert "there is no agent West" in capsys.readouterr().err
    assert main(["tests", model, "--most-states", "2", "-o", str(tmp_path / "x")]) == 4


def test_synchronous_models_and_agents_that_are_awaited(tmp_path: Path) -> None:
    assert main(["tests", str(AGENTS / "lights.ispl"), "--cover", "actions", "-o", str(tmp_path)]) == 0

    class Lights:
        def reset(self, state: Any) -> None:
            self.on = {"North": False, "East": False}

        def joint(self, actions: Any) -> None:
            self.on = {name: action == "go" for name, action in actions.items()}

        def see(self) -> Any:
            return {f"{name}.on": on for name, on in self.on.items()}

    paths = Paths(tmp_path / "paths_lights.jsonl", model=str(AGENTS / "lights.ispl"), parameters={})
    for name in ("1",):
        paths.follow(name, Lights())
    paths.walk(1, Lights())
    lease = Paths(
        _paths_of(tmp_path), model=str(AGENTS / "lease.ispl"), parameters={"fence": 1}, drives=("Orchestrator",)
    )
    waited = driver()
    waited.wait = lambda timeout: None
    with pytest.raises(Different, match="nothing happened"):
        for name in [str(number) for number in range(1, 9)]:
            lease.follow(name, waited)


def _paths_of(folder: Path) -> Path:
    assert main(["tests", str(AGENTS / "lease.ispl"), "--set", "fence=1", "-o", str(folder / "lease")]) == 0
    return folder / "lease/paths_lease.jsonl"


def test_another_outcome_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "coin.ispl").write_text(
        """Composition = Interleaved;
        Agent Coin Vars: side : {none, head, tail}; end Vars Actions = {toss, pick};
        Protocol: side = none : {toss}; Other : {pick}; end Protocol
        Evolution: side = head if Action = toss; side = tail if Action = toss; side = none if Action = pick; end Evolution end Agent
        Evaluation up if Coin.side = head; end Evaluation InitStates Coin.side = none; end InitStates Formulae AG !up; end Formulae""",
        encoding="utf-8",
    )

    class Fair:
        def __init__(self) -> None:
            self.chance = random.Random(3)

        def reset(self, state: Any) -> None:
            self.side = "none"

        def do(self, agent: str, action: str) -> None:
            self.side = self.chance.choice(("head", "tail")) if action == "toss" else "none"

        def see(self) -> Any:
            return {"Coin.side": self.side}

    assert main(["tests", str(tmp_path / "coin.ispl"), "-o", str(tmp_path)]) == 0
    paths = Paths(tmp_path / "paths_coin.jsonl", model="coin.ispl", parameters={})
    for _ in range(20):
        try:
            paths.follow("1", Fair())
        except pytest.skip.Exception as skipped:
            assert "another way" in str(skipped)


def test_hypothesis_drives_the_program() -> None:
    from hypothesis import settings
    from hypothesis.stateful import run_state_machine_as_test

    quick = settings(max_examples=15, stateful_step_count=12, deadline=None, database=None)
    run_state_machine_as_test(state_machine(AGENTS / "lease.ispl", driver, fence=1), settings=quick)
    with pytest.raises(Different, match=r"the model says Orchestrator.queued = false, the program true"):
        run_state_machine_as_test(
            state_machine(AGENTS / "lease.ispl", lambda: driver(bug=True), fence=1),
            settings=settings(quick, max_examples=200),
        )


@pytest.mark.parametrize("seed", range(15))
def test_tours_cover_all_that_is_near_enough(seed: int) -> None:
    rng = random.Random(seed)
    system, _ = random_model(rng)
    graph = explore(Stepper(system), initial_states(system, 1_000))
    every = {edge for row in edges_of(graph) for edge in row}
    found = tours(graph, lambda edge: edge, 200, seed)
    assert {edge for tour in found for edge in tour.edges} == every
    short = tours(graph, lambda edge: edge[1], 3, seed)
    assert all(len(tour.edges) <= 3 for tour in short)
    for tour in (*found, *short):
        states = [tour.start, *(target for _, _, target in tour.edges)]
        assert tour.start in graph.initial and all(
            edge[0] == state for edge, state in zip(tour.edges, states, strict=False)
        )


def test_api_names() -> None:
    assert epistrat.load(AGENTS / "lights.ispl").formula_names == ("keep", "safe")
