"""Trackers: what is remembered beside the nodes of a graph, how a step changes it, and an announcement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.edges import Index
from epistrat.engines.explicit.histories.ground import Ground
from epistrat.engines.explicit.layout import Mask, Numbers

Marks: TypeAlias = NDArray[np.int64]
"""Numbers of what is remembered, one for each of some nodes."""

GONE = -1
"""Nothing is remembered any more: nobody asks from here on."""


class Tracker(Protocol):
    """What is remembered; nodes are those of its own ground."""

    def first(self, nodes: Index) -> Marks:
        """At time 0."""

    def step(self, marks: Marks, before: Index, after: Index) -> Marks:
        """One step later."""

    def told(self, marks: Marks, phase: int) -> Marks:
        """After the announcement that leads into a phase; what was announced is true at these nodes."""


class Carrying:
    """What a past operator was worth before the present moment: one bit.

    ``worth`` says what it is worth now, given that bit and the nodes; an announcement changes nothing about what was.
    """

    def __init__(self, at_first: bool, worth: Callable[[Mask, Index], Mask]) -> None:
        self._first, self._worth = at_first, worth

    def first(self, nodes: Index) -> Marks:
        """At time 0."""
        return np.full(len(nodes), int(self._first), dtype=np.int64)

    def step(self, marks: Marks, before: Index, after: Index) -> Marks:
        """One step later."""
        return self._worth(marks == 1, before).astype(np.int64)

    def told(self, marks: Marks, phase: int) -> Marks:
        """What was does not change."""
        return marks


class Possible:
    """The set of nodes that are possible after a history; the numbers of all sets that occurred are its marks.

    ``said[phase]`` is where the announcement that leads into a phase is true; phases that are not there are of no interest.
    """

    def __init__(self, ground: Ground, said: dict[int, Mask]) -> None:
        self.ground = ground
        self.sets: list[Index] = []
        self._said = said
        self._number: dict[bytes, int] = {}
        self._next: dict[tuple[int, int], int] = {}
        self._told: dict[tuple[int, int], int] = {}

    def told(self, marks: Marks, phase: int) -> Marks:
        """Those of which the announcement was true, each after it."""
        if phase not in self._said:
            return np.full(len(marks), GONE, dtype=np.int64)
        return self._each(marks, lambda mark: self._after_announcement(mark, phase))

    def number(self, nodes: Index) -> int:
        """The number of a set, given in ascending order."""
        key = nodes.astype(np.int32).tobytes()
        if key not in self._number:
            self.ground.budget.check()
            self._number[key] = len(self.sets)
            self.sets.append(nodes)
        return self._number[key]

    def _after_announcement(self, mark: int, phase: int) -> int:
        if mark == GONE:
            return GONE
        if (mark, phase) not in self._told:
            nodes = self.sets[mark]
            self._told[mark, phase] = self.number(np.unique(self.ground.jumps[phase][nodes[self._said[phase][nodes]]]))
        return self._told[mark, phase]

    def successors(self, nodes: Index) -> Index:
        """The nodes one step later that are possible at all."""
        found = np.unique(self.ground.graph.forward.of(nodes))
        return found if self.ground.worlds is None else found[self.ground.worlds[found]]

    @staticmethod
    def _each(marks: Marks, change: Callable[[int], int]) -> Marks:
        distinct, places = np.unique(marks, return_inverse=True)
        changed: Marks = np.array([change(int(mark)) for mark in distinct], dtype=np.int64)[places]
        return changed

    def _after(self, mark: int, seen: int, nodes: Callable[[], Index]) -> int:
        """The set after a step on which so much was seen, found once."""
        if (mark, seen) not in self._next:
            self._next[mark, seen] = self.number(nodes())
        return self._next[mark, seen]


class Anywhere(Possible):
    """By observation: all nodes that any history leads to, as long as no step follows an announcement."""

    def first(self, nodes: Index) -> Marks:
        """At time 0."""
        everywhere = np.flatnonzero(self.ground.phase == 0)
        worlds = self.ground.worlds
        mark = self.number(everywhere if worlds is None else everywhere[worlds[everywhere]])
        return np.full(len(nodes), mark, dtype=np.int64)

    def step(self, marks: Marks, before: Index, after: Index) -> Marks:
        """One step later."""
        return np.where(self.ground.phase[before] == 0, marks, GONE)


class Clock(Possible):
    """By the clock: all nodes that equally long histories lead to."""

    def first(self, nodes: Index) -> Marks:
        """At time 0."""
        return np.full(len(nodes), self.number(self.ground.starts), dtype=np.int64)

    def step(self, marks: Marks, before: Index, after: Index) -> Marks:
        """One step later."""
        return self._each(marks, self._later)

    def _later(self, mark: int) -> int:
        return GONE if mark == GONE else self._after(mark, 0, lambda: self.successors(self.sets[mark]))


class Recall(Possible):
    """By recall: the nodes that histories lead to on which an observer saw the same at every moment."""

    def __init__(self, ground: Ground, said: dict[int, Mask], views: Numbers) -> None:
        super().__init__(ground, said)
        self.views = views
        self._count = int(views.max(initial=0)) + 1

    def first(self, nodes: Index) -> Marks:
        """At time 0."""
        return self._seen(nodes, lambda view: self._after(GONE, view, lambda: self._looking(self.ground.starts, view)))

    def step(self, marks: Marks, before: Index, after: Index) -> Marks:
        """One step later."""
        pairs = np.where(marks == GONE, GONE, marks * self._count + self.views[after])

        def later(pair: int) -> int:
            mark, view = divmod(pair, self._count)
            return self._after(mark, view, lambda: self._next_seen(mark, view))

        return self._each(pairs, lambda pair: GONE if pair == GONE else later(pair))

    def _next_seen(self, mark: int, view: int) -> Index:
        return self._looking(self.successors(self.sets[mark]), view)

    def _looking(self, nodes: Index, view: int) -> Index:
        found: Index = nodes[self.views[nodes] == view]
        return found

    def _seen(self, nodes: Index, change: Callable[[int], int]) -> Marks:
        return self._each(self.views[nodes].astype(np.int64), change)


class Changes(Recall):
    """By changes: the nodes that histories lead to on which an observer saw the same, repetitions left out.

    A step on which nothing changes for the observer tells it nothing: whatever such steps lead to is possible all the time.
    """

    def first(self, nodes: Index) -> Marks:
        """At time 0."""
        return self._seen(nodes, lambda view: self._after(GONE, view, lambda: self._closed(self.ground.starts, view)))

    def step(self, marks: Marks, before: Index, after: Index) -> Marks:
        """One step later."""
        unseen = self.views[before] == self.views[after]
        stayed = np.where(self.ground.phase[before] == 0, marks, GONE)
        stayed[~unseen] = super().step(stayed[~unseen], before[~unseen], after[~unseen])
        return stayed

    def _next_seen(self, mark: int, view: int) -> Index:
        return self._closed(self.successors(self.sets[mark]), view)

    def _closed(self, nodes: Index, view: int) -> Index:
        """The nodes that look like this, and all to which steps lead that look like this all the time."""
        found = self._looking(nodes, view)
        fresh = found
        while len(fresh):
            fresh = np.setdiff1d(self._looking(self.successors(fresh), view), found, assume_unique=True)
            found = np.union1d(found, fresh)
        return found
