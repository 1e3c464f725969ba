"""Generated monitors: one file, standard library alone, typed, clean, quick, and nothing of a model in them that could execute."""

from __future__ import annotations

import ast
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.running.test_possible_states import imported
from tests.running.test_words import AGENTS

import epistrat
from epistrat.cli.main import main
from epistrat.records import replace
from epistrat.running.adapters import NAMES
from epistrat.running.build import Built, build
from epistrat.running.generate import generated, literal
from epistrat.running.properties import Wish
from epistrat.running.selfcheck import differences

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
HOSTILE = [
    '"""',
    "'''",
    "\\",
    "a\nimport os",
    '"); import os; ("',
    "\u2028print(1)",
    "#",
    "{x}",
    "%s",
    "\r\nraise SystemExit",
]
ALLOWED_IMPORTS = {
    "__future__", "builtins", "functools", "json", "threading", "time", "collections", "collections.abc", "typing",
    "difflib", "inspect", "asyncio", "dataclasses", "importlib",
}  # fmt: skip


def guardrail() -> Built:
    system = epistrat.load(AGENTS / "guardrail_race.ispl")
    wish = Wish(("can_keep", "safe"), (("k", "K(Runner, bad)"),), ("ask_tool", "finish"))
    return build(system, wish, name="guardrail_race.ispl")


def ring(size: int) -> epistrat.System:
    """A counter that walks round, and a stranger whose place nobody sees: ``size`` times 10 states."""
    return epistrat.load(
        f"""Composition = Interleaved;
        Agent Walker Vars: at : 0..{size - 1}; end Vars Actions = {{on, back}};
        Protocol: Other : {{on, back}}; end Protocol
        Evolution: at = at + 1 if Action = on and at < {size - 1}; at = 0 if Action = on and at = {size - 1};
        at = at - 1 if Action = back and at > 0; end Evolution end Agent
        Agent Stranger Vars: at : 0..9; end Vars Actions = {{hop}};
        Protocol: Other : {{hop}}; end Protocol
        Evolution: at = at + 1 if Action = hop and at < 9; at = 0 if Action = hop and at = 9; end Evolution end Agent
        Evaluation far if Walker.at > {size // 2}; odd if Stranger.at > 8; end Evaluation
        InitStates Walker.at = 0; end InitStates
        Groups w = {{Walker}}; end Groups
        Formulae never: AG !far; end Formulae"""
    )


def test_it_is_typed_and_clean(tmp_path: Path) -> None:
    file = tmp_path / "guard.py"
    file.write_text(generated(guardrail(), ["epistrat", "monitor"], NAMES), encoding="utf-8")
    for command in (
        ["mypy", "--strict", "--no-incremental", "--config-file=", "--cache-dir", str(tmp_path / "cache"), str(file)],
        ["ruff", "check", "--isolated", "--no-cache", str(file)],
        ["ruff", "check", "--no-cache", "--ignore=N802", f"--config={PROJECT}", str(file)],
    ):
        done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_it_imports_the_standard_library_alone_and_calls_nothing_dangerous() -> None:
    tree = ast.parse(generated(guardrail(), ["x"], NAMES))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert {one.name for one in node.names} <= ALLOWED_IMPORTS
        if isinstance(node, ast.ImportFrom):
            assert node.module in ALLOWED_IMPORTS
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {
                "eval",
                "exec",
                "compile",
                "open",
                "__import__",
                "getattr",
                "setattr",
                "input",
            } or (node.func.id == "getattr" and isinstance(node.args[1], ast.Constant))


