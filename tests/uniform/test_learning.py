"""What failed trials teach must be true: hidden games that take many trials, with no patience, against the judge."""

from __future__ import annotations

import random

import pytest
from tests.generators.mazes import maze

import epistrat
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import IMPATIENT, PATIENT

FORMULAE = [
    "<g>F goal",
    "<g>G !trap",
    "<g>(!trap U goal)",
    "AG(start -> <g>F goal)",
    "EF <g>X <g>F goal",
    "<g>F <g>G !trap",
]
TEAM = ["<g>F goal", "<team>F goal", "<team>G !trap", "<team>(!trap U goal)"]


@pytest.mark.parametrize("reading", ["objective", "subjective", "uniform"])
@pytest.mark.parametrize("overflow", [False, True])
def test_many_trials_without_patience(reading: str, overflow: bool) -> None:
    tried = 0
    for seed in range(5 if reading == "uniform" else 16):
        rng = random.Random(f"{seed} {overflow}")
        helper = seed % 3 == 0
        system = epistrat.load(maze(rng, overflow, helper))
        formulae = TEAM if helper else FORMULAE
        group = ("team" if helper else "g") if reading == "uniform" else None
        right = system.check(formulae, engine="reference", strategies=reading, group=group, evidence=False, time=0.6)
        for patience in (IMPATIENT, PATIENT):
            found = system.check(
                formulae,
                engine="symbolic",
                strategies=reading,
                group=group,
                evidence=False,
                budget=Budget(patience=patience),
            )
            for text, one, other in zip(formulae, found, right, strict=True):
                if other.verdict.value != "unknown":
                    assert one.verdict is other.verdict, (seed, text, patience)
                tried += int(one.statistics.get("strategies tried", 0)) > 1
    assert tried > (3 if reading == "uniform" else 10)


def test_what_is_blamed_is_small() -> None:
    """If a failed trial blamed decisions that did not matter for it, this game would take twice as many trials (22)."""
    system = epistrat.load(maze(random.Random("20 False"), False, False))
    budget = Budget(patience=IMPATIENT)
    (found,) = system.check("<g>F goal", engine="symbolic", strategies="objective", evidence=False, budget=budget)
    assert 2 < int(found.statistics["strategies tried"]) < 16
