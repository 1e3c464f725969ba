"""The conformance models, where they are present: verdicts, exact state counts, dead ends, overflows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from epistrat.engines.contract import Options, Session, Verdict
from epistrat.engines.needs import refusal
from epistrat.engines.symbolic.engine import SymbolicEngine
from epistrat.lang import load
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

FOLDER = Path(__file__).parents[2].parent / "shared" / "conformance"
pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="the conformance models are not here")


def _json(*path: str) -> Any:
    file = FOLDER.joinpath(*path)
    return json.loads(file.read_text()) if file.exists() else {"probes": {}, "models": {}}


def probes() -> Iterator[Any]:
    for name, probe in _json("probes", "expected.json")["probes"].items():
        for run in probe["runs"]:
            if run["outcome"] not in ("ok", "crash_after_verdicts") or probe.get("right_outcome") == "reject":
                continue
            if run["options"] in ("", "-k", "-a", "-k -a"):
                yield pytest.param(probe["file"], run, id=f"{name} {run['options']}".strip())


def corpus() -> Iterator[Any]:
    for name, model in _json("mcmas", "expected.json")["models"].items():
        run = model["runs"][0]
        if run["options"] == "" and run.get("verdicts") and (FOLDER / "mcmas" / name).exists():
            yield pytest.param(name, run, id=name)


def opened(system: System) -> Session:
    return SymbolicEngine().open(system, Options(), Budget(seconds=60))


def loaded(*path: str) -> System:
    file = FOLDER.joinpath(*path)
    system = load(file.read_text(), file.name).system
    assert system is not None
    return system


@pytest.mark.parametrize(("file", "run"), list(probes()))
def test_probe(file: str, run: dict[str, Any]) -> None:
    system = loaded("probes", file)
    session = opened(system)
    assert len(system.formulae) == len(run["verdicts"]) or run["outcome"] != "ok"
    for formula, expected in zip(system.formulae, run["verdicts"], strict=False):
        if expected["right"] is None or refusal(SymbolicEngine(), system, formula, Options()) is not None:
            continue
        verdict = session.check(formula).verdict
        assert verdict is (Verdict.HOLDS if expected["right"] else Verdict.FAILS), expected["formula"]
    facts = session.facts()
    if run.get("states_right") is not None:
        assert facts.states == run["states_right"]
    if "deadlock" in run:
        assert bool(facts.dead_ends) == run["deadlock"]
    if run.get("overflow"):
        assert facts.overflow_line is not None
        assert f"{facts.overflow_line[0]}#{facts.overflow_line[1]}" == run["overflow"]


@pytest.mark.parametrize(("name", "run"), list(corpus()))
def test_corpus(name: str, run: dict[str, Any]) -> None:
    system = loaded("mcmas", name)
    session = opened(system)
    right = run.get("right_verdicts") or [verdict["value"] for verdict in run["verdicts"]]
    for formula, expected in zip(system.formulae, right, strict=False):
        if expected is None or refusal(SymbolicEngine(), system, formula, Options()) is not None:
            continue
        assert session.check(formula).verdict is (Verdict.HOLDS if expected else Verdict.FAILS)
    if run.get("states_exact") is not None:
        assert session.facts().states == run["states_exact"]
