"""A graph whose nodes stand for states and what their histories decided so far, with the announcements that lead from node to node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.edges import Index
from epistrat.engines.explicit.graph import Graph, from_edges
from epistrat.engines.explicit.history import Remembering, RememberingLabels
from epistrat.engines.explicit.label import MaskLabels
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.structure import Structure
from epistrat.logic.formula import Announced, Formula
from epistrat.solvers.budget import Budget, OutOfBudget

if TYPE_CHECKING:
    from epistrat.engines.explicit.histories.trackers import Marks, Tracker

NOWHERE = -1  # in place of a node


class Phase:
    """What was announced so far, the last of it, and before that its parent's; the first phase has no parent."""

    def __init__(self, number: int, parent: Phase | None = None, said: Announced | None = None) -> None:
        self.number, self.parent, self.said = number, parent, said

    @property
    def line(self) -> list[Phase]:
        """The phases up to this one, the first one first."""
        return [*(self.parent.line if self.parent is not None else ()), self]


class Ground:
    """One graph: the labels on it, the phase of each node, and for each phase where its announcement leads (`NOWHERE`: it is not asked)."""

    def __init__(
        self, labels: MaskLabels, phase: NDArray[np.int64], jumps: Mapping[int, Index], number: int = 0
    ) -> None:
        self.labels, self.phase, self.jumps, self.number = labels, phase, jumps, number
        self.graph: Graph = labels.structure.graph
        self.budget: Budget = labels.structure.budget
        self.worlds: Mask | None = labels.worlds
        initial = self.graph.initial
        starts = initial if self.worlds is None else initial[self.worlds[initial]]
        self.starts: Index = np.unique(starts).astype(np.int64)

    @staticmethod
    def of(labels: MaskLabels, phases: Sequence[Phase]) -> Ground:
        """The graph of the labels, once for each phase."""
        structure, count = labels.structure, labels.structure.count
        if len(phases) == 1:
            return Ground(labels, np.zeros(count, dtype=np.int64), {})
        copies = _copies(structure, len(phases))
        base = np.arange(count, dtype=np.int64)
        jumps = {}
        for phase in phases[1:]:
            assert phase.parent is not None
            jumps[phase.number] = np.full(count * len(phases), NOWHERE, dtype=np.int64)
            jumps[phase.number][base + phase.parent.number * count] = base + phase.number * count
        return Ground(RememberingLabels(copies, labels, {}), _phases(count, len(phases)), jumps)

    def grown(self, tracker: Tracker, down: Index, said: Mapping[int, Mask]) -> tuple[Ground, Index, Marks]:
        """The pairs of node and mark that histories lead to, as another graph; the node and the mark of each.

        ``down`` are the nodes of the tracker's ground for those of this one.  An announcement that is not true leads nowhere.
        """
        growing = _Growing(self, tracker, down, said)
        growing.explore()
        return growing.result()


def _phases(count: int, phases: int) -> NDArray[np.int64]:
    return np.repeat(np.arange(phases, dtype=np.int64), count)


def _copies(structure: Structure, phases: int) -> Remembering:
    """Copies of a graph side by side; runs start in the first."""
    count, rows = structure.count, structure.graph.forward
    sources, targets = rows.sources().astype(np.int64), rows.targets.astype(np.int64)
    shifts = np.arange(phases, dtype=np.int64)[:, None] * count
    graph = from_edges(
        count * phases,
        (sources + shifts).ravel(),
        (targets + shifts).ravel().astype(np.int32),
        structure.initial,
        structure.budget,
    )
    return Remembering(structure, np.tile(np.arange(count, dtype=np.int64), phases), graph)


