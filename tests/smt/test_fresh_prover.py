"""The prover that re-proves evidence agrees with going through all states."""

from __future__ import annotations

import random

import pytest
from tests.generators import random_system
from tests.generators.enumeration import Enumeration

from epistrat.model.system import System
from epistrat.proving.fresh import FreshProver
from epistrat.terms import Boolean, Bounded, Expr, Sort, Terms


def condition(rng: random.Random, system: System) -> Expr:
    terms = Terms()
    parts = [rng.choice(list(system.propositions.values())) for _ in range(rng.randint(1, 2))]
    joined = (terms.conjunction if rng.random() < 0.5 else terms.disjunction)(parts)
    return terms.negate(joined) if rng.random() < 0.5 else joined


def measure(rng: random.Random, system: System) -> Expr | None:
    numbers = [v.reference for v in system.variables if isinstance(v.domain, Bounded)]
    if not numbers or rng.random() < 0.4:
        return None
    terms = Terms()
    return terms.arith("+", rng.choice(numbers), terms.number(rng.randint(0, 3)))


@pytest.mark.parametrize("question", ["entails", "every_step", "some_step"])
def test_the_solver_agrees_with_enumeration(question: str) -> None:
    answers, prover = [], FreshProver()  # which keeps translations, and must not mix them up
    for seed in range(60):
        rng = random.Random(f"{question} {seed}")
        system = random_system(rng, agents=rng.choice((1, 2)))
        one, other = condition(rng, system), condition(rng, system)
        given = (one, other) if question == "entails" else (one, other, measure(rng, system))
        truth = getattr(Enumeration(), question)(system, *given)
        told = getattr(prover, question)(system, *given)
        assert told in (truth, None), seed
        answers.append(told)
    assert answers.count(True) > 3 and answers.count(False) > 3 and answers.count(None) < 3


def test_questions_with_and_without_a_measure_take_turns() -> None:
    prover, rng = FreshProver(), random.Random(11)
    for _ in range(20):
        system = random_system(rng, agents=1)
        one, other = condition(rng, system), condition(rng, system)
        for asked in (None, measure(rng, system), None):
            truth = Enumeration().every_step(system, one, other, asked)
            assert prover.every_step(system, one, other, asked) in (truth, None)


def test_conditions_are_over_the_whole_domain() -> None:
    system = random_system(random.Random(3))
    assert any(isinstance(v.domain, Boolean) or v.domain.sort is not Sort.BOOLEAN for v in system.variables)
    terms = Terms()
    assert FreshProver().entails(system, terms.boolean(True), terms.boolean(True)) is True
    assert FreshProver().entails(system, terms.boolean(True), terms.boolean(False)) is False
