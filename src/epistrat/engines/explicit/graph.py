"""The explored graph with its edges, and sets of states closed under them.

The edges by their targets are made when a backward search first needs them.  All fixpoints are frontier searches: each edge is looked at
once, however deep the graph is.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from epistrat.engines.explicit.edges import Edges, Ids, Index, Rows, arriving, occurrences, rows_of
from epistrat.engines.explicit.explore import Successors, fill
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.store import States
from epistrat.solvers.budget import Budget

_EDGES = 1 << 19  # looked at together
_MANY_EDGES = 1 << 20  # from which on it is tried to do without those backwards
_SWEEPS = 4  # through all edges before they are turned round


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
        return arriving(self.count, self.forward)

    def before(self, goal: Mask) -> Mask:
        """States with a successor in the goal."""
        return self._inside(goal) > 0

    def _inside(self, where: Mask) -> Ids:
        """For each state how many of its edges lead into a set."""
        result: Ids = np.empty(self.count, dtype=np.int32)
        for begin, end in self.forward.slices(_EDGES):
            result[begin:end] = self.forward.inside(begin, end, where)
        return result

    def until(self, through: Mask, goal: Mask) -> Mask:
        """States with a path to the goal whose states before the goal are all in ``through`` (least fixpoint)."""
        result = goal.copy()
        if self._sweep(result, through, growing=True):
            return result
        frontier: Index = np.flatnonzero(result)
        while len(frontier):
            self.budget.check()
            found: list[Index] = []
            for sources in self.backward.pieces(frontier):
                found.append(distinct(sources[through[sources] & ~result[sources]], self.count))
                result[found[-1]] = True
            frontier = np.concatenate(found)
        return result

    def always(self, within: Mask) -> Mask:
        """States with an infinite path inside ``within`` (greatest fixpoint): states that cannot go on are taken away."""
        result = within.copy()
        if self._sweep(result, within, growing=False):
            return result
        left = self._inside(result)
        frontier: Index = np.flatnonzero(result & (left == 0))
        result[frontier] = False
        while len(frontier):
            self.budget.check()
            found: list[Index] = []
            for sources in self.backward.pieces(frontier):
                sources = sources[result[sources]]
                take_away(left, sources)
                found.append(distinct(sources[left[sources] == 0], self.count))
                result[found[-1]] = False
            frontier = np.concatenate(found)
        return result

    def _sweep(self, result: Mask, among: Mask, growing: bool) -> bool:
        """Where there are many edges, and none backwards yet: go through them a few times, from the last state to the first.

        A state of ``among`` joins the result if it has a successor there (or leaves it, if it has none).  Steps mostly lead to states that
        were found later, so that often little is left to do after the first time.  Whether nothing is left at all.
        """
        rows = self.forward
        if "backward" in self.__dict__ or len(rows.targets) < self.budget.patience.block(_MANY_EDGES):
            return False
        slices, sweeps = list(rows.slices(_EDGES)), max(1, self.budget.patience.most(_SWEEPS))
        for _ in range(sweeps):
            changed = False
            for begin, end in reversed(slices):
                self.budget.check()
                here = result[begin:end]
                ready = among[begin:end].copy()
                for _ in range(sweeps):  # steps inside the slice
                    ready &= here != growing
                    if not ready.any():
                        break
                    moving = ready & ((rows.inside(begin, end, result) > 0) == growing)
                    if not moving.any():
                        break
                    here[moving] = growing
                    changed = True
            if not changed:
                return True
        return False

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
    fill(edges, states, successors, len(states), budget)
    return Graph(edges.rows(), initial, budget)


def from_edges(count: int, sources: Index, targets: Ids, initial: Ids, budget: Budget) -> Graph:
    """A graph from pairs of nodes."""
    order = np.argsort(sources, kind="stable")
    return Graph(rows_of(count, sources, targets[order].astype(np.int32)), initial, budget)


def distinct(nodes: Index, count: int) -> Index:
    """The nodes without repetition; by a bit per node where there are many, else by sorting."""
    if len(nodes) > count // 32:
        seen = np.zeros(count, dtype=np.bool_)
        seen[nodes] = True
        return np.flatnonzero(seen)
    return np.unique(nodes)


def take_away(left: Ids, nodes: Index) -> None:
    """Subtract one per occurrence."""
    if len(nodes) > len(left) // 32:
        left -= occurrences(nodes, len(left))
    else:
        np.subtract.at(left, nodes, 1)
