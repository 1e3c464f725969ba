"""Are two small graphs the same up to stuttering?  Computed directly from the definitions.

A trace is the sequence of labels along a run, with repetitions removed; a run that stays with one label for ever *diverges*, and
its trace ends there.  Two graphs are stuttering trace equivalent iff corresponding initial states have the same traces, finite and
infinite.  They are divergence-sensitive stuttering bisimilar iff corresponding initial states are in one block of the coarsest
partition in which states of a block have one label, can reach the same other blocks through their own block, and can all, or
none of them, stay in it for ever.

Every node needs a successor.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from epistrat.records import dataclass


@dataclass(frozen=True)
class Labelled:
    """Nodes 0, 1, ... with labels and successors; the k-th initial nodes of two graphs correspond to each other."""

    labels: Sequence[Hashable]
    successors: Sequence[Sequence[int]]
    initial: Sequence[int]


def trace_equivalent(one: Labelled, other: Labelled) -> bool:
    """Whether corresponding initial nodes have the same traces: both graphs are made deterministic, side by side."""
    seen: set[tuple[frozenset[int], frozenset[int]]] = set()
    todo: list[tuple[frozenset[int], frozenset[int]]] = []

    def meet(left: Iterable[int], right: Iterable[int]) -> None:
        pair = _still(one, left), _still(other, right)
        if pair not in seen:
            seen.add(pair)
            todo.append(pair)

    for left, right in zip(one.initial, other.initial, strict=True):
        if one.labels[left] != other.labels[right]:
            return False
        meet([left], [right])
    while todo:
        left_set, right_set = todo.pop()
        if _diverges(one, left_set) != _diverges(other, right_set):
            return False
        left_next, right_next = _changes(one, left_set), _changes(other, right_set)
        if left_next.keys() != right_next.keys():
            return False
        for label, nodes in left_next.items():
            meet(nodes, right_next[label])
    return True


def _still(graph: Labelled, nodes: Iterable[int]) -> frozenset[int]:
    """The nodes, all of one label, and what can be reached from them without changing it."""
    found = set(nodes)
    todo = list(found)
    while todo:
        node = todo.pop()
        for target in graph.successors[node]:
            if target not in found and graph.labels[target] == graph.labels[node]:
                found.add(target)
                todo.append(target)
    return frozenset(found)


def _diverges(graph: Labelled, nodes: frozenset[int]) -> bool:
    """Whether some run stays inside the nodes for ever."""
    return bool(_staying(graph, nodes, dict.fromkeys(nodes, 0)))


def _staying(graph: Labelled, nodes: Iterable[int], block: dict[int, int]) -> set[int]:
    """The nodes from which a run can stay in the node's own block for ever."""
    left = set(nodes)
    count = {node: sum(_same(block, node, t) and t in left for t in graph.successors[node]) for node in left}
    before: dict[int, list[int]] = {}
    for node in left:
        for target in graph.successors[node]:
            if target in left and _same(block, node, target):
                before.setdefault(target, []).append(node)
    todo = [node for node in left if count[node] == 0]
    while todo:
        node = todo.pop()
        left.discard(node)
        for source in before.get(node, ()):
            count[source] -= 1
            if count[source] == 0:
                todo.append(source)
    return left


def _same(block: dict[int, int], one: int, other: int) -> bool:
    return other in block and block[one] == block[other]


def _changes(graph: Labelled, nodes: frozenset[int]) -> dict[Hashable, set[int]]:
    """Where steps from the nodes lead that change the label, by the new label."""
    found: dict[Hashable, set[int]] = {}
    for node in nodes:
        for target in graph.successors[node]:
            if graph.labels[target] != graph.labels[node]:
                found.setdefault(graph.labels[target], set()).add(target)
    return found


def bisimilar(one: Labelled, other: Labelled) -> bool:
    """Whether corresponding initial nodes are bisimilar, and every node of either graph is to some node of the other."""
    shift = len(one.labels)
    union = Labelled(
        [*one.labels, *other.labels],
        [*one.successors, *([target + shift for target in targets] for targets in other.successors)],
        (),
    )
    block = _coarsest(union)
    left, right = set(block[:shift]), set(block[shift:])
    initial = zip(one.initial, other.initial, strict=True)
    return left == right and all(block[x] == block[y + shift] for x, y in initial)


def _coarsest(graph: Labelled) -> list[int]:
    """The coarsest partition, as a block number per node; refined by what can be reached until nothing changes."""
    block = _renumber(list(graph.labels))
    while True:
        staying = _staying(graph, range(len(block)), dict(enumerate(block)))
        reached: list[set[int]] = [set() for _ in block]
        for node in staying:
            reached[node].add(-1)
        changed = True
        while changed:
            changed = False
            for node, targets in enumerate(graph.successors):
                size = len(reached[node])
                for target in targets:
                    if block[target] == block[node]:
                        reached[node] |= reached[target]
                    else:
                        reached[node].add(block[target])
                changed |= len(reached[node]) != size
        finer = _renumber([(block[node], frozenset(reached[node])) for node in range(len(block))])
        if max(finer, default=0) == max(block, default=0):
            return finer
        block = finer


def _renumber(keys: Sequence[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]
