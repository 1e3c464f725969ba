"""Path formulae that are no fixpoint of a single operator: the product of the graph with the formula's automaton.

A node of the product is a pair (state, automaton state); there is an edge for each step of the graph and each transition whose
literals hold in the state it leaves.  Some run from a state satisfies the formula iff from the pair of that state and the automaton's first
state a strongly connected component is reachable that has a cycle, meets every acceptance set on its inner edges, and meets every
fairness constraint.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.edges import Rows
from epistrat.engines.explicit.graph import Graph
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.structure import Structure
from epistrat.logic.automaton import NOW, Automaton, automaton, moment
from epistrat.logic.formula import Formula
from epistrat.solvers.budget import Budget

Pairs = NDArray[np.int64]


def exists_run(
    structure: Structure,
    path: Formula,
    holds: Callable[[Formula], Mask],
    constraints: list[Mask],
    start: Mask | None = None,
) -> Mask:
    """The nodes (of ``start``, or of all) from which an infinite run satisfies the path formula and all constraints.

    A past operator in the formula looks back no further than the node itself.
    """
    machine = automaton(path, tick=structure.budget.check)
    if not machine.transitions:
        return np.zeros(structure.count, dtype=np.bool_)
    begin = np.flatnonzero(start) if start is not None else np.arange(structure.count)
    product = Product(structure.graph, machine, holds, structure.budget)
    return product.accepting(begin, constraints)


def points(structure: Structure, path: Formula, holds: Callable[[Formula], Mask], constraints: list[Mask]) -> Mask:
    """The nodes that some infinite run from time 0, meeting all constraints, passes at a moment when the path formula holds."""
    machine = automaton(moment(path), tick=structure.budget.check)
    product = Product(structure.graph, machine, holds, structure.budget)
    pairs = product.marked(structure.initial.astype(np.int64), constraints)
    return np.asarray(pairs.reshape(structure.count, machine.states).any(axis=1))


_MARK = 63  # the bit of a transition that reads the moment asked about; lower bits are acceptance sets


class Product:
    """The part of the product that can be reached from some starting nodes."""

    def __init__(self, graph: Graph, machine: Automaton, holds: Callable[[Formula], Mask], budget: Budget) -> None:
        self._graph, self._machine, self._budget = graph, machine, budget
        self._size = machine.states
        self._reads: list[Mask] = []
        for transition in machine.transitions:
            where = np.ones(graph.count, dtype=np.bool_)
            for atom, value in transition.literals:
                if atom != NOW:
                    where &= holds(atom) if value else ~holds(atom)
            self._reads.append(where)
        self._leaving: list[list[int]] = [[] for _ in range(self._size)]
        for number, transition in enumerate(machine.transitions):
            self._leaving[transition.source].append(number)

    def accepting(self, begin: Pairs, constraints: list[Mask]) -> Mask:
        """Which of the nodes ``begin`` start an accepted run, as a set of nodes of the graph."""
        pairs, sources, targets, sets = self._explore(begin)
        good = self._good_components(pairs, sources, targets, sets, constraints)
        reach = _backwards(len(pairs), sources, targets, good, self._budget)
        result = np.zeros(self._graph.count, dtype=np.bool_)
        first = reach & (pairs % self._size == 0)
        result[pairs[first] // self._size] = True
        outside = np.ones(self._graph.count, dtype=np.bool_)
        outside[begin] = False
        result[outside] = False
        return result

    def marked(self, begin: Pairs, constraints: list[Mask]) -> Mask:
        """The pairs, coded as node * states + state, where an accepted run from ``begin`` can take a marked transition."""
        pairs, sources, targets, sets = self._explore(begin)
        good = self._good_components(pairs, sources, targets, sets, constraints)
        reach = _backwards(len(pairs), sources, targets, good, self._budget)
        chosen = reach[targets] & (sets >> np.uint64(_MARK) != 0)
        result = np.zeros(self._graph.count * self._size, dtype=np.bool_)
        result[pairs[sources[chosen]]] = True
        return result

    def _explore(self, begin: Pairs) -> tuple[Pairs, Pairs, Pairs, NDArray[np.uint64]]:
        """All pairs reachable from the first automaton state at the given nodes, and the edges with their acceptance sets."""
        seen = np.zeros(self._graph.count * self._size, dtype=np.bool_)
        frontier = np.asarray(begin, dtype=np.int64) * self._size
        seen[frontier] = True
        sources: list[Pairs] = []
        targets: list[Pairs] = []
        sets: list[NDArray[np.uint64]] = []
        while len(frontier):
            self._budget.check()
            fresh: list[Pairs] = []
            for source, target, bits in self._edges(frontier):
                sources.append(source)
                targets.append(target)
                sets.append(np.full(len(source), bits, dtype=np.uint64))
                new = target[~seen[target]]
                seen[new] = True
                fresh.append(new)
            frontier = np.unique(np.concatenate(fresh)) if fresh else np.empty(0, dtype=np.int64)
        pairs = np.flatnonzero(seen)
        rank = np.cumsum(seen) - 1
        del seen
        empty = [np.empty(0, dtype=np.int64)]
        source, target = np.concatenate(sources or empty), np.concatenate(targets or empty)
        bits_of = np.concatenate(sets) if sets else np.empty(0, dtype=np.uint64)
        return pairs, rank[source], rank[target], bits_of

    def _edges(self, frontier: Pairs) -> list[tuple[Pairs, Pairs, int]]:
        """The edges that leave some pairs, transition by transition, each with a bit for every acceptance set it is in."""
        nodes, states = frontier // self._size, frontier % self._size
        rows: Rows = self._graph.forward
        found: list[tuple[Pairs, Pairs, int]] = []
        for state in range(self._size):
            here = nodes[states == state]
            if not len(here):
                continue
            for number in self._leaving[state]:
                transition = self._machine.transitions[number]
                leaving = here[self._reads[number][here]]
                next_ = rows.of(leaving)
                if not len(next_):
                    continue
                lengths = rows.starts[leaving + 1] - rows.starts[leaving]
                source = np.repeat(leaving * self._size + state, lengths)
                bits = sum(1 << chosen for chosen in transition.sets)
                bits |= ((NOW, True) in transition.literals) << _MARK
                found.append((source, next_.astype(np.int64) * self._size + transition.target, bits))
        return found

    def _good_components(
        self,
        pairs: Pairs,
        sources: Pairs,
        targets: Pairs,
        sets: NDArray[np.uint64],
        constraints: list[Mask],
    ) -> Mask:
        """The pairs in components in which an accepted fair run can stay."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import connected_components

        self._budget.check()
        size = len(pairs)
        ones = np.ones(len(sources), dtype=np.int8)
        matrix = csr_matrix((ones, (sources, targets)), shape=(size, size))
        count, labels = connected_components(matrix, directed=True, connection="strong")
        inner = labels[sources] == labels[targets]
        good = np.zeros(count, dtype=np.bool_)
        good[labels[sources[inner]]] = True
        for number in range(self._machine.acceptance):
            met = np.zeros(count, dtype=np.bool_)
            met[labels[sources[inner & (sets >> np.uint64(number) & np.uint64(1) != 0)]]] = True
            good &= met
        for constraint in constraints:
            met = np.zeros(count, dtype=np.bool_)
            met[labels[constraint[pairs // self._size]]] = True
            good &= met
        return good[labels]


def _backwards(count: int, sources: Pairs, targets: Pairs, goal: Mask, budget: Budget) -> Mask:
    """All nodes from which the goal can be reached."""
    from epistrat.engines.explicit.graph import from_edges

    graph = from_edges(count, sources, targets.astype(np.int32), np.empty(0, dtype=np.int32), budget)
    return graph.until(np.ones(count, dtype=np.bool_), goal)
