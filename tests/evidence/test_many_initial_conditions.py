"""A state is initial or not, whether the initial condition is made into functions or looked at as it stands."""

from __future__ import annotations

import random

import pytest
from tests.generators.systems import random_system

from epistrat.evidence import runs
from epistrat.evidence.runs import RunChecker
from epistrat.model.initial import initial_states
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.terms import Terms


def tangled(rng: random.Random, system: System) -> System:
    """The system with conjuncts that have connectives inside each other."""
    terms = Terms()
    tests = [
        terms.equals(one.reference, one.domain.at(rng.randrange(one.domain.last + 1)))  # type: ignore[union-attr]  # they are finite
        for one in system.variables
    ]
    parts = [system.initial]
    for _ in range(4):
        some = [rng.choice(tests) if rng.random() < 0.5 else terms.negate(rng.choice(tests)) for _ in range(3)]
        inner = terms.conjunction(some) if rng.random() < 0.5 else terms.disjunction(some)
        parts.append(
            terms.negate(terms.conjunction([inner, terms.disjunction([rng.choice(tests), terms.negate(inner)])]))
        )
    return replace(system, initial=terms.conjunction(parts))


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("deep", [0, 1, 4])
def test_it_is_the_same(seed: int, deep: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    system = tangled(rng, random_system(rng))
    states = initial_states(replace(system, initial=Terms().boolean(True)), 20_000)
    monkeypatch.setattr(runs, "_MANY_CONJUNCTS", 1)
    monkeypatch.setattr(runs, "_DEEP", deep)
    checker = RunChecker(system)
    right = set(initial_states(system, 20_000))
    for state in rng.sample(states, min(60, len(states))):
        for _ in range(2):
            assert (checker.initial(state) is None) == (state in right)