def test_it_needs_nothing_that_is_installed(tmp_path: Path) -> None:
    (tmp_path / "guard.py").write_text(generated(guardrail()), encoding="utf-8")
    code = "import sys; sys.path.insert(0, '.'); import guard; m = guard.Monitor(); print(m.event('Runner', 'begin'))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "step 1: conforms; 4 states are possible\n"


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_of_a_model_stay_texts(text: str) -> None:
    built = guardrail()
    values = dict(built.values)
    values["agents"] = tuple((name + text, tuple(one + text for one in actions)) for name, actions in values["agents"])
    values["variables"] = tuple(
        (name + text, names and tuple(one + text for one in names), ()) for name, names, _ in values["variables"]
    )
    values["about"] = values["about"] | {
        "model": text,
        "parameters": {text: 1},
        "properties": {text: text},
        "hidden": [text],
    }
    values["watches"] = ((text, text, "0x1"),)
    values["properties"] = tuple(
        one._replace(name=text, aim=text, atoms=((text, "0x1"),)) for one in values["properties"]
    )
    tree = ast.parse(generated(replace(built, values=values), [text], version=text.strip("\r\n")[:0]))
    plain = ast.parse(generated(built, ["x"]))
    assert [type(node) for node in tree.body] == [type(node) for node in plain.body], "no statement comes from a name"
    assert ast.literal_eval(literal(values["about"])) == values["about"]
    calls = {
        node.func.id
        for node in ast.walk(tree.body[-1])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert calls == {"Tables", "Property"}


def test_a_hostile_file_name_is_only_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / 'x"""\nimport os\n#.ispl'
    model.write_text((AGENTS / "lights.ispl").read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["monitor", str(model), "-f", "AG !crash", "--no-self-check"]) == 0
    tree = ast.parse(capsys.readouterr().out)
    assert not [node for node in tree.body if isinstance(node, ast.Import) and node.names[0].name == "os"]


def test_files_of_others_are_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, model = tmp_path / "mine.py", str(AGENTS / "lights.ispl")
    file.write_text("print(1)\n", encoding="utf-8")
    assert main(["monitor", model, "-o", str(file)]) == 2
    assert "is left alone" in capsys.readouterr().err and file.read_text(encoding="utf-8") == "print(1)\n"
    file.unlink()
    assert main(["monitor", model, "-o", str(file), "--no-self-check"]) == 0
    assert main(["monitor", model, "-f", "keep", "-o", str(file)]) == 0
    assert capsys.readouterr().out.endswith("4 states, 16 steps, 1 shield\n")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["-f", "keeep"], 3, "there is no formula keeep; did you mean keep?"),
        (["-f", "AG (crash ->"], 3, "<formula>:1:13"),
        (["-f", "EF crash"], 3, "cannot be followed"),
        (["--watch", "x=G crash"], 3, "is no state formula"),
        (["--sees", "North.onn"], 3, "there is no variable North.onn; did you mean North.on?"),
        (["--hidden", "go"], 3, "hidden actions are for interleaved models"),
        (["--for", "autogen"], 2, "nothing is known for 'autogen'"),
        (["-f", "<both>G crash"], 1, "North and East cannot keep"),
        (["--most-states", "3"], 4, "limit of 3 states reached"),
        (["--watch", "K(North, crash)"], 2, "names no formula"),
    ],
)
def test_what_cannot_be_meant_is_said(
    arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        found = main(["monitor", str(AGENTS / "lights.ispl"), *arguments])
    except SystemExit as ended:
        found = int(str(ended.code))
    assert (found, words in capsys.readouterr().err) == (status, True)


def test_a_model_that_is_none_is_located(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.ispl").write_text("Agent A Vars: x : bolean; end Vars", encoding="utf-8")
    assert main(["monitor", str(tmp_path / "bad.ispl")]) == 3
    assert "bad.ispl:1:" in capsys.readouterr().err


def test_the_self_check_finds_a_damaged_file() -> None:
    built = guardrail()
    assert differences(generated(built), built, walks=300) is None
    wrong = replace(built, values=built.values | {"steps": ("0 2 1 2", *built.values["steps"][1:])})
    assert "states are possible, by the model" in str(differences(generated(wrong), built, walks=300))
    assert differences("import nothing_like_this\n", built, walks=1) is not None


def speed(module: Any, events: int) -> list[float]:
    rng, monitor = random.Random(0), module.Monitor()
    taken: list[float] = []
    for _ in range(events):
        action = rng.choice(("on", "back"))
        begun = time.perf_counter()
        monitor.event("Walker", action)
        taken.append(time.perf_counter() - begun)
    return sorted(taken)


def test_events_are_answered_quickly(tmp_path: Path) -> None:
    """10,000 states, of which 10 are possible: the median is far below 20 microseconds even where others use the machine."""
    built = build(ring(1_000), Wish(("never",), (("odd", "odd"),), ("hop",)))
    module = imported(generated(built), tmp_path, "guard_of_a_ring")
    assert module.Monitor().about()["states"] == 10_000
    taken = speed(module, 4_000)
    assert taken[len(taken) // 2] < 100e-6
    assert json.loads(module.Monitor().snapshot())["step"] == 0
