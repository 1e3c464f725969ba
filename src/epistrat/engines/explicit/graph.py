"""The explored graph with its edges, and sets of states closed under them.

The edges by their targets are made when a backward search first needs them.  All fixpoints are frontier searches: each edge is looked at
once, however deep the graph is.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.edges import Edges, Ids, Index, Rows, arriving
from epistrat.engines.explicit.explore import Successors
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.store import States
from epistrat.solvers.budget import Budget

_BLOCK = 1 << 17  # states whose edges are made together


class Graph:
    """States 0 .. count-1, the edges between them, and where runs start."""

    def __init__(self, forward: Rows, initial: Ids, budget: Budget) -> None:
        self.forward = forward
        self.initial = initial
        self.budget = budget
        self.count = forward.count

    @cached_property
    def backward(self) -> Rows:
        """The edges the other way round."""
        self.budget.check()
        return arriving(self.count, self.forward.targets, self.forward.starts)

    def before(self, goal: Mask) -> Mask:
        """States with a successor in the goal."""
        result = np.zeros(self.count, dtype=np.bool_)
        result[self.backward.of(np.flatnonzero(goal))] = True
        return result

    def until(self, through: Mask, goal: Mask) -> Mask:
        """States with a path to the goal whose states before the goal are all in ``through`` (least fixpoint)."""
        result = goal.copy()
        frontier: Index = np.flatnonzero(goal)
        while len(frontier):
            self.budget.check()
            sources = self.backward.of(frontier)
            sources = sources[through[sources] & ~result[sources]]
            frontier = distinct(sources, self.count)
            result[frontier] = True
        return result

    def always(self, within: Mask) -> Mask:
        """States with an infinite path inside ``within`` (greatest fixpoint): states that cannot go on are taken away."""
        result = within.copy()
        left = _count_inside(self.forward, within)
        frontier: Index = np.flatnonzero(within & (left == 0))
        result[frontier] = False
        while len(frontier):
            self.budget.check()
            sources = self.backward.of(frontier)
            sources = sources[result[sources]]
            take_away(left, sources)
            sources = sources[left[sources] == 0]
            frontier = distinct(sources, self.count)
            result[frontier] = False
        return result

    def components(self, within: Mask) -> tuple[int, Ids]:
        """Strongly connected components of the part inside ``within``; each state outside is alone."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import connected_components

        self.budget.check()
        sources, targets = self.inner_edges(within)
        ones = np.ones(len(targets), dtype=np.int8)
        matrix = csr_matrix((ones, (sources, targets)), shape=(self.count, self.count))
        count, labels = connected_components(matrix, directed=True, connection="strong")
        return count, labels

    def inner_edges(self, within: Mask) -> tuple[Ids, Ids]:
        """The edges that stay inside ``within``."""
        places = self.forward.places(np.flatnonzero(within))
        targets = self.forward.targets[places]
        sources = np.repeat(np.flatnonzero(within).astype(np.int32), self.forward.degrees()[within])
        keep = within[targets]
        return sources[keep], targets[keep]

    def fair_always(self, within: Mask, constraints: list[Mask]) -> Mask:
        """States with an infinite path inside ``within`` that meets every constraint infinitely often.

        Such a path ends in one strongly connected component that has a cycle and meets each constraint.
        """
        if not constraints:
            return self.always(within)
        within = self.always(within)
        if not within.any():
            return within
        count, labels = self.components(within)
        sources, targets = self.inner_edges(within)
        good = np.zeros(count, dtype=np.bool_)
        good[labels[sources[labels[sources] == labels[targets]]]] = True
        for constraint in constraints:
            meets = np.zeros(count, dtype=np.bool_)
            meets[labels[within & constraint]] = True
            good &= meets
        return self.until(within, within & good[labels])


def build(states: States, successors: Successors, edges: Edges, initial: Ids, budget: Budget) -> Graph:
    """The graph of explored states: the edges that are there, and those that are missing."""
    for start, stop in edges.missing(len(states), budget.patience.block(_BLOCK)):
        budget.check()
        steps = successors.expand(states.block[start:stop])
        edges.add(start, stop - start, [(rows, _known(states.find(targets)), by) for rows, targets, by in steps])
    return Graph(edges.rows(), initial, budget)


def from_edges(count: int, sources: Index, targets: Ids, initial: Ids, budget: Budget) -> Graph:
    """A graph from pairs of nodes."""
    counts = np.bincount(sources, minlength=count)
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(counts, out=starts[1:])
    order = np.argsort(sources, kind="stable")
    return Graph(Rows(starts, targets[order].astype(np.int32)), initial, budget)


def _known(ids: NDArray[np.int64]) -> Ids:
    """Every step leads to an explored state; anything else would be a wrong answer in the making."""
    if len(ids) and ids.min() < 0:
        raise AssertionError("a step leads out of the explored states")
    return ids.astype(np.int32)


def distinct(nodes: Index, count: int) -> Index:
    """The nodes without repetition; by a bit per node where there are many, else by sorting."""
    if len(nodes) > count // 32:
        seen = np.zeros(count, dtype=np.bool_)
        seen[nodes] = True
        return np.flatnonzero(seen)
    return np.unique(nodes)


def _count_inside(rows: Rows, within: Mask) -> Ids:
    """For each node how many of its edges lead into ``within``."""
    inside = within[rows.targets]
    total = np.zeros(len(inside) + 1, dtype=np.int32 if len(inside) < np.iinfo(np.int32).max else np.int64)
    np.cumsum(inside, out=total[1:])
    return np.diff(total[rows.starts]).astype(np.int32)


def take_away(left: Ids, nodes: Index) -> None:
    """Subtract one per occurrence."""
    if len(nodes) > len(left) // 32:
        left -= np.bincount(nodes, minlength=len(left)).astype(np.int32)
    else:
        np.subtract.at(left, nodes, 1)
