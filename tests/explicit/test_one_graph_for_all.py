"""One graph serves all formulae: its edges are found while states are explored, and say which joint action they are by."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.explicit.test_explicit_session import counters

from epistrat.engines.contract import Options
from epistrat.engines.explicit.edges import Edges
from epistrat.engines.explicit.explore import Piece
from epistrat.engines.explicit.graph import Graph, from_edges
from epistrat.engines.explicit.layout import Block, Layout
from epistrat.engines.explicit.session import ExplicitSession
from epistrat.engines.explicit.space import ExplicitSpace, full_successors
from epistrat.engines.explicit.synchronous import SynchronousSuccessors
from epistrat.logic.formula import Coalition, Exists, Finally, ForAll, Globally, Group, Next, Prop
from epistrat.model.builder import Builder
from epistrat.model.system import System
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.solvers.patience import IMPATIENT, Patience


def lights(count: int) -> System:
    """Each agent switches its light, and the next one's as well if it likes: several joint actions lead to one state."""
    model = Builder(interleaved=False)
    agents = [model.agent(f"L{index}") for index in range(count)]
    for index, agent in enumerate(agents):
        on = agent.boolean("on")
        agent.actions("stay", "switch", "both")
        agent.may("stay")
        agent.may("switch")
        agent.may("both", when=on)
        agent.evolve((agent.action == "switch") | (agents[index - 1].action == "both"), on=~on)
        model.initial(~on)
    model.proposition("bright", agents[0]["on"])
    return model.build()


def edges_of(space: ExplicitSpace) -> list[tuple[int, int, int]]:
    """All edges, as packed states and label."""
    structure = space.explored()
    steps = structure.steps
    assert steps.labels is not None
    states = space.layout.integers(structure.states.block)
    pairs = zip(steps.sources().tolist(), steps.targets.tolist(), steps.labels.tolist(), strict=True)
    return sorted((states[source], states[target], label) for source, target, label in pairs)


@pytest.mark.parametrize("system", [counters(3, 4), counters(3, 4, interleaved=False), lights(3)])
@pytest.mark.parametrize("few", [0, 3, 10**9])
def test_edges_are_the_same_however_they_are_found(system: System, few: int) -> None:
    spaces = []
    for recorded in (False, True):
        layout = Layout(system)
        successors = full_successors(layout)
        successors.few = few
        spaces.append(ExplicitSpace(layout, successors, Budget(), lambda _: None))
        if recorded:
            spaces[-1].record([Coalition(Group(("nobody",)), Next(Prop("bright")))])
            assert spaces[-1].explorer.edges is not None
    assert edges_of(spaces[0]) == edges_of(spaces[1])


def test_states_are_expanded_once_for_all_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    system = lights(4)
    expanded = 0
    expand = SynchronousSuccessors.expand

    def counting(self: SynchronousSuccessors, block: Block) -> Iterator[Piece]:
        nonlocal expanded
        expanded += len(block)
        return expand(self, block)

    monkeypatch.setattr(SynchronousSuccessors, "expand", counting)
    session = ExplicitSession(system, Options(evidence=False), Budget(), lambda _: None)
    goal = Prop("bright")
    session.check(Coalition(Group(("L0",)), Finally(goal)))
    session.check(Coalition(Group(("L1", "L3")), Globally(goal)))
    session.check(ForAll(Globally(Exists(Next(goal)))))
    assert session.seen() == 16
    assert expanded <= 16 + 1  # the initial state is expanded alone


def test_a_limit_inside_a_level_loses_no_edge() -> None:
    system = counters(3, 6, interleaved=False)
    layout = Layout(system)
    successors = full_successors(layout)
    successors.few = 0
    budget = Budget(states=100)
    space = ExplicitSpace(layout, successors, budget, lambda _: None)
    space.record([Coalition(Group(("C0",)), Next(Prop("end0")))])
    with pytest.raises(OutOfBudget):
        space.explored()
    space.explorer._budget = Budget()
    fresh = ExplicitSpace(layout, full_successors(layout), Budget(), lambda _: None)
    assert edges_of(space) == edges_of(fresh)


def test_labels_grow_with_what_they_number() -> None:
    edges = Edges(loops=True, labelled=True)
    edges.add(2, [(np.array([1]), np.array([0]), 3)])
    edges.add(1, [(np.array([0, 0]), np.array([2, 1]), np.array([70_000, 1]))])
    edges.add(1, [])
    edges.cut(3)
    rows = edges.rows()
    assert rows.labels is not None
    assert rows.starts.tolist() == [0, 1, 2, 4]
    assert rows.targets.tolist() == [0, 0, 2, 1]
    assert rows.labels.tolist() == [0, 3, 70_000, 1]


@given(st.integers(0, (1 << 32) - 1))
def test_sweeps_and_backward_searches_agree(seed: int) -> None:
    dice = np.random.default_rng(seed)
    count = int(dice.integers(1, 8))
    sources, targets = dice.integers(0, count, (2, int(dice.integers(0, 20))), dtype=np.int32)
    one, other = dice.random((2, count)) < 0.5
    nowhere = np.empty(0, dtype=np.int32)

    def graph(budget: Budget) -> Graph:
        return from_edges(count, sources, targets, nowhere, budget)

    searched = graph(Budget())
    for patience in (IMPATIENT, Patience(rows=1)):  # one sweep, and then searches; as many sweeps as usual
        swept = graph(Budget(patience=patience))
        assert searched.until(one, other).tolist() == swept.until(one, other).tolist()
        assert searched.always(one).tolist() == swept.always(one).tolist()
    assert searched.before(one).tolist() == [bool(one[targets[sources == node]].any()) for node in range(count)]
