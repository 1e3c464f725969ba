"""Edges between numbered nodes, in compressed rows: ``targets[starts[s]:starts[s + 1]]`` are the successors of s."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.layout import Codes, Numbers

Ids: TypeAlias = NDArray[np.int32]
Offsets: TypeAlias = NDArray[np.int64]
Index: TypeAlias = NDArray[np.signedinteger]
Labels: TypeAlias = NDArray[np.unsignedinteger]

LOOP = 0  # the label of an edge from a dead end to itself
_FEW_EDGES = 1 << 17  # are sorted sooner than SciPy is imported


class Rows:
    """Adjacency in compressed rows."""

    __slots__ = ("labels", "starts", "targets")

    def __init__(self, starts: Offsets, targets: Ids, labels: Labels | None = None) -> None:
        self.starts = starts
        self.targets = targets
        self.labels = labels

    @property
    def count(self) -> int:
        """How many nodes there are."""
        return len(self.starts) - 1

    def degrees(self) -> Offsets:
        """How many edges leave each node."""
        degrees: Offsets = np.diff(self.starts)
        return degrees

    def of(self, nodes: Index) -> Ids:
        """The targets of all edges that leave the nodes, node by node."""
        return self.targets[self.places(nodes)]

    def places(self, nodes: Index) -> Offsets:
        """Where in ``targets`` the edges of the nodes stand."""
        first = self.starts[nodes]
        lengths = self.starts[nodes + 1] - first
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if len(ends) else 0
        places: Offsets = np.arange(total, dtype=np.int64)
        places += np.repeat(first - (ends - lengths), lengths)
        return places

    def sources(self) -> Ids:
        """The node that each edge leaves."""
        return np.repeat(np.arange(self.count, dtype=np.int32), self.degrees())


def arriving(count: int, targets: Index, rows: Offsets, values: Index | None = None) -> Rows:
    """Edges, in rows that begin as given, by the nodes they lead to: for each the value given for it, or the number of its row."""
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(targets, minlength=count), out=starts[1:])
    if len(targets) <= _FEW_EDGES:
        order = np.argsort(targets, kind="stable")
        sources = values[order] if values is not None else np.searchsorted(rows, order, side="right") - 1
        return Rows(starts, sources.astype(np.int32))
    from scipy.sparse import csr_matrix

    begins = rows.astype(np.int32) if len(targets) < np.iinfo(np.int32).max else rows
    kept = np.ones(len(targets), dtype=np.bool_) if values is None else values
    turned = csr_matrix((kept, targets, begins), shape=(len(begins) - 1, count)).tocsc()
    return Rows(starts, (turned.indices if values is None else turned.data).astype(np.int32, copy=False))


Found: TypeAlias = tuple[Codes, Ids | Codes, Codes | int]
"""Edges of some nodes: rows, targets, and labels (one for all, or one each)."""


class Edges:
    """Edges of nodes 0, 1, 2, ..., made range by range, in any order of the ranges.

    ``loops`` gives a node without edges one to itself.  Labels are kept only where ``labelled``.
    """

    def __init__(self, loops: bool, labelled: bool) -> None:
        self._loops, self.labelled = loops, labelled
        self._parts: dict[int, tuple[Numbers, Ids, Labels]] = {}

    def missing(self, count: int, block: int) -> Iterator[tuple[int, int]]:
        """The ranges, of at most ``block`` nodes each, of those among ``count`` nodes whose edges are not there."""
        place = 0
        for known in (*sorted(self._parts), count):
            for start in range(place, known, block):
                yield start, min(known, start + block)
            place = known + len(self._parts[known][0]) if known in self._parts else known

    def add(self, first: int, count: int, pieces: list[Found]) -> None:
        """The edges of ``count`` nodes from the given one on."""
        counts: Numbers = np.zeros(count, dtype=np.int32)
        for rows, _, _ in pieces:
            counts += np.bincount(rows, minlength=count).astype(np.int32)
        dead = np.flatnonzero(counts == 0) if self._loops else np.empty(0, dtype=np.int64)
        if len(dead):
            counts[dead] = 1
            pieces = [*pieces, (dead, dead + first, LOOP)]
        self._parts[first] = counts, *_in_rows(counts, pieces, self.labelled)

    def drop(self, first: int) -> None:
        """Forget the edges of this node and all after it."""
        self._parts = {start: part for start, part in self._parts.items() if start < first}

    def rows(self) -> Rows:
        """All edges.  They are not kept here any more: edges take more memory than anything else."""
        parts = [self._parts.pop(start) for start in sorted(self._parts)]
        starts = np.zeros(1 + sum(len(counts) for counts, _, _ in parts), dtype=np.int64)
        np.cumsum(np.concatenate([np.empty(0, dtype=np.int32), *(counts for counts, _, _ in parts)]), out=starts[1:])
        targets: Ids = np.empty(starts[-1], dtype=np.int32)
        kinds = [labels.dtype for _, _, labels in parts]
        labels = np.empty(starts[-1] if self.labelled else 0, dtype=np.result_type(np.uint8, *kinds))
        place = 0
        parts.reverse()
        while parts:
            _, some, by = parts.pop()
            targets[place : place + len(some)] = some
            labels[place : place + len(by)] = by
            place += len(some)
        return Rows(starts, targets, labels if self.labelled else None)


def _in_rows(counts: Numbers, pieces: list[Found], labelled: bool) -> tuple[Ids, Labels]:
    """The targets, and the labels, ordered by row."""
    free = np.cumsum(counts) - counts
    result = np.empty(int(counts.sum()), dtype=np.int32)
    most = max((int(np.max(by, initial=0)) for _, _, by in pieces), default=0) if labelled else 0
    labels = np.empty(len(result) if labelled else 0, dtype=np.min_scalar_type(most))
    for rows, targets, by in pieces:
        places = free[rows]
        if bool((rows[1:] > rows[:-1]).all()):
            free[rows] += 1
        else:
            order = None if bool((rows[1:] >= rows[:-1]).all()) else np.argsort(rows, kind="stable")
            rows = rows if order is None else rows[order]
            lengths = np.bincount(rows, minlength=len(counts))
            offset = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            places[slice(None) if order is None else order] += offset
            free += lengths
        result[places] = targets
        if labelled:
            labels[places] = by
    return result, labels
