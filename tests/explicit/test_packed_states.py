"""Packing, exact sets of packed states, numbering, and initial states."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.generators.systems import random_system

from epistrat.engines.explicit.conditions import VectorConditions
from epistrat.engines.explicit.initial import InitialStates
from epistrat.engines.explicit.layout import Block, Layout, TooWide, Words
from epistrat.engines.explicit.scope import Scope
from epistrat.engines.explicit.store import States, fingerprint
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
        assert [field.domain.at(int(code)) for code in codes] == [state[position] for state in states]


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
    for key in (fingerprint, coarse):
        found = States(words, fingerprint_=key)
        members: dict[tuple[int, ...], None] = {}
        for start in range(0, len(rows), piece):
            part = [row[:words] for row in rows[start : start + piece]]
            block = np.array(part, dtype=np.uint64).reshape(-1, words)
            assert found.contains(block).tolist() == [row in members for row in part]
            ids = found.insert(block)
            assert [tuple(found.block[number].tolist()) for number in ids] == part
            members |= dict.fromkeys(part)
            assert len(found) == len(members)
        assert {tuple(row) for row in found.block.tolist()} == {*members}
        assert not found.contains(np.full((1, words), 9, dtype=np.uint64)).any()


@given(st.lists(st.integers(0, 2**16 - 1), max_size=3000, unique=True), st.sampled_from([16, None]), st.integers(0, 99))
def test_tables_grow_and_shrink(states: list[int], bits: int | None, kept: int) -> None:
    """With 16 bits the table changes to one slot for each possible state on the way."""
    block = np.array(states, dtype=np.uint64).reshape(-1, 1)
    found = States(1, bits)
    for _ in range(2):
        found.insert(block[:700])
        assert found.block[found.insert(block), 0].tolist() == states
        order: list[int] = found.block[:, 0].tolist()
        assert sorted(order) == sorted(states)
        found.truncate(kept)
        left = order[:kept]
        assert found.block[:, 0].tolist() == left
        assert found.find(block).tolist() == [left.index(state) if state in left else -1 for state in states]


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


def test_a_table_that_grows_while_states_come_in_finds_them_again() -> None:
    """The second block is larger than all slots there are, and holds the first one again."""
    found = States(1, 60)
    dice = np.random.default_rng(1)
    few, many = (dice.integers(0, 1 << 60, (count, 1), dtype=np.uint64) for count in (100, 5_000))
    first = found.insert(few)
    ids = found.insert(np.concatenate([many, few]))
    assert len(found) == 5_100
    assert (ids[5_000:] == first).all() and sorted(ids) == list(range(5_100))
    assert (found.find(many) == ids[:5_000]).all()
