"""Knowledge over explored states, by the numbers of what agents see.

Two states look the same to an agent iff their view numbers are equal, so what an agent knows is a table over these numbers: one pass to
find the views under which the fact fails somewhere, one to look every state up.
"""

from __future__ import annotations

import numpy as np

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
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    sizes = [int(views.max(initial=-1)) + 1 for views in members]
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    links: list[np.ndarray[tuple[int], np.dtype[np.int64]]] = []
    for index in range(1, len(members)):
        first, other = members[0], members[index]
        if worlds is not None:
            first, other = first[worlds], other[worlds]
        links.append(np.unique(first.astype(np.int64) * sizes[index] + other) + 0)
    rows = [pairs // sizes[index + 1] for index, pairs in enumerate(links)]
    columns = [pairs % sizes[index + 1] + offsets[index + 1] for index, pairs in enumerate(links)]
    count = int(offsets[-1])
    if not links:
        return members[0]
    row, column = np.concatenate(rows), np.concatenate(columns)
    matrix = csr_matrix((np.ones(len(row), dtype=np.int8), (row, column)), shape=(count, count))
    _, labels = connected_components(matrix, directed=False)
    return labels.astype(np.int32)[members[0]]
