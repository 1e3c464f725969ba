"""Quantifiers that look back through the future, remembered in the nodes.

``E f``, for f with a past operator over a path formula (`E(Once(G p) and F q)`), depends on the way to the present: on the states
in which the automaton of "at some moment: now, and f" can be after reading it, still waiting for that moment.  Which states these
are is a function of the previous set and the node just left: a deterministic monitor.  In the product with it, E f depends on
the node alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.graph import Graph, from_edges
from epistrat.engines.explicit.label import MaskLabels
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.linear import Product
from epistrat.logic.automaton import NOW, automaton, moment
from epistrat.logic.formula import Exists, ForAll, Formula
from epistrat.logic.rewrite import negation

_Set = frozenset[int]
_ROOM = 1 << 20  # different sets of automaton states that can be told apart


class Monitor:
    """The sets of automaton states in which a run so far may be waiting, numbered as they are met."""

    def __init__(self, quantifier: ForAll | Exists, labels: MaskLabels) -> None:
        universal = isinstance(quantifier, ForAll)
        self._universal = universal
        self._budget = labels.structure.budget
        asked = moment(negation(quantifier.arg) if universal else quantifier.arg)
        self._machine = automaton(asked, tick=self._budget.check)
        graph = labels.structure.graph
        constraints = labels.constraints
        product = Product(graph, self._machine, labels.label, self._budget)
        self._now = product.marked(graph.initial.astype(np.int64), constraints)
        self._letters, self._meaning = self._read(labels)
        self._sets: list[_Set] = [frozenset((0,))]
        self._numbers: dict[_Set, int] = {self._sets[0]: 0}
        self._steps: dict[tuple[int, int], int] = {}
        self.nodes, self.graph = self._product(graph)

    def _read(self, labels: MaskLabels) -> tuple[NDArray[np.int64], list[frozenset[Formula]]]:
        """For each node the number of its letter; and the atoms that are true in each letter."""
        atoms = [atom for atom in self._machine.atoms if atom != NOW]
        codes = np.zeros(labels.structure.count, dtype=np.int64)
        for index, atom in enumerate(atoms):
            codes |= labels.label(atom).astype(np.int64) << index
        found, letters = np.unique(codes, return_inverse=True)
        meaning = [frozenset(a for i, a in enumerate(atoms) if code >> i & 1) for code in found.tolist()]
        return letters.astype(np.int64), meaning

    def _step(self, number: int, letter: int) -> int:
        """The set after reading a letter, waiting on."""
        found = self._steps.get((number, letter))
        if found is None:
            true = self._meaning[letter]
            after = frozenset(
                t.target
                for t in self._machine.transitions
                if t.source in self._sets[number]
                and (NOW, True) not in t.literals
                and all((atom in true) is value for atom, value in t.literals)
            )
            found = self._numbers.setdefault(after, len(self._numbers))
            if found == len(self._sets):
                self._sets.append(after)
            assert found < _ROOM
            self._steps[number, letter] = found
        return found

    def _next(self, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of the sets after leaving the nodes of some pairs."""
        keys = pairs % _ROOM * len(self._meaning) + self._letters[pairs // _ROOM]
        found, inverse = np.unique(keys, return_inverse=True)
        steps = [self._step(*divmod(key, len(self._meaning))) for key in found.tolist()]
        return np.array(steps, dtype=np.int64)[inverse]

    def _product(self, graph: Graph) -> tuple[NDArray[np.int64], Graph]:
        """The reachable pairs of node and set, and the graph they make."""
        start = graph.initial.astype(np.int64) * _ROOM
        known = frontier = np.unique(start)
        sources: list[NDArray[np.int64]] = []
        targets: list[NDArray[np.int64]] = []
        while len(frontier):
            self._budget.check()
            nodes = frontier // _ROOM
            lengths = graph.forward.starts[nodes + 1] - graph.forward.starts[nodes]
            reached = graph.forward.of(nodes).astype(np.int64) * _ROOM + np.repeat(self._next(frontier), lengths)
            sources.append(np.repeat(frontier, lengths))
            targets.append(reached)
            frontier = np.setdiff1d(reached, known)
            known = np.union1d(known, frontier)
        empty = [np.empty(0, dtype=np.int64)]
        source = np.searchsorted(known, np.concatenate(sources or empty))
        target = np.searchsorted(known, np.concatenate(targets or empty)).astype(np.int32)
        initial = np.searchsorted(known, start).astype(np.int32)
        return known, from_edges(len(known), source, target, initial, self._budget)

    @property
    def base_of(self) -> NDArray[np.int64]:
        """The node that each pair extends."""
        return self.nodes // _ROOM

    def truth(self) -> Mask:
        """Where the quantifier holds, over the pairs."""
        size = self._machine.states
        result = np.zeros(len(self.nodes), dtype=np.bool_)
        base, sets = self.nodes // _ROOM, self.nodes % _ROOM
        for number, states in enumerate(self._sets):
            here = np.flatnonzero(sets == number)
            for state in states:
                result[here] |= self._now[base[here] * size + state]
        return ~result if self._universal else result
