"""Steps as clauses against the reference steps, and IC3 against exploring all states."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from tests.generators.systems import random_system

from epistrat.encoding.transitions import transitions
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.proving.bits import Bits
from epistrat.proving.ic3.frames import Frames
from epistrat.proving.ic3.search import Search

SYSTEMS_PER_CASE = 20


def _never() -> None:
    """No limit."""


def _states(bits: Bits, assumptions: list[int], next_state: bool) -> set[State]:
    """All solutions, as present or next states."""
    found: set[State] = set()
    excluded: list[int] = []
    while bits.solve([*assumptions, *excluded]):
        cube = bits.next_cube() if next_state else bits.cube(bits.latches)
        values = bits.values(cube, bits.system.variables)
        found.add(tuple(values[one.key] for one in bits.system.variables))
        clause = [-(bits.primed(literal) if next_state else literal) for literal in cube]
        excluded.append(bits.temporary(clause))
    return found


@pytest.mark.parametrize("case", range(4))
def test_bits_have_the_same_initial_states_and_steps(case: int) -> None:
    for seed in range(case * SYSTEMS_PER_CASE, (case + 1) * SYSTEMS_PER_CASE):
        rng = random.Random(seed)
        system = random_system(rng, fairness=False)
        bits = Bits(transitions(system), _never)
        stepper = Stepper(system)
        initial = initial_states(system, 500)
        assert _states(bits, [bits.initial], next_state=False) == set(initial), seed
        reached = explore(stepper, initial, 2000)
        for state in rng.sample(reached.states, min(4, len(reached.states))):
            cube = bits.cube_of({one.key: value for one, value in zip(system.variables, state, strict=True)})
            expected = {step.target for step in stepper.successors(state)}
            assert _states(bits, [bits.step, *cube], next_state=True) == expected, (seed, state)


@pytest.mark.parametrize("case", range(4))
def test_ic3_agrees_with_exploration(case: int) -> None:
    for seed in range(case * SYSTEMS_PER_CASE, (case + 1) * SYSTEMS_PER_CASE):
        system = random_system(random.Random(seed), fairness=False)
        bits = Bits(transitions(system), _never)
        stepper = Stepper(system)
        reached = explore(stepper, initial_states(system, 500), 2000)
        search = Search(bits)
        for condition in system.propositions.values():
            for sign in (1, -1):
                trace = search.reaches([sign * bits.literal(condition)])
                wanted = [state for state in reached.states if stepper.evaluator.holds(condition, state) == (sign > 0)]
                assert (trace is not None) == bool(wanted), (seed, condition)
                if trace is None:
                    _is_inductive(search, sign * bits.literal(condition))
                    continue
                states = [
                    tuple(bits.values(cube, system.variables)[one.key] for one in system.variables)
                    for cube in trace.states
                ]
                assert states[0] in [reached.states[number] for number in reached.initial]
                assert states[-1] in wanted
                for before, after in pairwise(states):
                    assert after in {step.target for step in stepper.successors(before)}, seed


def _is_inductive(search: Search, bad: int) -> None:
    """The clauses that hold for ever hold initially, survive every step, and exclude the bad states."""
    bits, always = search.bits, search.frames.assumptions(None)
    assert not bits.solve([*always, bad])
    for cube in search.frames.forever:
        assert not bits.solve([bits.initial, *cube])
        assert not bits.solve([*always, bits.step, *[bits.primed(literal) for literal in cube]])


def test_what_is_unreachable_in_few_steps_is_not_blocked_in_more() -> None:
    bits = Bits(transitions(random_system(random.Random(1), fairness=False)), _never)
    frames = Frames(bits)
    for _ in range(2):
        frames.extend()
    cube = frozenset(bits.latches[:1])
    frames.block(cube, 1)
    assert [frames.blocked(cube, level) for level in (1, 2)] == [True, False]
    frames.block(cube, None)
    assert frames.blocked(cube, 2)