class _Growing:
    """The search for the pairs that histories lead to."""

    def __init__(self, ground: Ground, tracker: Tracker, down: Index, said: Mapping[int, Mask]) -> None:
        self._ground, self._tracker, self._down, self._said = ground, tracker, down, said
        self._number: dict[tuple[int, int], int] = {}
        self._nodes: list[int] = []
        self._marks: list[int] = []
        self._edges: list[tuple[Index, Index]] = []
        self._told: dict[int, list[tuple[Index, Index]]] = {phase: [] for phase in ground.jumps}

    def explore(self) -> None:
        """All pairs, level by level."""
        ground = self._ground
        self._initial = self._enter(ground.starts, self._tracker.first(self._down[ground.starts]))
        done = 0
        while done < len(self._nodes):
            ground.budget.check()
            self._limit()
            fresh = np.arange(done, len(self._nodes), dtype=np.int64)
            done = len(self._nodes)
            nodes, marks = np.array(self._nodes, dtype=np.int64)[fresh], np.array(self._marks, dtype=np.int64)[fresh]
            self._steps(fresh, nodes, marks)
            for phase, jump in ground.jumps.items():
                self._jumps(phase, jump, fresh, nodes, marks)

    def _steps(self, pairs: Index, nodes: Index, marks: Marks) -> None:
        rows = self._ground.graph.forward
        lengths = rows.starts[nodes + 1] - rows.starts[nodes]
        after = rows.of(nodes).astype(np.int64)
        sources, before, old = np.repeat(pairs, lengths), np.repeat(nodes, lengths), np.repeat(marks, lengths)
        if self._ground.worlds is not None:
            kept = self._ground.worlds[after]
            sources, before, old, after = sources[kept], before[kept], old[kept], after[kept]
        new = self._tracker.step(old, self._down[before], self._down[after])
        self._edges.append((sources, self._enter(after, new)))

    def _jumps(self, phase: int, jump: Index, pairs: Index, nodes: Index, marks: Marks) -> None:
        asked = jump[nodes] != NOWHERE
        if phase in self._said:
            asked &= self._said[phase][nodes]
        if asked.any():
            new = self._tracker.told(marks[asked], phase)
            self._told[phase].append((pairs[asked], self._enter(jump[nodes[asked]], new)))

    def _enter(self, nodes: Index, marks: Marks) -> Index:
        """The numbers of pairs, new ones for those that were not met before."""
        numbers = np.empty(len(nodes), dtype=np.int64)
        for place, pair in enumerate(zip(nodes.tolist(), marks.tolist(), strict=True)):
            found = self._number.setdefault(pair, len(self._nodes))
            if found == len(self._nodes):
                self._nodes.append(pair[0])
                self._marks.append(pair[1])
            numbers[place] = found
        return numbers

    def _limit(self) -> None:
        most = self._ground.budget.states
        if most is not None and len(self._nodes) > most:
            raise OutOfBudget(f"limit of {most:,} states reached while histories were told apart")

    def result(self) -> tuple[Ground, Index, Marks]:
        """The graph, with the node and the mark of each of its nodes."""
        ground, count = self._ground, len(self._nodes)
        nodes, marks = np.array(self._nodes, dtype=np.int64), np.array(self._marks, dtype=np.int64)
        sources, targets = _joined(self._edges)
        graph = from_edges(count, sources, targets.astype(np.int32), self._initial.astype(np.int32), ground.budget)
        structure = Remembering(ground.labels.structure, nodes, graph)
        jumps = {}
        for phase, pairs in self._told.items():
            jumps[phase] = np.full(count, NOWHERE, dtype=np.int64)
            begun, ended = _joined(pairs)
            jumps[phase][begun] = ended
        labels = RememberingLabels(structure, ground.labels, {})
        return Ground(labels, ground.phase[nodes], jumps, ground.number + 1), nodes, marks


def _joined(pairs: Sequence[tuple[Index, Index]]) -> tuple[Index, Index]:
    empty = np.empty(0, dtype=np.int64)
    return np.concatenate([empty, *(one for one, _ in pairs)]), np.concatenate([empty, *(one for _, one in pairs)])


def fact(ground: Ground, formula: Formula, where: Mask) -> None:
    """Say where a formula holds; it has no other meaning on this graph."""
    labels = ground.labels
    assert isinstance(labels, RememberingLabels)
    labels.learn(formula, where)
