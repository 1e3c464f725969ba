"""Infinite-state models of everyday shape: every formula gets the verdict that its file expects, and its evidence is replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from epistrat.engines.contract import Options
from epistrat.jobs.portfolio import Portfolio
from epistrat.lang import load
from epistrat.model.evaluate import Evaluator
from epistrat.service import models, pipeline
from epistrat.service.expect import read_expectation
from epistrat.service.simulation import Simulation
from epistrat.solvers.budget import Budget

EXAMPLES = Path(__file__).parents[2] / "examples" / "unbounded"
NAMES = (
    "bakery",
    "cop_robber",
    "dutch_auction",
    "ferry",
    "lease",
    "nim",
    "number_transmission",
    "open_auction",
    "producer_consumer",
    "resource",
    "silent_worker",
    "ticket_lock",
    "token_ring",
    "tunnels",
    "watchdog",
)
FILES = sorted([*(Path(__file__).parent / "models").glob("*.ispl"), *(EXAMPLES / f"{name}.ispl" for name in NAMES)])
UNDECIDED = {("battery", 3), ("ticket_lock", 3)}
"""Formulae that the engine decides after a minute, or not at all."""


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=[pytest.mark.long] * (path.stem == "ticket_lock")) for path in FILES],
)
def test_verdicts(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    system = load(text, path.name).system
    assert system is not None
    expected = read_expectation(text).verdicts
    assert set(expected) == set(range(1, len(system.formulae) + 1))
    asked = [one for one in models.questions(system) if (path.stem, one.index) not in UNDECIDED]
    options = Options(evidence=True)
    report = pipeline.check(
        system, asked, engine="abstraction", options=options, budget=Budget(seconds=200), facts=False
    )
    for result in report.results:
        assert result.verdict.value == expected[result.index], f"formula {result.index}"
        assert result.replay is None or not result.replay.problems, f"formula {result.index}"


def test_information_and_simulation_of_models_with_infinitely_many_initial_states() -> None:
    path = next(path for path in FILES if path.stem == "countdown")
    system = load(path.read_text(encoding="utf-8"), path.name).system
    assert system is not None
    run = Simulation(system, seed=1)
    assert run.more_initial_states and len(run.initial_states) > 1
    evaluator = Evaluator(system)
    assert all(evaluator.holds(system.initial, state) for state in run.initial_states)
    with Portfolio(system, "auto", Options(), Budget(seconds=60)) as portfolio:
        assert "too many to be counted" in (portfolio.facts().reason or "")
