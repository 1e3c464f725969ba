"""Each rule alone, against lies: what it accepts is inside the set, or all of the set, as honest fixpoints compute it."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.evidence.proof.test_faults_and_lies import Lies
from tests.generators.systems import random_system

from epistrat.evidence.proof.hints import Hint, Hints, Round
from epistrat.evidence.proof.obligations import Ledger, Refuted
from epistrat.evidence.proof.rules import Rules
from epistrat.evidence.proof.search import search
from epistrat.evidence.proof.sets import (
    STEP,
    Again,
    Anywhere,
    Before,
    Either,
    Given,
    Greatest,
    Kind,
    Least,
    Outside,
    Set,
    Through,
    both,
)
from epistrat.evidence.proof.world import Encoded, Means, World
from epistrat.model.system import Composition

COUNT = int(os.environ.get("EPISTRAT_PROOFS", "60"))
SMALL = Means("oxidd", 1 << 18, 1 << 16)


def a_world(rng: random.Random) -> World:
    system = random_system(rng, fairness=False, composition=Composition.SYNCHRONOUS)
    encoded = Encoded(system, (), SMALL)
    return World(encoded, encoded.relation, encoded.initial, search(encoded.relation, encoded.initial, lambda: None))


def a_set(world: World, rng: random.Random, share: float) -> Given:
    """Each state with this probability, as far as a few bits tell."""
    result = world.algebra.false
    for _ in range(6):
        cube = world.found
        for row in world.space.now.values():
            for bit in row:
                if rng.random() < 0.5:
                    cube = cube & (world.algebra.var[bit] if rng.random() < 0.5 else ~world.algebra.var[bit])
        result = result | cube
    return Given(world.found & (result if rng.random() < share else ~result))


def a_through(world: World, rng: random.Random) -> Through:
    agents = tuple(agent.name for agent in world.system.agents if agent.name in world.system.views)
    some = tuple(rng.sample(agents, rng.randint(1, len(agents))))
    kind = rng.choice((Kind.STEP, Kind.STEP, Kind.ENFORCED, Kind.ANSWERED, Kind.ALIKE, Kind.LINKED))
    return STEP if kind is Kind.STEP else Through(kind, some)


def sets(world: World, rng: random.Random) -> Iterator[Set]:
    """One set of every kind, over sets that are given."""

    def some(share: float) -> Given:
        return a_set(world, rng, share)

    through = a_through(world, rng)
    yield Outside(some(0.5))
    yield both(some(0.5), some(0.5))
    yield Either((some(0.5), some(0.5)))
    yield Before(through, some(0.5))
    yield Before(through, some(0.5), some(0.7))
    yield Least(through, some(0.3), some(0.9))
    yield Greatest(through, some(0.3), some(0.9))
    yield Again(through, some(0.2), some(0.9), (some(0.5), some(0.5)))
    yield Anywhere(both(some(0.9), some(0.9)))


class Lying(Hints):
    """Honest about the parts, not about the set itself."""

    def __init__(self, world: World, lies: Lies, about: Set) -> None:
        super().__init__(world, self._none)
        self._lies = lies
        self._about = about

    def _none(self, number: int) -> Hints:
        raise LookupError(number)

    def _made(self, one: Set) -> Hint:
        found = super()._made(one)
        if one != self._about:
            return found
        if isinstance(one, Again) and self._lies.rng.random() < 0.3:
            return self._too_near(one)
        for _ in range(self._lies.rng.randint(1, 3)):
            found = self._lies.about(self._world, found)
        return replaced(found, self._world, self._lies.rng)

    def _too_near(self, one: Again) -> Hint:
        """Only what is at a condition counts as near it."""
        world = self._world
        hold, goal = self.states(one.hold), self.states(one.goal)
        left, rounds = world.found, []
        for number, condition in enumerate(one.conditions):
            near = goal | left & self.states(condition)
            kept = goal | left & hold & world.through(one.through, near)
            rounds.append(Round(number, left, near, kept))
            left = kept
        return Hint(left, ((),) * len(one.conditions), tuple(rounds))


def replaced(hint: Hint, world: World, rng: random.Random) -> Hint:
    """The hint with a whole set, layer or round that is too large or too small."""
    every, nothing = world.found, world.algebra.false
    match rng.randrange(5):
        case 0:
            return replace(hint, states=every)
        case 1:
            return replace(hint, states=nothing)
        case 2 if hint.layers and hint.layers[0]:
            layers: Any = [(*one, every) for one in hint.layers]
            return replace(hint, states=every, layers=tuple(layers))
        case 3 if hint.rounds:
            last = replace(hint.rounds[-1], kept=nothing)
            return replace(hint, states=nothing, rounds=(*hint.rounds, last))
    return hint


@pytest.mark.parametrize("seed", range(COUNT))
def test_what_a_rule_accepts_is_true(seed: int) -> None:
    rng = random.Random(seed)
    world = a_world(rng)
    implies = world.algebra.implies
    for _ in range(6):
        for one in sets(world, rng):
            true = Hints(world, _no_hints).states(one)
            for _ in range(6):
                hints = Lying(world, Lies(rng, 1.0), one)
                for inside in (True, False):
                    rules = Rules(world, hints, Ledger(), _nobody, searched=True)
                    try:
                        said = rules.show(one, inside)
                    except (Refuted, IndexError):
                        continue
                    assert implies(said, true) if inside else implies(true, said), (seed, one, inside)


@pytest.mark.parametrize("seed", range(COUNT))
def test_what_is_true_is_accepted(seed: int) -> None:
    rng = random.Random(seed)
    world = a_world(rng)
    for one in sets(world, rng):
        hints = Hints(world, _no_hints)
        for inside in (True, False):
            Rules(world, hints, Ledger(), _nobody, searched=True).show(one, inside)


def _nobody(number: int) -> tuple[Rules, tuple[Set, ...]]:
    raise LookupError(number)


def _no_hints(number: int) -> Hints:
    raise LookupError(number)
