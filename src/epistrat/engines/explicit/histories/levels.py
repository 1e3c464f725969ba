"""Common knowledge of agents who remember: all histories of one length with what each agent cannot tell apart, as a *level*.

Histories that agree in everything that is known of them are one *world*.  Worlds that agree have successors that agree, so nothing is
lost by joining them, and a level that came before comes with all that follows it.  Levels need not repeat: then nothing is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from epistrat.engines.explicit.edges import Index
from epistrat.engines.explicit.histories.ground import Ground
from epistrat.engines.explicit.histories.trackers import GONE, Marks
from epistrat.engines.explicit.layout import Mask, Numbers
from epistrat.solvers.budget import OutOfBudget

_MOST_LEVELS = 1_000  # not measured: levels that repeat do so after a few dozen in all examples
_MOST_WORLDS = 20_000  # of one level; to contract so many takes about a second


class World(NamedTuple):
    """A node, and for each observer the number of the class of worlds that it cannot tell from this one."""

    node: int
    classes: tuple[int, ...]


Level: TypeAlias = tuple[World, ...]
Origin: TypeAlias = tuple[int, int]
"""Which world of the level before, and which node its history goes on to."""


class Levels:
    """The tracker of worlds; a mark is the number of a world of a level.

    ``said[phase]`` is where the announcement that leads into a phase is true; phases that are not there are of no interest.
    """

    def __init__(self, ground: Ground, said: dict[int, Mask], views: Sequence[Numbers]) -> None:
        self._ground, self._said = ground, said
        self._views = [view.tolist() for view in views]
        self._levels: list[Level] = []
        self._number: dict[object, int] = {}
        self._colours: dict[object, int] = {}
        self._marks: dict[tuple[int, int], int] = {}
        self._worlds: list[tuple[int, int]] = []
        self._after: dict[tuple[int, int], tuple[int, dict[Origin, int]]] = {}

    def first(self, nodes: Index) -> Marks:
        """The level of all initial nodes."""
        worlds = {(0, node): World(node, self._seen(node)) for node in self._ground.starts.tolist()}
        level, places = self._contracted(worlds)
        return np.array([self._mark(level, places[0, node]) for node in nodes.tolist()], dtype=np.int64)

    def step(self, marks: Marks, before: Index, after: Index) -> Marks:
        """One step later."""
        return np.array(
            [self._moved(mark, node) for mark, node in zip(marks.tolist(), after.tolist(), strict=True)], dtype=np.int64
        )

    def told(self, marks: Marks, phase: int) -> Marks:
        """After an announcement: the worlds of which it was true are left."""
        if phase not in self._said:
            return np.full(len(marks), GONE, dtype=np.int64)
        return np.array([self._heard(mark, phase) for mark in marks.tolist()], dtype=np.int64)

    def common(self, mark: int, where: Mask) -> bool:
        """Whether all worlds to which chains lead that start in this one are of nodes that are ``where``."""
        level, world = self._worlds[mark]
        worlds = self._levels[level]
        of_class: dict[tuple[int, int], list[int]] = {}
        for place, one in enumerate(worlds):
            for observer, number in enumerate(one.classes):
                of_class.setdefault((observer, number), []).append(place)
        seen, stack = {world}, [world]
        while stack:
            for key in enumerate(worlds[stack.pop()].classes):
                fresh = [place for place in of_class.pop(key, ()) if place not in seen]
                seen.update(fresh)
                stack += fresh
        return all(bool(where[worlds[place].node]) for place in seen)

    def _seen(self, node: int) -> tuple[int, ...]:
        return tuple([view[node] for view in self._views])

    def _mark(self, level: int, world: int) -> int:
        pair = level, world
        if pair not in self._marks:
            self._marks[pair] = len(self._worlds)
            self._worlds.append(pair)
        return self._marks[pair]

    def _moved(self, mark: int, node: int) -> int:
        if mark == GONE:
            return GONE
        level, world = self._worlds[mark]
        later, places = self._next(level)
        return self._mark(later, places[world, node])

    def _next(self, level: int) -> tuple[int, dict[Origin, int]]:
        """The level one step later, and which world each pair of a world and its next node becomes."""
        if (level, -1) not in self._after:
            ground, worlds = self._ground, self._levels[level]
            new: dict[Origin, World] = {}
            for place, world in enumerate(worlds):
                targets = ground.graph.forward.of(np.array([world.node], dtype=np.int64))
                for node in targets.tolist():
                    if ground.worlds is None or ground.worlds[node]:
                        classes = self._classes(zip(world.classes, self._seen(node), strict=True))
                        new[place, node] = World(node, classes)
            self._after[level, -1] = self._contracted(new)
        return self._after[level, -1]

    def _heard(self, mark: int, phase: int) -> int:
        if mark == GONE:
            return GONE
        level, world = self._worlds[mark]
        if (level, phase) not in self._after:
            jump, said = self._ground.jumps[phase], self._said[phase]
            left = {
                (place, one.node): World(int(jump[one.node]), one.classes)
                for place, one in enumerate(self._levels[level])
                if said[one.node]
            }
            self._after[level, phase] = self._contracted(left)
        later, places = self._after[level, phase]
        return self._mark(later, places[world, self._levels[level][world].node])

    def _classes(self, pairs: Iterable[tuple[int, int]]) -> tuple[int, ...]:
        """Numbers for what observers could not tell apart before and do not tell apart now."""
        return tuple([self._colours.setdefault(("class", pair), len(self._colours)) for pair in pairs])

    def _contracted(self, worlds: dict[Origin, World]) -> tuple[int, dict[Origin, int]]:
        """The level in which worlds that agree are one, and the place of each world in it.

        Worlds agree if their nodes are the same and each observer considers worlds possible that agree.  Colours are numbered alike in all
        levels, so levels that are alike get the same number.
        """
        self._ground.budget.check()
        if len(worlds) > _MOST_WORLDS or len(self._levels) > _MOST_LEVELS:
            words = "what is commonly known did not begin to repeat itself"
            raise OutOfBudget(f"{words} within {len(self._levels):,} steps: read it by `clock`, or ask below X")
        colour = {origin: self._coloured("node", world.node) for origin, world in worlds.items()}
        rounds, before = 0, 0
        while len(set(colour.values())) != before:
            before = len(set(colour.values()))
            rounds += 1
            inside = self._inside(worlds, colour)
            colour = {
                origin: self._coloured(colour[origin], *[inside[key] for key in enumerate(world.classes)])
                for origin, world in worlds.items()
            }
        inside = self._inside(worlds, colour)
        names = sorted({*colour.values()})
        number = self._number.setdefault((rounds, tuple(names)), len(self._levels))
        places = {name: place for place, name in enumerate(names)}
        if number == len(self._levels):
            joined: dict[int, World] = {}
            for origin, world in worlds.items():
                classes = tuple([self._coloured("possible", inside[key]) for key in enumerate(world.classes)])
                joined.setdefault(places[colour[origin]], World(world.node, classes))
            self._levels.append(tuple([joined[place] for place in range(len(names))]))
        return number, {origin: places[name] for origin, name in colour.items()}

    def _coloured(self, *what: object) -> int:
        return self._colours.setdefault(what, len(self._colours))

    @staticmethod
    def _inside(worlds: dict[Origin, World], colour: dict[Origin, int]) -> dict[tuple[int, int], frozenset[int]]:
        """The colours of the worlds in each observer's class."""
        found: dict[tuple[int, int], set[int]] = {}
        for origin, world in worlds.items():
            for key in enumerate(world.classes):
                found.setdefault(key, set()).add(colour[origin])
        return {key: frozenset(colours) for key, colours in found.items()}
