"""Recall beside windows that grow: what is known with a window is known with a longer one, and with recall; with a clock they agree."""

from __future__ import annotations

import random

import pytest
from tests.histories.motley import PROPOSITIONS, random_system

from epistrat.engines import registry
from epistrat.engines.contract import Options, Session, Verdict
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading
from epistrat.model.system import System
from epistrat.model.transform.recall import with_recall
from epistrat.solvers.budget import Budget

LONGEST = 3


def session(system: System) -> Session:
    return registry.load("explicit").open(system, Options(), Budget(seconds=60))


def windows(system: System) -> list[Session]:
    """The system without a window, and with those of growing length."""
    return [session(system), *(session(with_recall(system, length).system) for length in range(1, LONGEST + 1))]


def later(steps: int, formula: Formula) -> Formula:
    for _ in range(steps):
        formula = logic.ForAll(logic.Next(formula))
    return formula


@pytest.mark.parametrize("seed", range(0, 60, 30))
def test_windows_that_grow(seed: int) -> None:
    compared = grown = 0
    for number in range(seed, seed + 30):
        rng = random.Random(20_000 + number)
        system, kind, _ = random_system(rng)
        if kind.interleaved:
            continue  # there windows count the agent's own steps
        with_windows = windows(system)
        for _ in range(6):
            agent = rng.choice([one for one in system.views if one != "Environment"])
            fact = rng.choice((logic.Prop, lambda name: logic.Not(logic.Prop(name))))(rng.choice(PROPOSITIONS))

            def known(reading: Reading, agent: str = agent, fact: Formula = fact) -> Formula:
                if reading is Reading.OBSERVATION:
                    return logic.Knows(agent, fact)
                return logic.Remembers("K", reading, Group((agent,), agent), fact)

            for steps in range(LONGEST + 1):
                by_recall = with_windows[0].check(later(steps, known(Reading.RECALL))).verdict
                for length in range(steps, LONGEST + 1):
                    by_window = with_windows[length].check(later(steps, known(Reading.CLOCK))).verdict
                    assert by_window is by_recall, (number, agent, steps, length)
                    compared += 1
            premise = logic.Prop(rng.choice(PROPOSITIONS))
            always = [
                one.check(logic.ForAll(logic.Globally(logic.Implies(premise, known(Reading.OBSERVATION))))).verdict
                for one in with_windows
            ]
            always.append(
                with_windows[0]
                .check(logic.ForAll(logic.Globally(logic.Implies(premise, known(Reading.RECALL)))))
                .verdict
            )
            holding = [one is Verdict.HOLDS for one in always]
            assert holding == sorted(holding), (number, agent, always)
            grown += len(set(holding)) > 1
    assert compared > 1_000
    assert grown
