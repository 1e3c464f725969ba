"""From which states of a graph some infinite path satisfies a path formula: the product with the formula's automaton."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count

from epistrat.evidence.cycles import components
from epistrat.logic.automaton import Automaton, automaton
from epistrat.logic.formula import Formula

Point = tuple[int, int]
States = frozenset[int]
MOST_TICKS = 5_000


class TooLarge(Exception):
    """The automaton is too large."""


def some_path(
    steps: Sequence[Iterable[int]], where: Callable[[Formula], States], fair: Sequence[States], formula: Formula
) -> States:
    """The states, each taken as time 0, from which an infinite path satisfies the formula and visits all ``fair`` sets again and again.

    ``steps`` are the successors of each state, ``where`` tells the state formulae inside.
    """
    ticks = count(1)

    def tick() -> None:
        if next(ticks) > MOST_TICKS:
            raise TooLarge

    good = accepted_points(steps, where, fair, automaton(formula, tick=tick))
    return frozenset(state for state, place in good if place == 0)


def accepted_points(
    steps: Sequence[Iterable[int]], where: Callable[[Formula], States], fair: Sequence[States], machine: Automaton
) -> set[Point]:
    """The pairs of a state and an automaton's state about to read it from which an infinite fair path is accepted."""
    graph, marks = _product(steps, machine, where)
    accepting: set[Point] = set()
    for component in components(graph):
        inside = set(component)
        met = {
            mark for point in component for target in graph[point] if target in inside for mark in marks[point, target]
        }
        if len(met) == machine.acceptance and all(any(state in goal for state, _ in component) for goal in fair):
            accepting |= inside
    return _reaching(graph, accepting)


def _product(
    steps: Sequence[Iterable[int]], machine: Automaton, where: Callable[[Formula], States]
) -> tuple[dict[Point, list[Point]], dict[tuple[Point, Point], frozenset[int]]]:
    """Pairs of a state and a state of the automaton that is about to read it; and the acceptance sets of steps between them."""
    graph: dict[Point, list[Point]] = {
        (state, place): [] for state in range(len(steps)) for place in range(machine.states)
    }
    marks: dict[tuple[Point, Point], frozenset[int]] = {}
    for transition in machine.transitions:
        reads = [(where(atom), value) for atom, value in transition.literals]
        for state, targets in enumerate(steps):
            if all((state in holds) is value for holds, value in reads):
                point = (state, transition.source)
                for target in targets:
                    arrival = (target, transition.target)
                    graph[point].append(arrival)
                    marks[point, arrival] = marks.get((point, arrival), frozenset()) | transition.sets
    return graph, marks


def _reaching(graph: dict[Point, list[Point]], goal: set[Point]) -> set[Point]:
    before: dict[Point, list[Point]] = {}
    for point, targets in graph.items():
        for target in targets:
            before.setdefault(target, []).append(point)
    found, work = set(goal), list(goal)
    while work:
        for point in before.get(work.pop(), ()):
            if point not in found:
                found.add(point)
                work.append(point)
    return found
