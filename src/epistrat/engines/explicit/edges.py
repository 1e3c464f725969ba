"""Edges between numbered nodes, in compressed rows: ``targets[starts[s]:starts[s + 1]]`` are the successors of s."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.layout import Codes, Mask, Numbers

Ids: TypeAlias = NDArray[np.int32]
Index: TypeAlias = NDArray[np.signedinteger]
Offsets: TypeAlias = NDArray[np.signedinteger]
EdgeLabels: TypeAlias = NDArray[np.unsignedinteger]

LOOP = 0  # the label of an edge from a dead end to itself
_SLICE = 1 << 22  # edges looked at together
_SPARE = 8  # a part of this size is left free for further edges
_FEW_EDGES = 1 << 17  # are sorted sooner than SciPy is imported


class Rows:
    """Adjacency in compressed rows."""

    __slots__ = ("labels", "starts", "targets")

    def __init__(self, starts: Offsets, targets: Ids, labels: EdgeLabels | None = None) -> None:
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

    def pieces(self, nodes: Index) -> Iterator[Ids]:
        """The same in pieces that do not take too much memory."""
        most = max(1, _SLICE * self.count // (1 + len(self.targets)))
        for start in range(0, len(nodes), most):
            yield self.of(nodes[start : start + most])

    def slices(self, most: int) -> Iterator[tuple[int, int]]:
        """Ranges of nodes with about so many edges each."""
        end = 0
        while end < self.count:
            begin, end = end, int(np.searchsorted(self.starts, self.starts[end] + most, side="right")) - 1
            end = max(begin + 1, end)
            yield begin, end

    def inside(self, begin: int, end: int, where: Mask) -> Index:
        """For each node of a range how many of its edges lead into a set."""
        starts = self.starts[begin : end + 1] - self.starts[begin]
        total = np.zeros(int(starts[-1]) + 1, dtype=np.int32)
        np.cumsum(where[self.targets[self.starts[begin] : self.starts[end]]], out=total[1:])
        found: Index = np.diff(total[starts])
        return found

    def places(self, nodes: Index) -> Offsets:
        """Where in ``targets`` the edges of the nodes stand."""
        first = self.starts[nodes]
        lengths = self.starts[nodes + 1] - first
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if len(ends) else 0
        places: Offsets = np.arange(total, dtype=np.int64)
        places += np.repeat(first - (ends - lengths), lengths)
        return places

    def sources(self, begin: int = 0, end: int | None = None) -> Ids:
        """The node that each edge leaves; of a range of nodes, or of all."""
        end = self.count if end is None else end
        return np.repeat(np.arange(begin, end, dtype=np.int32), np.diff(self.starts[begin : end + 1]))


def occurrences(numbers: Index, count: int) -> Ids:
    """How often each of the numbers below ``count`` occurs; in slices, because NumPy makes a wide copy of what it counts."""
    result: Ids = np.zeros(count, dtype=np.int32)
    most = max(_SLICE, count)
    for start in range(0, len(numbers), most):
        result += np.bincount(numbers[start : start + most], minlength=count).astype(np.int32)
    return result


def rows_of(count: int, sources: Index, targets: Ids) -> Rows:
    """Rows of edges that are ordered by their sources already."""
    return Rows(_offsets(occurrences(sources, count)), targets)


def arriving(count: int, rows: Rows, values: Index | None = None) -> Rows:
    """Edges by the nodes they lead to, of which there are ``count``: for each the value given for it, or the node it leaves.

    Made from slices of the edges, because whatever is as long as all edges is felt.
    """
    starts = _offsets(occurrences(rows.targets, count))
    result: Ids = np.empty(len(rows.targets), dtype=np.int32)
    free = starts[:-1].copy()
    for begin, end in rows.slices(_SLICE):
        edges = slice(rows.starts[begin], rows.starts[end])
        moved = rows.sources(begin, end) if values is None else values[edges]
        lengths, ordered = _ordered(count, rows.targets[edges], moved)
        first = np.repeat(free - np.cumsum(lengths) + lengths, lengths)
        first += np.arange(len(ordered), dtype=first.dtype)
        result[first] = ordered
        free += lengths.astype(free.dtype)
    return Rows(starts, result)


def _ordered(count: int, targets: Ids, values: Index) -> tuple[Index, Index]:
    """How many edges lead to each node, and their values in the order of these nodes."""
    if len(targets) <= _FEW_EDGES:
        return np.bincount(targets, minlength=count), values[np.argsort(targets, kind="stable")]
    from scipy.sparse import csr_matrix

    turned = csr_matrix((values, targets, np.array((0, len(targets)))), shape=(1, count)).tocsc()
    return np.diff(turned.indptr), turned.data


def _offsets(lengths: Index) -> Offsets:
    """Where rows of these lengths begin, one after the other; and the end."""
    total = int(lengths.sum())
    starts: Offsets = np.zeros(len(lengths) + 1, dtype=np.int32 if total < np.iinfo(np.int32).max else np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


Found: TypeAlias = tuple[Codes, Ids | Codes, Codes | int]
"""Edges of some nodes: rows, targets, and labels (one for all, or one each)."""


class Edges:
    """The edges of nodes 0, 1, 2, ..., in this order, while they are found.

    ``loops`` gives a node without edges one to itself.  Labels are kept only where ``labelled``.
    """

    def __init__(self, loops: bool, labelled: bool) -> None:
        self._loops, self.labelled = loops, labelled
        self._counts: list[Numbers] = []
        self._nodes = self._length = 0
        self._targets: Ids = np.empty(0, dtype=np.int32)
        self._labels: EdgeLabels = np.empty(0, dtype=np.uint8)

    def __len__(self) -> int:
        """How many nodes have their edges."""
        return self._nodes

    def add(self, count: int, pieces: list[Found]) -> None:
        """The edges of the next ``count`` nodes."""
        counts: Numbers = np.zeros(count, dtype=np.int32)
        for rows, _, _ in pieces:
            counts += np.bincount(rows, minlength=count).astype(np.int32)
        dead = np.flatnonzero(counts == 0) if self._loops else np.empty(0, dtype=np.int64)
        if len(dead):
            counts[dead] = 1
            pieces = [*pieces, (dead, dead + self._nodes, LOOP)]
        targets, labels = _in_rows(counts, pieces, self.labelled)
        self._counts.append(counts)
        self._nodes += count
        end = self._length + len(targets)
        if end > len(self._targets):  # resized in place: edges take more memory than anything else
            self._targets.resize(end + end // _SPARE, refcheck=False)
        self._targets[self._length : end] = targets
        if self.labelled:
            self._labels = self._labels.astype(np.result_type(self._labels, labels), copy=False)
            self._labels.resize(len(self._targets), refcheck=False)
            self._labels[self._length : end] = labels
        self._length = end

    def cut(self, count: int) -> None:
        """Keep the edges of so many nodes, as many as there were after some `add`."""
        while self._nodes > count:
            counts = self._counts.pop()
            self._nodes -= len(counts)
            self._length -= int(counts.sum())

    def rows(self) -> Rows:
        """All edges, which are not kept here any more."""
        starts = _offsets(np.concatenate([np.empty(0, dtype=np.int32), *self._counts]))
        targets, labels = self._targets, self._labels if self.labelled else None
        self._targets, self._labels = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.uint8)
        self.cut(0)
        for array in (targets, labels):
            if array is not None:
                array.resize(int(starts[-1]), refcheck=False)
        return Rows(starts, targets, labels)


def _in_rows(counts: Numbers, pieces: list[Found], labelled: bool) -> tuple[Ids, EdgeLabels]:
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
