"""Bounded recall: the same runs, and agents that know more."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from tests.generators.systems import random_system

import epistrat
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.model.transform.recall import with_recall

COUNTER = """
Agent Environment
    Vars: n : 0..2; end Vars
    Obsvars: signal : boolean; end Obsvars
    Actions = {tick}; Protocol: Other : {tick}; end Protocol
    Evolution:
        n = 0 and signal = false if n = 2;
        n = 1 if n = 0;
        n = 2 and signal = true if n = 1;
    end Evolution
end Agent
Agent A
    Actions = {look}; Protocol: Other : {look}; end Protocol
end Agent
Evaluation one if Environment.n = 1; end Evaluation
InitStates Environment.n = 2 and Environment.signal = true; end InitStates
Formulae AG(one -> K(A, one)); end Formulae
"""


@pytest.mark.parametrize("engine", ["reference", "symbolic", "explicit", "lazy"])
def test_who_remembers_knows_more(engine: str) -> None:
    system = epistrat.load(COUNTER)
    assert not system.check(engine=engine)[0]
    assert not system.check(engine=engine, recall=0)[0]
    assert system.check(engine=engine, recall=1)[0]


@pytest.mark.parametrize("seed", [seed for seed in range(30) if seed != 18])  # 18 is a large one
def test_the_steps_are_the_same(seed: int) -> None:
    system = random_system(random.Random(seed), fairness=False)
    recall = with_recall(system, 2)
    plain = explore(Stepper(system), initial_states(system, 500), 2000)
    remembered = explore(Stepper(recall.system), initial_states(recall.system, 500), 20_000)
    assert {recall.forget(state) for state in remembered.states} == set(plain.states)
    steps = {(source, target) for source, found in enumerate(plain.steps) for _, target in found}
    number = {state: index for index, state in enumerate(plain.states)}
    for source, found in enumerate(remembered.steps):
        for _, target in found:
            pair = [number[recall.forget(remembered.states[one])] for one in (source, target)]
            assert next(pairwise(pair)) in steps
    assert len(remembered.dead_ends) >= len(plain.dead_ends)
