"""Conjunctions that count: what they become says the same of all valuations, and only what counts becomes one condition."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import combinations, product

import pytest

from epistrat.encoding import counted
from epistrat.model.evaluate import apply
from epistrat.terms import And, AtLeast, Const, Expr, Not, Sort, Terms, children


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "_LEAST_CONJUNCTS", 2)


def literals(terms: Terms, count: int, prefix: str = "x") -> list[Expr]:
    return [terms.variable("A", f"{prefix}{n}", Sort.BOOLEAN) for n in range(count)]


def clauses(terms: Terms, rng: random.Random, variables: list[Expr], width: int, denied: bool) -> list[Expr]:
    """All combinations, the operands in any order."""
    found = []
    for some in combinations(variables, width):
        operands = rng.sample(some, width)
        found.append(terms.negate(terms.conjunction(operands)) if denied else terms.disjunction(operands))
    return found


def same(one: list[Expr] | tuple[Expr, ...], other: list[Expr] | tuple[Expr, ...], variables: list[Expr]) -> bool:
    """Whether two conjunctions are true of the same valuations."""
    return all(
        all(true(part, dict(zip(variables, values, strict=True))) for part in one)
        == all(true(part, dict(zip(variables, values, strict=True))) for part in other)
        for values in product((False, True), repeat=len(variables))
    )


def true(condition: Expr, values: Mapping[Expr, bool]) -> bool:
    """The condition's value, by the definitions."""
    if isinstance(condition, Const):
        return bool(condition.value)
    if condition in values:
        return values[condition]
    return bool(apply(condition, [true(part, values) for part in children(condition)]))


@pytest.mark.parametrize("seed", range(60))
def test_it_says_the_same(seed: int) -> None:
    rng, terms = random.Random(seed), Terms()
    variables = literals(terms, rng.randint(3, 6))
    parts: list[Expr] = []
    for _ in range(rng.randint(1, 3)):
        some = rng.sample(variables, rng.randint(2, len(variables)))
        some = [terms.negate(one) if rng.random() < 0.3 else one for one in some]
        found = clauses(terms, rng, some, rng.randint(2, len(some)), rng.random() < 0.5)
        if rng.random() < 0.4:
            found.pop(rng.randrange(len(found)))
        if rng.random() < 0.4:
            found.append(rng.choice([*found, *variables]))
        if rng.random() < 0.3:
            twice = rng.choice(variables)
            found.append(Not(And((twice, twice))))
        parts += found
    rng.shuffle(parts)
    condition = And(tuple(parts)) if len(parts) > 1 else parts[0] if parts else terms.boolean(True)
    assert same(counted.conjuncts(condition), parts, variables)


@pytest.mark.parametrize("denied", [True, False])
def test_all_combinations_become_one_condition(denied: bool) -> None:
    rng, terms = random.Random(1), Terms()
    one, other = literals(terms, 7), literals(terms, 5, "y")
    found = counted.conjuncts(
        terms.conjunction([*clauses(terms, rng, one, 3, denied), *clauses(terms, rng, other, 3, denied)])
    )
    assert len(found) == 2
    inside = [part.arg if isinstance(part, Not) else part for part in found]
    assert all(isinstance(part, AtLeast) for part in inside)


def test_one_combination_fewer_is_left_as_it_is() -> None:
    rng, terms = random.Random(1), Terms()
    parts = clauses(terms, rng, literals(terms, 7), 3, True)[1:]
    assert counted.conjuncts(terms.conjunction(parts)) == tuple(parts)
