"""Conditions on what is seen that exclude what is denied: wherever one says so, no values of the other variables are possible.

Integers beside reals are eliminated as if they were reals; so strict bounds of whole numbers are moved to the next one first, which
must change nothing for whole numbers.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

from epistrat.encoding.transitions import transitions
from epistrat.model.agent import Agent, Variable
from epistrat.model.fold import fold
from epistrat.model.system import System
from epistrat.proving.projection import _without_gaps, excluding
from epistrat.proving.unrolling import Unrolling
from epistrat.solvers.budget import Budget
from epistrat.terms import TRUE, Bounded, Domain, Expr, Integer, Key, Real, Sort, Terms, Value

X, Y, R = ("A", "x"), ("A", "y"), ("A", "r")
KINDS: dict[str, dict[Key, Domain]] = {
    "integers": {X: Integer(), Y: Integer()},
    "reals": {X: Real(), R: Real()},
    "integers and reals": {X: Integer(), Y: Integer(), R: Real()},
    "a range and a real": {X: Integer(), Y: Bounded(-2, 2), R: Real()},
}
WHOLE = [Fraction(number) for number in range(-4, 5)]
HALVES = [Fraction(number, 2) for number in range(-8, 9)]


def _comparison(rng: random.Random, terms: Terms, keys: list[Key]) -> Expr:
    parts = [
        terms.arith("*", terms.number(rng.choice((1, 1, -1, 2, Fraction(1, 2)))), terms.variable(*key, Sort.NUMBER))
        for key in rng.sample(keys, rng.randint(1, min(2, len(keys))))
    ]
    left = parts[0] if len(parts) == 1 else terms.arith("+", *parts)
    right = terms.number(rng.choice((0, 1, -2, 3, Fraction(1, 2))))
    found = terms.compare(rng.choice(("<", "<=", ">", ">=", "=")), left, right)
    return terms.negate(found) if rng.random() < 0.3 else found


def _values(domains: dict[Key, Domain]) -> list[dict[Key, Value]]:
    ranges = [
        HALVES
        if isinstance(domain, Real)
        else [one for one in WHOLE if not isinstance(domain, Bounded) or abs(one) <= 2]
        for domain in domains.values()
    ]
    return [dict(zip(domains, (_plain(one) for one in values), strict=True)) for values in product(*ranges)]


def _plain(value: Fraction) -> Value:
    return int(value) if value.denominator == 1 else value


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_what_is_excluded_is_impossible(kind: str, seed: int) -> None:
    rng, domains = random.Random(f"{kind} {seed}"), KINDS[kind]
    system = transitions(System((Agent("A", tuple(Variable(*key, domain) for key, domain in domains.items())),)))
    terms = system.terms
    invariants = [_comparison(rng, terms, list(domains)) for _ in range(rng.randint(0, 2))]
    denied = _comparison(rng, terms, list(domains))
    found = excluding(Unrolling(system, Budget(seconds=20)), invariants, [X], denied, Budget(seconds=20))
    if found is None:
        return
    together = terms.conjunction((*invariants, denied))
    possible = {values[X] for values in _values(domains) if fold(terms, together, values) == TRUE}
    for x in {values[X] for values in _values(domains)}:
        if fold(terms, found, {X: x}) == TRUE:
            assert x not in possible, (found, x)


def test_what_cannot_be_is_excluded_everywhere_and_what_can_be_nowhere() -> None:
    for domains in KINDS.values():
        system = transitions(System((Agent("A", tuple(Variable(*key, domain) for key, domain in domains.items())),)))
        terms = system.terms
        x = terms.variable(*X, Sort.NUMBER)
        small = terms.compare("<=", x, terms.number(2))
        assert excluding(Unrolling(system, Budget()), [small], [X], terms.negate(small), Budget()) == TRUE
        found = excluding(Unrolling(system, Budget()), [], [X], small, Budget())
        assert found is not None
        assert [fold(terms, found, {X: value}) == TRUE for value in (1, 2, 3)] == [False, False, True]


@pytest.mark.parametrize("seed", range(40))
def test_moved_bounds_are_the_same_for_whole_numbers(seed: int) -> None:
    rng, terms = random.Random(seed), Terms()
    domains: dict[Key, Domain] = {X: Integer(), Y: Integer(), R: Real()}
    condition = terms.disjunction([_comparison(rng, terms, list(domains)) for _ in range(2)])
    moved = _without_gaps(terms, condition, {X, Y})
    for values in _values(domains)[::3]:
        assert fold(terms, moved, values) == fold(terms, condition, values), (condition, values)
