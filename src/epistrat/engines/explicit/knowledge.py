"""Knowledge over explored states, by the numbers of what agents see.

Two states look the same to an agent iff their view numbers are equal, so what an agent knows is a table over these numbers: one pass to
find the views under which the fact fails somewhere, one to look every state up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.layout import Mask, Numbers


def knows(views: Numbers, fact: Mask, worlds: Mask | None) -> Mask:
    """Where the fact holds in all worlds (all states, if None) with the same view."""
    doubtful = np.zeros(int(views.max(initial=-1)) + 1, dtype=np.bool_)
    doubtful[views[~fact if worlds is None else worlds & ~fact]] = True
    known: Mask = ~doubtful[views]
    return known


def common_views(members: list[Numbers], worlds: Mask | None) -> Numbers:
    """Numbers of what is common: equal for two worlds iff a chain of look-the-same steps of members joins them.

    Joins the members' view numbers: the views that one world gives to different members belong together.  Worlds are the
    links; a state outside them gets the number of its first member's view, which then joins nothing further.
    """
    if len(members) == 1:
        return members[0]
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    sizes = [int(views.max(initial=-1)) + 1 for views in members]
    offsets = np.cumsum([0, *sizes])
    rows: list[NDArray[np.int64]] = []
    columns: list[NDArray[np.int64]] = []
    for other, size, offset in zip(members[1:], sizes[1:], offsets[1:], strict=False):
        pairs = members[0].astype(np.int64) * size + other
        pairs = np.unique(pairs if worlds is None else pairs[worlds])
        rows.append(pairs // size)
        columns.append(pairs % size + offset)
    row, column = np.concatenate(rows), np.concatenate(columns)
    count = int(offsets[-1])
    matrix = csr_matrix((np.ones(len(row), dtype=np.int8), (row, column)), shape=(count, count))
    _, labels = connected_components(matrix, directed=False)
    return labels.astype(np.int32)[members[0]]
