"""The graph on which formulae are judged, and the few searches on graphs that the definitions need.

A *node* is a reachable state together with as much of its history as the formula at hand asks about; in the plain graph that is
nothing, and nodes are states.  `World` says which nodes formulae range over: all of them, or, under fairness, those from which a fair
path starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TypeAlias

from epistrat.model.explore import ReachableGraph
from epistrat.records import dataclass

Nodes: TypeAlias = frozenset[int]


@dataclass(frozen=True)
class Graph:
    """``state[n]`` is the number of node n's state; ``child[n]`` leads from the number of a next state to the node it becomes.

    ``origin[n]`` is the node of the graph from which this one was unfolded (n itself in the plain graph).
    """

    state: Sequence[int]
    child: Sequence[dict[int, int]]
    initial: Sequence[int]
    origin: Sequence[int]

    @staticmethod
    def plain(reached: ReachableGraph) -> Graph:
        """The graph whose nodes are the reachable states."""
        numbers = range(len(reached.states))
        child = [{target: target for _, target in steps} for steps in reached.steps]
        return Graph(numbers, child, reached.initial, numbers)

    @cached_property
    def nodes(self) -> Nodes:
        """All nodes."""
        return frozenset(range(len(self.state)))

    @cached_property
    def parents(self) -> list[list[int]]:
        """The nodes that have a step to each node."""
        parents: list[list[int]] = [[] for _ in self.state]
        for node, children in enumerate(self.child):
            for child in children.values():
                parents[child].append(node)
        return parents

    def lift(self, nodes: Nodes) -> Nodes:
        """The nodes that come from the given nodes of the graph this one was unfolded from."""
        return frozenset(node for node, origin in enumerate(self.origin) if origin in nodes)


@dataclass(frozen=True)
class World:
    """The nodes that formulae range over.

    ``fair`` is None where the system has no fairness constraints; then ``nodes`` are all nodes.  Otherwise it holds one set per
    constraint, and ``nodes`` are the nodes from which a path starts that visits each of these sets infinitely often.
    """

    graph: Graph
    nodes: Nodes
    fair: tuple[Nodes, ...] | None = None

    @staticmethod
    def unfair(graph: Graph) -> World:
        """The world without fairness."""
        return World(graph, graph.nodes)

    @property
    def constraints(self) -> tuple[Nodes, ...]:
        """The sets that a path must visit infinitely often."""
        return self.fair or ()

    @property
    def initial(self) -> Nodes:
        """The initial nodes that exist."""
        return self.nodes.intersection(self.graph.initial)

    def children(self, node: int) -> list[int]:
        """The next nodes that exist."""
        return [child for child in self.graph.child[node].values() if child in self.nodes]

    def lift(self, graph: Graph) -> World:
        """The same world over a graph unfolded from this one."""
        fair = None if self.fair is None else tuple(graph.lift(nodes) for nodes in self.fair)
        return World(graph, graph.lift(self.nodes), fair)


def strongly_connected(nodes: Iterable[int], successors: Callable[[int], Iterable[int]]) -> list[list[int]]:
    """The strongly connected components of a graph, by Tarjan's algorithm with a stack of its own."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    on_stack: set[int] = set()
    stack: list[int] = []
    components: list[list[int]] = []
    for root in nodes:
        if root in index:
            continue
        calls = [(root, iter(successors(root)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while calls:
            node, rest = calls[-1]
            for successor in rest:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    stack.append(successor)
                    on_stack.add(successor)
                    calls.append((successor, iter(successors(successor))))
                    break
                if successor in on_stack:
                    low[node] = min(low[node], index[successor])
            else:
                calls.pop()
                if calls:
                    low[calls[-1][0]] = min(low[calls[-1][0]], low[node])
                if low[node] == index[node]:
                    components.append(_pop_component(stack, on_stack, node))
    return components


def _pop_component(stack: list[int], on_stack: set[int], root: int) -> list[int]:
    component: list[int] = []
    while True:
        node = stack.pop()
        on_stack.discard(node)
        component.append(node)
        if node == root:
            return component


def backwards(targets: Iterable[int], parents: Callable[[int], Iterable[int]]) -> set[int]:
    """The targets and everything from which they can be reached."""
    found = set(targets)
    work = list(found)
    while work:
        for parent in parents(work.pop()):
            if parent not in found:
                found.add(parent)
                work.append(parent)
    return found


def on_fair_cycles(
    nodes: Iterable[int], successors: Callable[[int], list[int]], constraints: Sequence[Callable[[int], bool]]
) -> set[int]:
    """The nodes of strongly connected components that have a cycle and meet every constraint."""
    found: set[int] = set()
    for component in strongly_connected(nodes, successors):
        cyclic = len(component) > 1 or component[0] in successors(component[0])
        if cyclic and all(any(map(meets, component)) for meets in constraints):
            found.update(component)
    return found
