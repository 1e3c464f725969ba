"""Answers survive JSON: what is read back is the same certificate, for every kind of formula and reading."""

from __future__ import annotations

import json
import pickle
import random
from functools import partial

import pytest
from hypothesis import given, settings, strategies as st
from tests.generators import FRAGMENTS, random_formula, random_system

from epistrat.answers import Question, Result, Strategies
from epistrat.engines.contract import Options
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.logic.show import show
from epistrat.model.system import Composition
from epistrat.render.json.cursor import Datum
from epistrat.render.json.reading import read_certificate
from epistrat.render.json.report import result_json
from epistrat.service.models import read_formula
from epistrat.solvers.budget import Budget

CASES = [(fragment, Strategies.ANY) for fragment in FRAGMENTS]
CASES += [("ATLK", reading) for reading in Strategies if reading is not Strategies.ANY]


@pytest.mark.parametrize(("fragment", "reading"), CASES, ids=lambda value: getattr(value, "value", value))
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_a_certificate_is_read_back_as_it_was(fragment: str, reading: Strategies, seed: int) -> None:
    rng = random.Random(seed)
    composition = Composition.SYNCHRONOUS if "ATL" in fragment else None
    system = random_system(rng, composition=composition, agents=2)
    formula = random_formula(rng, system, fragment, rng.randint(1, 3))
    question = Question(1, formula, show(formula))
    if read_formula(question.text, system) != formula:
        return  # one text cannot say both readings of a path quantifier
    group = tuple(system.groups["g0"]) if reading is Strategies.UNIFORM and rng.random() < 0.5 else None
    budget = Budget(seconds=0.5, states=40)  # some systems have very many strategies; what is unknown is read back too
    session = ReferenceEngine().open(system, Options(reading, group, evidence=True), budget)
    result = Result.of(session.check(formula), question, "reference", 0.0, reading, group)
    data = json.loads(json.dumps(result_json(system, result)))
    again = read_certificate(system, Datum(data), partial(read_formula, system=system))
    assert again == result.certificate
    assert pickle.loads(pickle.dumps(again)) == again
