"""The shapes of the zoo: every one is a sound model, and the engines agree on it."""

from __future__ import annotations

import pytest
from benchmarks.zoo import SHAPES, disguised, kept_out, text

from epistrat.answers import Verdict
from epistrat.engines.contract import Options
from epistrat.engines.registry import load as engine
from epistrat.lang import load
from epistrat.solvers.budget import Budget

TOO_LARGE_FOR_THE_JUDGE = {"deep_arithmetic", "pairs"}


@pytest.mark.parametrize("name", SHAPES)
def test_engines_agree_on_a_small_model(name: str) -> None:
    loaded = load(text(name, SHAPES[name].tiny))
    assert loaded.system is not None, loaded.diagnostics
    system = loaded.system
    assert 4 <= len(system.formulae) <= 10
    told = {}
    for label in ("symbolic", "explicit") if name in TOO_LARGE_FOR_THE_JUDGE else ("symbolic", "explicit", "reference"):
        session = engine(label).open(system, Options(), Budget(states=20_000))
        told[label] = [session.check(formula).verdict for formula in system.formulae]
    assert Verdict.UNKNOWN not in told["symbolic"]
    assert all(verdicts == told["symbolic"] for verdicts in told.values())


def test_the_zoo_is_large_and_evenly_split() -> None:
    assert len(SHAPES) >= 60
    models = [(name, seed) for name in SHAPES for seed in (1, 2, 3)]
    assert 0.4 < sum(kept_out(*one) for one in models) / len(models) < 0.6
    assert 0.25 < sum(disguised(*one) for one in models) / len(models) < 0.45
