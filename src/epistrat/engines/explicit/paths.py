"""Runs through the explored graph: shortest paths to a set, and lassos that meet every constraint.

These are the pieces from which evidence is made.  Searches return ids; `as_path` turns them into states and joint
actions with the model's own steps.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np

from epistrat.engines.explicit.edges import Ids, Index
from epistrat.engines.explicit.graph import Graph
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.structure import Explored, Structure
from epistrat.evidence import Lasso, Path
from epistrat.model.state import Joint, State, idle
from epistrat.model.step import Stepper
from epistrat.solvers.budget import Budget

Neighbours = Callable[[Index], tuple[Index, Index]]

_BLOCK = 1 << 16  # states expanded at once


def shortest(graph: Graph, start: Index, goal: Mask) -> list[int] | None:
    """The ids of a shortest path from some start to the goal; None if there is none."""

    def neighbours(nodes: Index) -> tuple[Index, Index]:
        lengths = graph.forward.starts[nodes + 1] - graph.forward.starts[nodes]
        return np.repeat(nodes, lengths), graph.forward.of(nodes)

    return _search(graph.count, neighbours, start, goal, graph.budget)


def path_to(structure: Explored, goal: Mask) -> list[int] | None:
    """The ids of a shortest path from an initial state to the goal; makes no edges where there are none yet."""
    if "graph" in structure.__dict__:
        return shortest(structure.graph, structure.initial, goal)

    def neighbours(nodes: Index) -> tuple[Index, Index]:
        sources: list[Index] = [np.empty(0, dtype=np.int64)]
        targets: list[Index] = [np.empty(0, dtype=np.int64)]
        block = structure.budget.patience.block(_BLOCK)
        for begin in range(0, len(nodes), block):
            part = nodes[begin : begin + block]
            for rows, reached, _ in structure.successors.expand(structure.states.block[part]):
                ids = structure.states.find(reached)
                known = ids >= 0  # among the states found so far; all, once exploration is done
                sources.append(part[rows[known]])
                targets.append(ids[known])
            structure.budget.check()
        return np.concatenate(sources), np.concatenate(targets)

    return _search(structure.count, neighbours, structure.initial, goal, structure.budget)


def _search(count: int, neighbours: Neighbours, start: Index, goal: Mask, budget: Budget) -> list[int] | None:
    """Breadth first, with one parent per node."""
    parent: Ids = np.full(count, -2, dtype=np.int32)
    frontier = np.unique(start)
    parent[frontier] = -1
    while len(frontier):
        budget.check()
        found = frontier[goal[frontier]]
        if len(found):
            return _back(parent, int(found[0]))
        sources, targets = neighbours(frontier)
        new = parent[targets] == -2
        parent[targets[new]] = sources[new]
        frontier = np.unique(targets[new])
    return None


def _back(parent: Ids, node: int) -> list[int]:
    path = [node]
    while parent[path[-1]] >= 0:
        path.append(int(parent[path[-1]]))
    return path[::-1]


def as_path(structure: Structure, ids: Sequence[int], stepper: Stepper) -> Path:
    """A path of ids as states and joint actions."""
    states = [structure.state(node) for node in ids]
    actions = [joint_between(stepper, *pair) for pair in itertools.pairwise(states)]
    return Path(tuple(states), tuple(actions))


def go_round(stepper: Stepper, path: Path, longest: int) -> Lasso | None:
    """The path, continued by the first step of every state until one repeats; None at a dead end or if that takes too long."""
    states, actions = list(path.states), list(path.actions)
    place = {path.last: len(states) - 1}
    while len(states) < longest:
        steps = stepper.successors(states[-1])
        if not steps:
            return None
        joint, target = steps[0]
        actions.append(joint)
        if target in place:
            return Lasso(tuple(states), tuple(actions), place[target])
        place[target] = len(states)
        states.append(target)
    return None


def joint_between(stepper: Stepper, source: State, target: State) -> Joint:
    """Some joint action that leads from one state to the other."""
    for joint, reached in stepper.steps(source):
        if reached == target:
            return joint
    assert stepper.system.interleaved, "no step leads from one state of a path to the next"
    return idle(stepper.system)
