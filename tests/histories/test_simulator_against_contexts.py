"""What the simulator says that agents know along a run, and after announcements, beside the judge that writes contexts out."""

from __future__ import annotations

import random

import pytest
from tests.histories.contexts import Judge, TooMany
from tests.histories.motley import PROPOSITIONS, random_system

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.service.knowing import Knowing

READINGS = (Reading.OBSERVATION, Reading.CLOCK, Reading.RECALL, Reading.CHANGES)


def judged(system: System, rest: int | None) -> Judge | None:
    try:
        return Judge(system, 3 if rest is None else rest + 1, rests=rest is not None)
    except TooMany:
        return None


@pytest.mark.parametrize("seed", range(0, 60, 20))
def test_what_agents_know_along_a_run(seed: int) -> None:
    compared = 0
    for number in range(seed, seed + 20):
        rng = random.Random(9_000 + number)
        system, kind, _ = random_system(rng)
        system = replace(system, fairness=())
        judge = judged(system, kind.rest)
        if judge is None:
            continue
        for reading in READINGS if kind.rest is not None else (Reading.CLOCK, Reading.RECALL):
            knowing = Knowing(replace(system, knowledge=reading))
            for _ in range(4):
                history = rng.choice(rng.choice([layer for layer in judge.layers[:4] if layer]))
                agent = rng.choice([one for one in system.views if one != "Environment"])
                told = _told(rng, agent, reading) if reading is not Reading.CHANGES and rng.random() < 0.5 else None
                if told is not None and not judge.true(told, history, judge.first):
                    continue
                said = () if told is None else ((len(history) - 1, told),)
                context = judge.first if told is None else judge.after_saying(told, len(history) - 1, judge.first)
                known = knowing.knowledge(agent, history, said)
                for name in PROPOSITIONS:
                    for fact, names in (
                        (logic.Prop(name), known.knows_true),
                        (logic.Not(logic.Prop(name)), known.knows_false),
                    ):
                        asked = logic.Remembers("K", reading, Group((agent,), agent), fact)
                        assert (name in names) is judge.true(asked, history, context), (
                            number,
                            reading,
                            agent,
                            name,
                            told,
                        )
                        compared += 1
    assert compared > 1_000


def _told(rng: random.Random, agent: str, reading: Reading) -> Formula:
    """Something about the present: a fact, or what some group knows, perhaps one without members."""
    fact = logic.Prop(rng.choice(PROPOSITIONS))
    members = () if rng.random() < 0.3 else (agent,)
    word = rng.choice(("GK", "DK", "GCK"))
    known = logic.Remembers(word, reading, Group(members, "some"), fact)
    told = logic.Announced(logic.Prop(rng.choice(PROPOSITIONS)), known)
    return rng.choice((fact, logic.Not(fact), known, told, logic.Not(told)))
