"""Packing, exact sets of packed states, numbering, and initial states."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.generators.systems import random_system

from epistrat.engines.explicit.conditions import VectorConditions
from epistrat.engines.explicit.initial import InitialStates
from epistrat.engines.explicit.layout import Block, Layout, TooWide, Words
from epistrat.engines.explicit.scope import Scope
from epistrat.engines.explicit.store import Visited, arrange, arrange_marked, fingerprint
from epistrat.model.agent import Agent, Variable
from epistrat.model.builder import Builder
from epistrat.model.initial import initial_states
from epistrat.model.system import System
from epistrat.solvers.budget import Budget
from epistrat.terms import Boolean, Bounded, Domain, Enumeration, Value

DOMAINS: list[Domain] = [Boolean(), Bounded(-3, 5), Enumeration(("a", "b", "c")), Bounded(7, 7), Bounded(0, 2**40)]


def system_with(domains: list[list[Domain]]) -> System:
    """Agents with variables of these domains, and nothing else."""
    return System(
        tuple(
            Agent(f"A{i}", tuple(Variable(f"A{i}", f"v{j}", domain) for j, domain in enumerate(own)))
            for i, own in enumerate(domains)
        )
    )


def some_value(rng: random.Random, domain: Domain) -> Value:
    match domain:
        case Bounded(low, high):
            return rng.randint(low, high)
        case Enumeration(values):
            return rng.choice(values)
        case _:
            return rng.random() < 0.5


@given(st.lists(st.lists(st.sampled_from(DOMAINS), max_size=4), min_size=1, max_size=5), st.integers(0, 2**32))
def test_packing_and_unpacking(domains: list[list[Domain]], seed: int) -> None:
    layout = Layout(system_with(domains))
    rng = random.Random(seed)
    states = [tuple(some_value(rng, domain) for own in domains for domain in own) for _ in range(5)]
    packed = [layout.pack(state) for state in states]
    assert [layout.unpack(one) for one in packed] == states
    block = layout.block(packed)
    assert layout.integers(block) == packed
    for position, field in enumerate(layout.fields):
        codes = layout.column(block, position)
        assert [field.decode(int(code)) for code in codes] == [state[position] for state in states]


def test_an_agent_stays_within_a_word_if_it_fits() -> None:
    layout = Layout(system_with([[Bounded(0, 2**40)], [Bounded(0, 2**20), Bounded(0, 2**10)]]))
    assert [field.word for field in layout.fields] == [0, 1, 1]


def test_too_many_values_for_a_word() -> None:
    with pytest.raises(TooWide):
        Layout(system_with([[Bounded(0, 2**64)]]))


def coarse(block: Block) -> Words:
    """A fingerprint that hardly tells states apart."""
    return block[:, 0] % np.uint64(3)


@given(st.integers(1, 3), st.lists(st.tuples(*[st.integers(0, 5)] * 3), max_size=60), st.integers(1, 7))
def test_sets_of_states_are_exact_even_when_fingerprints_clash(
    words: int, rows: list[tuple[int, int, int]], piece: int
) -> None:
    for key in (fingerprint, coarse) if words > 1 else (fingerprint,):
        visited = Visited(words, key)
        members: set[tuple[int, ...]] = set()
        for start in range(0, len(rows), piece):
            part = [row[:words] for row in rows[start : start + piece]]
            block = np.array(part, dtype=np.uint64).reshape(-1, words)
            fresh = visited.unseen(arrange(block, key))
            assert {tuple(row) for row in fresh.block.tolist()} == {*part} - members
            visited.add(fresh)
            members |= {*part}
        whole = visited.whole()
        assert len(visited) == len(whole) == len(members)
        assert {tuple(row) for row in whole.block.tolist()} == members
        ids = whole.find(np.array([row[:words] for row in rows], dtype=np.uint64).reshape(-1, words))
        assert [tuple(whole.block[number].tolist()) for number in ids] == [row[:words] for row in rows]
        assert not whole.contains(np.full((1, words), 9, dtype=np.uint64)).any()


@given(st.lists(st.sampled_from(DOMAINS), min_size=1, max_size=6), st.integers(0, 2**32))
def test_scopes_number_combinations_of_values(domains: list[Domain], seed: int) -> None:
    rng = random.Random(seed)
    layout = Layout(system_with([domains]))
    positions = [position for position in range(len(domains)) if rng.random() < 0.7]
    scope = Scope(layout, positions)
    seen: dict[tuple[Value, ...], int] = {}
    for _ in range(3):
        states = [tuple(some_value(rng, domain) for domain in domains) for _ in range(10)]
        numbers, new = scope.number(layout.block([layout.pack(state) for state in states]))
        before = len(seen)
        for state, number in zip(states, numbers.tolist(), strict=True):
            assert seen.setdefault(tuple(state[position] for position in positions), number) == number
        assert len(seen) == len(set(seen.values())) == len(scope)
        assert len(new) == len(seen) - before


def test_initial_states_are_those_of_the_model() -> None:
    for seed in range(150):
        system = random_system(random.Random(seed))
        layout = Layout(system)
        blocks = InitialStates(layout, VectorConditions(layout), Budget()).blocks()
        found = [layout.unpack(packed) for block in blocks for packed in layout.integers(block)]
        right = initial_states(system)
        assert len(found) == len(right)
        assert {*found} == {*right}


def test_initial_states_listed_one_by_one_are_found_quickly() -> None:
    model = Builder(interleaved=True)
    agent = model.agent("A")
    variables = [agent.range(f"v{index}", 0, 9) for index in range(12)]
    agent.actions("a")
    agent.may("a")
    rng = random.Random(1)
    listed = {tuple(rng.randrange(10) for _ in variables) for _ in range(50)}
    condition = None
    for values in sorted(listed):
        one = variables[0] == values[0]
        for variable, value in zip(variables[1:], values[1:], strict=True):
            one = one & (variable == value)
        condition = one if condition is None else condition | one
    assert condition is not None
    model.initial(condition)
    layout = Layout(model.build())
    blocks = list(InitialStates(layout, VectorConditions(layout), Budget(seconds=20)).blocks())
    assert {layout.unpack(packed) for block in blocks for packed in layout.integers(block)} == listed


@given(st.lists(st.integers(0, 1023), max_size=300), st.lists(st.integers(0, 1023), max_size=300))
def test_a_map_of_all_possible_states_is_the_same_set(first: list[int], second: list[int]) -> None:
    def block(states: list[int]) -> Block:
        return np.array(states, dtype=np.uint64).reshape(-1, 1)

    visited = Visited(1, bits=10)
    visited.add(visited.take(block(first)))
    visited.consider_map()
    assert visited.mapped == (len(set(first)) >= 32)
    taken = visited.take(block(second))
    assert sorted(taken.keys.tolist()) == sorted(set(second) - set(first))
    visited.drop([taken])
    visited.add(visited.take(block(second)))
    assert len(visited) == len({*first, *second})
    assert sorted(state for part in visited.blocks() for state in part[:, 0].tolist()) == sorted({*first, *second})
    whole = visited.whole()
    members = sorted({*first, *second})
    assert whole.keys.tolist() == members
    everything = np.arange(1024, dtype=np.uint64).reshape(-1, 1)
    assert whole.find(everything).tolist() == [members.index(n) if n in members else -1 for n in range(1024)]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 7)), min_size=1, max_size=60))
def test_marks_of_equal_states_are_joined(pairs: list[tuple[int, int]]) -> None:
    found = arrange_marked(np.array([state << 3 | marks for state, marks in pairs], dtype=np.uint64), 3)
    expected: dict[int, int] = {}
    for state, marks in pairs:
        expected[state] = expected.get(state, 0) | marks
    assert found.marks is not None
    assert dict(zip(found.keys.tolist(), found.marks.tolist(), strict=True)) == expected
