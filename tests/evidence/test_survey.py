"""A survey of all states agrees with the judge wherever it says something."""

from __future__ import annotations

import random

import pytest
from tests.generators import FRAGMENTS, random_formula, random_system

from epistrat.engines.contract import Options, Verdict
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.survey import Survey
from epistrat.logic.show import show
from epistrat.model.initial import initial_states
from epistrat.model.system import Composition
from epistrat.solvers.budget import Budget


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_a_survey_agrees_with_the_judge(fragment: str) -> None:
    told = 0
    for seed in range(80):
        rng = random.Random(f"survey {fragment} {seed}")
        system = random_system(rng, **({"composition": Composition.SYNCHRONOUS} if "ATL" in fragment else {}))
        formula = random_formula(rng, system, fragment)
        verdict = ReferenceEngine().open(system, Options(), Budget(states=500)).check(formula).verdict
        survey = Survey(RunChecker(system), 500)
        values = [survey.value(formula, state) for state in initial_states(system, 500)]
        if verdict is Verdict.UNKNOWN or None in values:
            continue
        assert all(values) == (verdict is Verdict.HOLDS), (seed, show(formula))
        told += 1
    assert told > 30


def test_a_survey_gives_up_beyond_its_limit() -> None:
    system = random_system(random.Random(1), fairness=False)
    formula = random_formula(random.Random(2), system, "CTL")
    start = next(iter(initial_states(system)))
    assert Survey(RunChecker(system), 0).value(formula, start) is None
