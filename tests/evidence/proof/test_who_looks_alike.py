"""Who looks alike is asked of some states only, in any order and from either side: the answer is that of the definition."""

from __future__ import annotations

import os
import random

import pytest
from tests.evidence.proof.test_rules_are_sound import a_set, a_world

from epistrat.evidence.proof.rules import needs_search
from epistrat.evidence.proof.sets import STEP, Before, Both, Either, Given, Kind, Least, Outside, Through, both, outside

COUNT = int(os.environ.get("EPISTRAT_PROOFS", "60"))


@pytest.mark.parametrize("seed", range(COUNT))
def test_what_looks_alike_among_some_states(seed: int) -> None:
    rng = random.Random(seed)
    world = a_world(rng)
    agents = tuple(agent.name for agent in world.system.agents if agent.name in world.system.views)
    hidden = {group: world.algebra.cube(world.encoded.hidden(group)) for group in [(one,) for one in agents] + [agents]}
    states = [a_set(world, rng, share).states for share in (0.2, 0.5, 0.9)]
    for _ in range(30):
        group, one, among = rng.choice(list(hidden)), rng.choice(states), a_set(world, rng, rng.random()).states
        if rng.random() < 0.5:
            among = ~among  # also of states that were not found
        true = world.found & among & world.algebra.exists(one, hidden[group])
        assert world.alike(group, one, among) == true
        assert world.found & world.algebra.exists(one, hidden[group]) == world.alike(group, one)


def test_look_alikes_of_conjunctions_are_asked_among_the_other_parts() -> None:
    world = a_world(random.Random(1))
    some = [a_set(world, random.Random(seed), 0.5) for seed in (2, 3, 4)]
    link = Through(Kind.ALIKE, ("Environment",))
    asked, further = Before(link, some[0]), Before(link, some[1])
    assert both(some[2], asked) == Before(link, some[0], some[2])
    assert both(asked) == asked
    assert both(asked, both(some[1], some[2])) == Before(link, some[0], Both((some[1], some[2])))
    assert both(some[2], asked, further) == Before(link, some[0], Before(link, some[1], some[2]))
    assert both(some[2], Before(STEP, some[0])) == Both((some[2], Before(STEP, some[0])))
    assert outside(Either((Outside(some[2]), Outside(asked)))) == Before(link, some[0], some[2])
    assert outside(outside(asked)) == asked


def test_what_is_asked_about_may_need_a_search_itself() -> None:
    world = a_world(random.Random(1))
    some = [a_set(world, random.Random(seed), 0.5) for seed in (2, 3)]
    link = Through(Kind.ALIKE, ("Environment",))
    known = Outside(Before(link, some[0]))
    assert not needs_search(Before(link, some[0], some[1]), False)
    assert needs_search(Before(link, some[0], known), False)
    assert needs_search(Before(STEP, some[0], Least(link, some[1], some[0])), True)
    assert not needs_search(Before(STEP, some[0], some[1]), True)
    assert isinstance(some[0], Given)
