"""Knowledge that counts or remembers, and announcements, beside their definitions on written-out histories."""

from __future__ import annotations

import os
import random

import pytest
from tests.histories.definition import Definition
from tests.histories.models import REST, random_formula, random_resting

from epistrat.engines import registry
from epistrat.engines.contract import Options, Verdict
from epistrat.logic.formula import subformulae
from epistrat.logic.histories import read_as, unreadable
from epistrat.logic.nodes import PAST, Reading
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.solvers.budget import Budget

QUESTIONS = int(os.environ.get("EPISTRAT_HISTORIES", "150"))
PART = 15


LEFT_OPEN = (
    "is not answered",
    "is answered below",
    "do not answer",
    "answer about histories only",
    "answer `recall` only",
)
FEWEST = {"explicit": 4, "symbolic": 2}
"""Answers for each model."""


@pytest.mark.parametrize("engine", FEWEST)
@pytest.mark.parametrize("seed", range(0, QUESTIONS, PART))
def test_engines_say_what_the_definition_says(seed: int, engine: str) -> None:
    compared = 0
    for number in range(seed, seed + PART):
        rng = random.Random(number)
        system = random_resting(rng)
        session = registry.load(engine).open(system, Options(), Budget(seconds=60))
        for _ in range(8):
            formula = read_as(random_formula(rng, rng.choice((1, 2, 3))), Reading.OBSERVATION)
            if unreadable(formula) is not None:
                continue
            outcome = session.check(formula)
            if outcome.verdict is Verdict.UNKNOWN:
                assert any(words in (outcome.reason or "") for words in LEFT_OPEN), outcome.reason
                continue
            deep = sum(isinstance(part, PAST) for part in subformulae(formula))
            expected = Definition(system, REST + 1 + deep).holds(formula)
            assert (outcome.verdict is Verdict.HOLDS) == expected, (number, show(formula), to_ispl(system))
            compared += 1
    assert compared > FEWEST[engine] * PART
