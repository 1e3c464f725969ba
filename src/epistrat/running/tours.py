"""Few and short paths through a model that together make every step, or every action: what tests follow."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence

from epistrat.model.explore import ReachableGraph
from epistrat.model.state import Joint
from epistrat.records import dataclass
from epistrat.solvers.budget import Budget

Edge = tuple[int, Joint, int]


@dataclass(frozen=True, slots=True)
class Tour:
    """A path: where it begins, and its steps."""

    start: int
    edges: tuple[Edge, ...]


def edges_of(graph: ReachableGraph) -> list[list[Edge]]:
    """The steps from each state; what only repeats a dead end is none."""
    dead = set(graph.dead_ends)
    return [
        [] if source in dead else list(dict.fromkeys((source, joint, target) for joint, target in row))
        for source, row in enumerate(graph.steps)
    ]


def tours(
    graph: ReachableGraph, what: Callable[[Edge], Hashable], length: int, seed: int, budget: Budget | None = None
) -> list[Tour]:
    """Paths that together cover everything that ``what`` says of a step, as far as ``length`` steps from the start reach it.

    Greedy: each path goes on to the nearest step that is not covered, and ends where none is near enough.
    """
    chance, rows = random.Random(seed), edges_of(graph)
    for row in rows:
        chance.shuffle(row)
    wanted = {what(edge) for row in rows for edge in row}
    found: list[Tour] = []
    budget = budget or Budget()
    while wanted:
        budget.check()
        start, path = _leg(graph.initial, rows, what, wanted, length)
        if not path:
            break
        while len(path) < length:
            _, more = _leg([path[-1][2]], rows, what, wanted - {what(edge) for edge in path}, length - len(path))
            if not more:
                break
            path += more
        wanted -= {what(edge) for edge in path}
        found.append(Tour(start, tuple(path)))
    return found


def _leg(
    starts: Sequence[int],
    rows: Sequence[Sequence[Edge]],
    what: Callable[[Edge], Hashable],
    wanted: set[Hashable],
    most: int,
) -> tuple[int, list[Edge]]:
    """The shortest way from one of the states that ends with something wanted, of at most so many steps; none if there is none."""
    parent: dict[int, Edge | None] = dict.fromkeys(starts)
    depth = dict.fromkeys(starts, 0)
    queue = deque(starts)
    while queue:
        state = queue.popleft()
        if depth[state] >= most:
            continue
        for edge in rows[state]:
            if what(edge) in wanted:
                path = [edge, *_back(parent, state)][::-1]
                return path[0][0], path
            if edge[2] not in parent:
                parent[edge[2]], depth[edge[2]] = edge, depth[state] + 1
                queue.append(edge[2])
    return -1, []


def _back(parent: dict[int, Edge | None], state: int) -> Iterator[Edge]:
    edge = parent[state]
    while edge is not None:
        yield edge
        edge = parent[edge[0]]
