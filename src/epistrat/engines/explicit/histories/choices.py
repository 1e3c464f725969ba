"""What a group can choose at the nodes of a graph of histories: what it can choose in the states below them.

A strategy may depend on the whole history, and does not change what anybody knows: knowledge is about all histories of the system.  So a
choice is one of the state in which the history ends, and each of its outcomes is the one step to the node for the state that it leads to.
"""

from __future__ import annotations

import numpy as np

from epistrat.engines.explicit.edges import Index, rows_of
from epistrat.engines.explicit.games import Games
from epistrat.engines.explicit.history import Remembering


def lifted(below: Games, structure: Remembering) -> Games:
    """The choices of a group at nodes of this structure, given those on the structure below.

    Assumes that every step below is a step from each node above: that the system is synchronous and without fairness.
    """
    assert not structure.system.interleaved
    assert not structure.system.fairness
    base: Index = structure.base_of.astype(np.int64)
    nodes: Index = np.arange(structure.count, dtype=np.int64)
    states = np.arange(below.count + 1)
    first = np.searchsorted(below.owners, states)
    many = np.diff(first)[base]
    begins = np.cumsum(many) - many
    led, to = _by_choice(below)
    edges = np.searchsorted(below.owners[led], states)
    each = np.diff(edges)[base]
    sources = np.repeat(nodes, each)
    places = edges[base[sources]] + np.arange(len(sources)) - np.repeat(np.cumsum(each) - each, each)
    structure.budget.check()
    choices = begins[sources] + led[places] - first[base[sources]]
    targets = _nodes_for(structure, base, sources, to[places], below.count)
    owners = np.repeat(nodes, many)
    return Games(structure, [], owners, choices, rows_of(len(owners), choices, targets.astype(np.int32)))


def _by_choice(games: Games) -> tuple[Index, Index]:
    """The choice and the state of each outcome, ordered by choice."""
    leading = games.leading_here
    order = np.argsort(leading.targets, kind="stable")
    return leading.targets[order].astype(np.int64), leading.sources()[order].astype(np.int64)


def _nodes_for(structure: Remembering, base: Index, sources: Index, states: Index, count: int) -> Index:
    """The node to which the step from each of some nodes to a state leads."""
    rows = structure.graph.forward
    known = rows.sources().astype(np.int64) * count + base[rows.targets]
    order = np.argsort(known, kind="stable")
    places = np.searchsorted(known[order], sources * count + states)
    found = order[np.minimum(places, len(order) - 1)] if len(order) else places
    assert (known[found] == sources * count + states).all(), "a step below is a step above"
    nodes: Index = rows.targets[found].astype(np.int64)
    return nodes
