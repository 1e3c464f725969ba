"""Ways and cycles in a graph that is given by its steps backwards and forwards, point by point.

A point is a set with one element: a cube over all bits that matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from epistrat.encoding.part import cube
from epistrat.solvers.bdd import Algebra, Bdd

Steps = Callable[[Bdd], Bdd]


class PointWalks:
    """Walks in one graph; ``bits`` are the BDD variables that make up a point."""

    def __init__(self, algebra: Algebra, pre: Steps, post: Steps, bits: Iterable[int]) -> None:
        self._algebra = algebra
        self._pre = pre
        self._post = post
        self._bits = list(bits)

    def pick(self, states: Bdd) -> Bdd:
        """One point of a set that is not empty, always the same one."""
        valuation = self._algebra.pick(states)
        assert valuation is not None, "the set is not empty"
        return cube(self._algebra, [(bit, valuation.get(bit, False)) for bit in self._bits])

    def trace(self, layers: Sequence[Bdd], end: Bdd) -> list[Bdd]:
        """A way through layers, each made of successors of the one before, to a point of the last one."""
        way = [end]
        for layer in reversed(layers[:-1]):
            way.append(self.pick(self._pre(way[-1]) & layer))
        return way[::-1]

    def way(self, start: Bdd, target: Bdd, inside: Bdd) -> list[Bdd]:
        """A shortest way inside a set from a point to the target, possibly of no steps; there must be one."""
        layers, seen = [start], start
        while layers[-1] & target == self._algebra.false:
            layers.append(self._post(layers[-1]) & inside & ~seen)
            seen = seen | layers[-1]
            assert layers[-1] != self._algebra.false, "the target can be reached"
        return self.trace(layers, self.pick(layers[-1] & target))

    def way_back(self, start: Bdd, goal: Bdd, inside: Bdd) -> list[Bdd] | None:
        """A shortest way of at least one step from one point to another; None if there is none."""
        layers, seen = [start], self._algebra.false
        while layers[-1] != self._algebra.false:
            layers.append(self._post(layers[-1]) & inside & ~seen)
            seen = seen | layers[-1]
            if layers[-1] & goal != self._algebra.false:
                return self.trace(layers, goal)
        return None

    def lasso(self, stem: list[Bdd], core: Bdd, sets: Sequence[Bdd]) -> tuple[list[Bdd], list[Bdd]]:
        """A longer stem, and a cycle that goes on from it and visits all the sets.

        The stem ends in the core, from all of whose points paths inside it visit every set again and again.  Go round the sets until
        the point where that began is met again; each failure leads to a smaller strongly connected component.
        """
        while True:
            start = stem[-1]
            tour = [start]
            for visited in sets:
                tour += self.way(tour[-1], core & visited, core)[1:]
            back = self.way_back(tour[-1], start, core)
            if back is not None:
                return stem[:-1], [*tour, *back[1:-1]]
            stem = [*stem, *tour[1:]]
            if len(tour) == 1:
                stem.append(self.pick(self._post(start) & core))
