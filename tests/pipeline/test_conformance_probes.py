"""The conformance models, as a user meets them: loaded from their files and checked with the engine that is chosen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import epistrat
from epistrat.engines.contract import Verdict

ROOT = Path(__file__).parents[3] / "shared" / "conformance"
PROBES = ROOT / "probes"

pytestmark = pytest.mark.skipif(not PROBES.is_dir(), reason="the conformance models are not here")

STRATEGIES = {"-atlk 0": "any", "-atlk 1": "any", "-atlk 2": "subjective", "-uniform": "uniform"}


def runs() -> list[Any]:
    if not PROBES.is_dir():
        return []
    return [
        pytest.param(probe["file"], run, id=f"{name} {run['options']}".strip())
        for name, probe in json.loads((PROBES / "expected.json").read_text())["probes"].items()
        for run in probe["runs"]
        if run["verdicts"] and all(verdict["right"] is not None for verdict in run["verdicts"])
    ]


def options(text: str) -> dict[str, Any] | None:
    """MCMAS's options in our words; None where they have no counterpart that changes verdicts."""
    words = text.split()
    asked: dict[str, Any] = {}
    while words:
        word = words.pop(0)
        if word == "-uniform":
            asked["strategies"] = "uniform"
        elif word == "-ufgroup":
            asked["group"] = words.pop(0)
        elif word == "-atlk":
            asked["strategies"] = STRATEGIES[f"-atlk {words.pop(0)}"]
        elif word in ("-c", "-o", "-e"):
            words.pop(0)
        elif word not in ("-k", "-a", "-n", "-nobddcache"):
            return None
    return asked


@pytest.mark.parametrize(("file", "run"), runs())
def test_verdicts_and_state_counts(file: str, run: dict[str, Any]) -> None:
    asked = options(run["options"])
    assert asked is not None, run["options"]
    report = epistrat.load(PROBES / file).report(**asked, evidence=False)
    right = [Verdict.HOLDS if verdict["right"] else Verdict.FAILS for verdict in run["verdicts"]]
    assert [result.verdict for result in report.results] == right
    if run.get("states_right") is not None:
        assert report.facts.states == run["states_right"]
    if "deadlock" in run:
        assert bool(report.facts.dead_ends) == run["deadlock"]


def corpus() -> list[Any]:
    """The models that come with MCMAS, with the verdicts that are right, as far as they are recorded."""
    if not (ROOT / "mcmas").is_dir():
        return []
    return [
        pytest.param(name, run, id=f"{name} {run['options']}".strip())
        for name, model in json.loads((ROOT / "mcmas" / "expected.json").read_text())["models"].items()
        for run in model["runs"]
        if run["right_verdicts"]
    ]


@pytest.mark.parametrize(("file", "run"), corpus())
def test_the_models_of_mcmas(file: str, run: dict[str, Any]) -> None:
    asked = options(run["options"])
    assert asked is not None, run["options"]
    report = epistrat.load(ROOT / "mcmas" / file).report(**asked, evidence=False)
    right = [Verdict.HOLDS if verdict else Verdict.FAILS for verdict in run["right_verdicts"]]
    assert [result.verdict for result in report.results] == right
    if run["states_exact"] is not None and asked.get("strategies") != "uniform":
        assert report.facts.states == run["states_exact"]
