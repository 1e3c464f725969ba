"""The comparison of reduced and full graphs, on random graphs: against naive definitions, and against graphs made to be alike or not."""

from __future__ import annotations

import random

import pytest

from epistrat.engines.explicit.reduction.stuttering import Labelled, bisimilar, trace_equivalent


def _graph(rng: random.Random, size: int) -> Labelled:
    labels = [rng.choice("pq") for _ in range(size)]
    successors = [rng.sample(range(size), rng.randint(1, 2)) for _ in range(size)]
    return Labelled(labels, successors, (0, 1))


def _stuttered(rng: random.Random, graph: Labelled) -> Labelled:
    """The same with a node in front of some nodes that has their label and leads to them only."""
    labels, successors = list(graph.labels), [list(targets) for targets in graph.successors]
    initial = list(graph.initial)
    for node in rng.sample(range(len(graph.labels)), 2):
        fresh = len(labels)
        labels.append(graph.labels[node])
        successors = [[fresh if target == node else target for target in targets] for targets in successors]
        successors.append([node])
        initial = [fresh if one == node else one for one in initial]
    return Labelled(labels, successors, tuple(initial))


def _classes(graph: Labelled) -> list[int]:
    """The coarsest partition, by asking each node for the classes it can come to through its own, and whether it can stay."""
    block = [0] * len(graph.labels)
    names: dict[object, int] = {}
    keys: list[object] = list(graph.labels)
    while True:
        names = {}
        finer = [names.setdefault(key, len(names)) for key in keys]
        if len(names) == len(set(block)) and all(
            block[i] == block[j] for i in range(len(block)) for j in range(i) if finer[i] == finer[j]
        ):
            return finer
        block = finer
        keys = [(block[node], *_seen_from(graph, block, node)) for node in range(len(block))]


def _seen_from(graph: Labelled, block: list[int], node: int) -> tuple[frozenset[int], bool]:
    own, todo = {node}, [node]
    others: set[int] = set()
    while todo:
        for target in graph.successors[todo.pop()]:
            if block[target] != block[node]:
                others.add(block[target])
            elif target not in own:
                own.add(target)
                todo.append(target)
    staying = set(own)
    while True:
        fewer = {one for one in staying if any(target in staying for target in graph.successors[one])}
        if fewer == staying:
            return frozenset(others), node in staying or _can_reach(graph, own, node, staying)
        staying = fewer


def _can_reach(graph: Labelled, inside: set[int], node: int, goal: set[int]) -> bool:
    seen, todo = {node}, [node]
    while todo:
        for target in graph.successors[todo.pop()]:
            if target in inside and target not in seen:
                seen.add(target)
                todo.append(target)
    return not seen.isdisjoint(goal)


def _bisimilar(one: Labelled, other: Labelled) -> bool:
    shift = len(one.labels)
    moved = [[target + shift for target in targets] for targets in other.successors]
    block = _classes(Labelled([*one.labels, *other.labels], [*one.successors, *moved], ()))
    pairs = zip(one.initial, other.initial, strict=True)
    return set(block[:shift]) == set(block[shift:]) and all(block[x] == block[y + shift] for x, y in pairs)


def _traces(graph: Labelled, start: int, length: int) -> set[tuple[object, ...]]:
    """Beginnings of traces: sequences of labels without repetition, of so many labels, or fewer if the run stays with the last."""
    found: set[tuple[object, ...]] = set()
    first: tuple[object, ...] = (graph.labels[start],)
    todo = [(start, first)]
    seen = set(todo)
    while todo:
        node, trace = todo.pop()
        found.add(trace)
        for target in graph.successors[node]:
            longer = trace if graph.labels[target] == trace[-1] else (*trace, graph.labels[target])
            if len(longer) <= length and (target, longer) not in seen:
                seen.add((target, longer))
                todo.append((target, longer))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs(seed: int) -> None:
    rng = random.Random(seed)
    one = _graph(rng, rng.randint(2, 5))
    alike = _stuttered(rng, one)
    assert bisimilar(one, alike) and trace_equivalent(one, alike)
    turned = Labelled(one.labels, one.successors, (1, 0))
    other = _graph(rng, len(one.labels))
    for second in (turned, other):
        assert bisimilar(one, second) == _bisimilar(one, second)
        if trace_equivalent(one, second):
            for left, right in zip(one.initial, second.initial, strict=True):
                assert _traces(one, left, 5) == _traces(second, right, 5)
        else:
            assert not bisimilar(one, second)
