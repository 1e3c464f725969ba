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

# Probes that MCMAS refuses for no good reason: accepted, except with strict=True.
STRATEGIES = {"-atlk 0": "any", "-atlk 1": "any", "-atlk 2": "subjective", "-uniform": "uniform"}


def runs() -> list[Any]:
    if not PROBES.is_dir():
        return []
    found = []
    for name, probe in json.loads((PROBES / "expected.json").read_text())["probes"].items():
        for run in probe["runs"]:
            if run["verdicts"] and all(verdict["right"] is not None for verdict in run["verdicts"]):
                found.append(pytest.param(probe["file"], run, id=f"{name} {run['options']}".strip()))
    return found


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
