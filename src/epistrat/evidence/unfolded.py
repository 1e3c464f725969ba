"""All histories of a small system, of each length those joined that nothing tells apart: a *level*, whose members are *worlds*.

A world has a state, and for each observer who remembers the worlds it cannot tell from this one.  What follows a level depends on that
level alone, so the first that came before closes a loop, and the worlds of all levels are the nodes of a finite graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from epistrat.evidence.labels import Labels, TooMuch
from epistrat.model.explore import ReachableGraph
from epistrat.model.state import State

MOST_WORLDS = 3_000
"""On all levels together; where there are more, histories are not told apart."""
_MOST_LEVELS = 300

Members: TypeAlias = tuple[int, ...]
Views: TypeAlias = tuple[int, ...]
"""The positions of the variables that an observer sees."""


class World(NamedTuple):
    """The number of a state, and for each observer the members of its level that look the same to it all the time."""

    state: int
    alike: tuple[Members, ...]


Level: TypeAlias = tuple[World, ...]
Sketch: TypeAlias = tuple[int, tuple[object, ...]]
"""A history before those that agree are joined: its state, and for each observer a name for those that look the same."""


class Unfolded:
    """The graph of worlds: ``place[n]`` is the level of node n; ``alike[n]`` names, for each observer, who always looked the same."""

    def __init__(
        self, base: Labels, observers: Sequence[Views], first: Sequence[Sketch], tick: Callable[[], object]
    ) -> None:
        self._base, self._observers, self._tick = base, tuple(observers), tick
        self._levels: list[Level] = []
        self._nodes: list[int] = []
        self.place: list[int] = []
        self.alike: list[tuple[int, ...]] = []
        self._names: dict[tuple[int, Members], int] = {}
        self.graph = ReachableGraph()
        level, self.start = joined(first)
        self._unfold(level)

    def sketches(self, nodes: frozenset[int]) -> list[Sketch]:
        """These worlds of one level, as the beginning of another graph."""
        return [(self._worlds[node].state, self._worlds[node].alike) for node in sorted(nodes)]

    def step(self, node: int, state: State) -> int | None:
        """The world that the histories of a world lead to with a step into a state."""
        states = self.graph.states
        return next((target for _, target in self.graph.steps[node] if states[target] == state), None)

    def _unfold(self, level: Level) -> None:
        found: dict[Level, int] = {}
        self._worlds: list[World] = []
        moves: list[tuple[int, dict[tuple[int, int], int]]] = []
        while level not in found:
            self._tick()
            found[level] = len(self._levels)
            self._add(level)
            if len(self._worlds) > MOST_WORLDS or len(self._levels) > _MOST_LEVELS:
                raise TooMuch
            origins = list(self._origins(level))
            later, places = joined([sketch for _, sketch in origins])
            numbers = {origin: place for (origin, _), place in zip(origins, places, strict=True)}
            moves.append((len(self._levels), numbers))
            level = later
        for place, (_, numbers) in enumerate(moves):
            into = self._nodes[place + 1] if place + 1 < len(moves) else self._nodes[found[level]]
            self._link(place, into, numbers)
        self.graph.initial = list(range(len(self._levels[0])))

    def _add(self, level: Level) -> None:
        begin = len(self._worlds)
        self._nodes.append(begin)
        self._levels.append(level)
        for world in level:
            self._worlds.append(world)
            self.place.append(len(self._levels) - 1)
            self.alike.append(tuple([self._names.setdefault((begin, one), len(self._names)) for one in world.alike]))
            self.graph.states.append(self._base.graph.states[world.state])

    def _origins(self, level: Level) -> Iterator[tuple[tuple[int, int], Sketch]]:
        """The histories one step longer: from which world, to which state."""
        base = self._base.graph
        for number, world in enumerate(level):
            for target in sorted({target for _, target in base.steps[world.state]} & self._base.everything):
                state = base.states[target]
                seen = [tuple([state[position] for position in views]) for views in self._observers]
                yield (number, target), (target, tuple(zip(world.alike, seen, strict=True)))

    def _link(self, place: int, into: int, numbers: dict[tuple[int, int], int]) -> None:
        steps = self._base.graph.steps
        for number, world in enumerate(self._levels[place]):
            self.graph.steps.append(
                [
                    (joint, into + numbers[number, target])
                    for joint, target in steps[world.state]
                    if (number, target) in numbers
                ]
            )


def joined(sketches: Sequence[Sketch]) -> tuple[Level, list[int]]:
    """The level of these histories, and which world each becomes.  Its order depends on nothing but what tells its worlds apart."""
    observers = len(sketches[0][1]) if sketches else 0
    groups: list[dict[object, list[int]]] = [{} for _ in range(observers)]
    for number, (_, names) in enumerate(sketches):
        for group, name in zip(groups, names, strict=True):
            group.setdefault(name, []).append(number)
    rank = _ranked([state for state, _ in sketches])
    while True:
        same = [{name: tuple(sorted({rank[one] for one in group[name]})) for name in group} for group in groups]
        alike = [tuple([names[name] for names, name in zip(same, seen, strict=True)]) for _, seen in sketches]
        finer = _ranked(list(zip(rank, alike, strict=True)))
        if max(finer, default=0) == max(rank, default=0):
            break
        rank = finer
    worlds = {place: World(state, links) for place, (state, _), links in zip(rank, sketches, alike, strict=True)}
    return tuple([worlds[place] for place in range(len(worlds))]), rank


def _ranked(values: Sequence[object]) -> list[int]:
    order = {value: place for place, value in enumerate(sorted(set(values)))}  # type: ignore[type-var]  # of one kind
    return [order[value] for value in values]
