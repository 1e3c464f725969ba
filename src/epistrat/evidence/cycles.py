"""Cycles in graphs of runs: where a run can stay for ever, and whether it passes somebody over when it does."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Set
from typing import TypeVar

from epistrat.model.state import Joint

N = TypeVar("N", bound=Hashable)


def passes_over(left: Iterable[Set[Joint]], happens: Collection[Joint]) -> bool:
    """Whether a run of an interleaved system passes over an event if it visits some states again and again.

    ``left`` are the events that are left in each of these states, ``happens`` those that happen again and again.  An event is passed over
    if it is left in all the states and shares no agent with any that happens.
    """
    always = frozenset[Joint].intersection(*map(frozenset, left))
    return any(not any(share(event, other) for other in happens) for event in always)


def share(one: Joint, other: Joint) -> bool:
    """Whether two events have an agent in common."""
    return any(mine is not None and theirs is not None for mine, theirs in zip(one, other, strict=True))


def components(graph: Mapping[N, list[N]]) -> list[list[N]]:
    """The strongly connected components that contain a cycle (Tarjan's algorithm, without recursion)."""
    number: dict[N, int] = {}
    low: dict[N, int] = {}
    stack: list[N] = []
    waiting: set[N] = set()
    found: list[list[N]] = []
    for root in graph:
        if root in number:
            continue
        work = [(root, iter(graph[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        waiting.add(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in graph:
                    continue
                if target not in number:
                    number[target] = low[target] = len(number)
                    stack.append(target)
                    waiting.add(target)
                    work.append((target, iter(graph[target])))
                    break
                if target in waiting:
                    low[node] = min(low[node], number[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    component = [stack.pop()]
                    while component[-1] != node:
                        component.append(stack.pop())
                    waiting.difference_update(component)
                    if len(component) > 1 or node in graph[node]:
                        found.append(component)
    return found
