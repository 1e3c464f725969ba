"""Shortest paths and fair lassos, found with preimages alone.

*Route*.  Layers of points at distance 0, 1, 2, ... from the target are computed backwards until one contains the start; then the path
walks down through the layers.

*Fair lasso inside a set of points that all have a fair path in it*: from an anchor, walk to each fairness set in turn and then back to the
anchor.  If there is no way back, the walk has left the anchor's strongly connected component for good; its end becomes the new
anchor.  There are finitely many components, so some anchor succeeds.
"""

from __future__ import annotations

from functools import reduce
from typing import Generic

from epistrat.engines.witness.space import Graph, N, T
from epistrat.model.state import Joint
from epistrat.records import dataclass


@dataclass(frozen=True)
class Walk(Generic[N]):
    """Points and the joint actions between them, one action fewer than points."""

    points: tuple[N, ...]
    actions: tuple[Joint, ...] = ()

    @property
    def last(self) -> N:
        """Where the walk ends."""
        return self.points[-1]

    def then(self, other: Walk[N]) -> Walk[N]:
        """This walk and, from its last point on, the other one."""
        return Walk(self.points + other.points[1:], self.actions + other.actions)


@dataclass(frozen=True)
class Circle(Generic[N]):
    """An infinite walk that repeats: the last action leads back to ``points[loop]``."""

    points: tuple[N, ...]
    actions: tuple[Joint, ...]
    loop: int


class Paths(Generic[N, T]):
    """Finds walks in one graph."""

    def __init__(self, graph: Graph[N, T]) -> None:
        self._graph = graph

    def route(self, start: N, through: T, target: T) -> Walk[N] | None:
        """A shortest walk from the start to the target whose points before the last are all in ``through``."""
        graph, layers = self._graph, []
        for ring in graph.rings(target, through):
            layers.append(ring)
            if graph.has(ring, start):
                return self._descend(start, layers)
            if len(layers) == 1 and not graph.has(through, start):
                break
        return None

    def _descend(self, start: N, layers: list[T]) -> Walk[N]:
        points, actions = [start], []
        for layer in reversed(layers[:-1]):
            action, point = self._must_step(points[-1], layer)
            points.append(point)
            actions.append(action)
        return Walk(tuple(points), tuple(actions))

    def _must_step(self, point: N, into: T) -> tuple[Joint, N]:
        found = self._graph.step(point, into)
        if found is None:
            raise AssertionError("a preimage promised a step that does not exist")
        return found

    def leave(self, start: N, through: T, target: T) -> Walk[N] | None:
        """Like `route`, with at least one step."""
        layers = []
        for ring in self._graph.rings(target, through):
            layers.append(ring)
            found = self._graph.step(start, ring)
            if found is not None:
                return Walk((start, found[1]), (found[0],)).then(self._descend(found[1], layers))
        return None

    def fair_set(self, inside: T) -> T:
        """The points from which a fair path exists that stays inside (Emerson and Lei)."""
        graph = self._graph
        goals = list(graph.fairness) or [inside]
        current = inside
        while True:
            before = current
            for goal in goals:
                near = reduce(graph.join, graph.rings(graph.meet(current, goal), current), graph.minus(inside, inside))
                current = graph.meet(current, graph.before(near))
            if graph.is_empty(graph.minus(before, current)):
                return current

    def circle(self, start: N, inside: T) -> Circle[N]:
        """A fair lasso from the start that stays inside; ``inside`` must be a set that `fair_set` gave, and contain the start."""
        graph = self._graph
        lead: Walk[N] = Walk((start,))
        patience = 1
        while True:
            anchor = lead.last
            round_trip: Walk[N] = Walk((anchor,))
            for goal in graph.fairness:
                if not any(graph.has(goal, point) for point in round_trip.points):
                    way = self.route(round_trip.last, inside, graph.meet(inside, goal))
                    if way is None:
                        raise AssertionError("a fairness set is out of reach in a set of fair points")
                    round_trip = round_trip.then(way)
            back = self.leave(round_trip.last, inside, graph.only(anchor))
            if back is not None:
                whole = round_trip.then(back)
                loop = len(lead.points) - 1
                return Circle(lead.points[:-1] + whole.points[:-1], lead.actions + whole.actions, loop)
            lead = lead.then(round_trip)
            for _ in range(patience):
                action, point = self._must_step(lead.last, inside)
                lead = lead.then(Walk((lead.last, point), (action,)))
            patience *= 2
