"""The conformance models: right verdicts, state counts, dead ends and overflows.  Skipped where the models are not present."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from epistrat.engines.contract import Options, Session, Strategies, Verdict
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.lang import load
from epistrat.logic import show
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

MODELS = Path(__file__).parents[3] / "shared" / "conformance"
LARGEST = 20_000


@cache
def expected(kind: str) -> dict[str, Any]:
    table = MODELS / kind / "expected.json"
    if not table.exists():
        return {}
    found: dict[str, Any] = json.loads(table.read_text())["probes" if kind == "probes" else "models"]
    return found


pytestmark = pytest.mark.skipif(not MODELS.exists(), reason="the conformance models are not present")


@cache
def model(kind: str, file: str) -> System | None:
    return load((MODELS / kind / file).read_text()).system


def session(system: System, options: str) -> Session:
    words = options.split()
    if "-uniform" in words:
        group = system.groups[words[words.index("-ufgroup") + 1]] if "-ufgroup" in words else None
        chosen = Options(Strategies.UNIFORM, group)
    elif "-atlk 2" in options:
        chosen = Options(Strategies.SUBJECTIVE)
    else:
        chosen = Options()
    return ReferenceEngine().open(system, chosen, Budget(seconds=60))


def compare(found: Session, system: System, verdicts: list[bool | None]) -> None:
    assert len(verdicts) == len(system.formulae)
    for formula, right in zip(system.formulae, verdicts, strict=True):
        if right is not None:
            verdict = found.check(formula).verdict
            assert verdict is (Verdict.HOLDS if right else Verdict.FAILS), show(formula)


@pytest.mark.parametrize("name", [name for name in expected("probes") if not name.endswith("_rejected")])
def test_probe(name: str) -> None:
    probe = expected("probes")[name]
    system = model("probes", probe["file"])
    if system is None:
        assert probe.get("right_outcome") == "reject" or probe["runs"][0]["outcome"].endswith("error")
        return
    for run in probe["runs"]:
        found = session(system, run["options"])
        right = probe.get("right_verdicts") or [verdict["right"] for verdict in run["verdicts"]]
        right = [verdict["right"] if isinstance(verdict, dict) else verdict for verdict in right]
        if right:
            compare(found, system, right)
        facts = found.facts()
        if "states_right" in run and "-uniform" not in run["options"]:
            assert facts.states == run["states_right"]
        if "deadlock" in run:
            assert bool(facts.dead_ends) == run["deadlock"]
        if "-a" in run["options"].split():
            line = facts.overflow_line
            assert (f"{line[0]}#{line[1]}" if line else None) == run.get("overflow")


SMALL = [
    (name, index)
    for name, entry in expected("mcmas").items()
    for index, run in enumerate(entry["runs"])
    if run.get("right_verdicts") and (run.get("states_exact") or LARGEST) < LARGEST
]


@pytest.mark.parametrize(("name", "index"), SMALL)
def test_bundled_model(name: str, index: int) -> None:
    run = expected("mcmas")[name]["runs"][index]
    system = model("mcmas", name)
    assert system is not None
    found = session(system, run["options"])
    compare(found, system, run["right_verdicts"])
    assert found.facts().states == run["states_exact"]
