"""The verdicts of the worked examples, in all readings, by all engines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.asynchronous.worked_examples import MODELS, TABLE, Row
from tests.generators.asynchronous import system_of

from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.engines.registry import load as engine_of
from epistrat.lang.load import load
from epistrat.model.system import Blocking, Scheduling, System
from epistrat.model.transform.choices import Choosing, with_choices
from epistrat.service.models import read_formula
from epistrat.solvers.budget import Budget

READINGS = (Strategies.OBJECTIVE, Strategies.ANY, Strategies.SUBJECTIVE, Strategies.UNIFORM)
ENGINES = {"reference": range(8), "symbolic": (0, 1, 2, 3, 6), "explicit": range(8)}
"""The columns of the table that an engine answers."""


def _column(system: System, number: int) -> tuple[System, Strategies]:
    if number < len(READINGS):
        return system, READINGS[number]
    changed = (
        replace(system, blocking=Blocking.ADVERSARY),
        replace(system, blocking=Blocking.IGNORE),
        with_choices(system, Choosing.SINGLE),
        replace(system, scheduling=Scheduling.FAIR),
    )
    return changed[number - len(READINGS)], Strategies.OBJECTIVE


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.model}: {row.formula}")
def test_every_column_of_the_table(row: Row, engine: str) -> None:
    full = MODELS[row.model]
    formula = read_formula(row.formula, full)
    found = ""
    for number in ENGINES[engine]:
        system, reading = _column(full, number)
        session = engine_of(engine).open(system, Options(reading), Budget())
        verdict = session.check(formula).verdict
        found += {Verdict.HOLDS: "T", Verdict.FAILS: "F"}.get(verdict, "?")
        session.close()
    assert found == "".join(row.verdicts[number] for number in ENGINES[engine])


def test_the_example_with_trains_says_what_to_expect() -> None:
    loaded = load((Path(__file__).parents[2] / "examples" / "asynchronous" / "tunnel.ispl").read_text())
    assert loaded.system is not None
    session = engine_of("symbolic").open(loaded.system, Options(Strategies.OBJECTIVE), Budget())
    found = [session.check(formula).verdict.value for formula in loaded.system.formulae]
    assert found == ["holds", "holds", "fails", "holds", "fails"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("reading", [Strategies.OBJECTIVE, Strategies.SUBJECTIVE], ids=lambda reading: reading.value)
def test_a_play_that_is_lost_must_avoid_fair_paths_beyond_the_goal(reading: Strategies, engine: str) -> None:
    """`false U one` is lost at the start; only plays that stay in p2 are not fair, and Alice would have to tell p1 from p2 for that."""
    system = system_of(
        {"Alice": "l0: go>l1; l1: a>l1 b>l1", "Bob": "p0: {go>p1 a>p1 b>p1}; p1: {a>p2 b>p0}; p2: {a>p0 b>p2}"},
        {"none": "Bob.at = p0 and Bob.at = p1", "one": "Bob.at = p1", "low": "Bob.at = p0 or Bob.at = p1"},
        {"alice": "Alice"},
        fairness="low",
    )
    session = engine_of(engine).open(system, Options(reading), Budget())
    assert session.check(read_formula("<alice>(none U one)", system)).verdict is Verdict.FAILS
    assert session.check(read_formula("<alice>F one", system)).verdict is Verdict.HOLDS
