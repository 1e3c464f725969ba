"""Condition C2: on every cycle of the reduced graph some state is expanded fully.

Otherwise an action could be put off for ever.  The usual ways to see to it (expand fully when a step closes a cycle of the
search, or leads to a state already seen) lose all reduction where agents run in circles, and depend on the search order.  The
*hybrid* proviso does neither.  Sticky labels hit every cycle of every agent (`sticky_labels`); rules prefer sets without them, and
reduced states without them cannot form a cycle.  So only if sticky labels were taken, cycles are looked for once exploration is
done, and of each strongly connected set of reduced states one that takes a sticky label is expanded fully; then exploration goes
on, until no cycle is left.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.explore import Explorer
from epistrat.engines.explicit.layout import Block, Mask
from epistrat.engines.explicit.reduction.reduced import ReducedSuccessors
from epistrat.engines.explicit.store import States
from epistrat.solvers.budget import Budget

_BLOCK = 1 << 16  # states looked at together


def states_to_expand(explorer: Explorer, reduced: ReducedSuccessors, budget: Budget) -> Block:
    """The states to expand fully before exploration can go on; none if C2 holds."""
    states = explorer.states()
    return _to_expand(states, reduced, budget) if reduced.sticky_taken else states.block[:0]


def _to_expand(states: States, reduced: ReducedSuccessors, budget: Budget) -> Block:
    """One state of each strongly connected set of reduced states: the first that takes a sticky label."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    is_reduced, sticky, sources, targets = _reduced_steps(states, reduced, budget)
    inner = is_reduced[sources] & is_reduced[targets]
    sources, targets = sources[inner], targets[inner]
    if not len(sources):
        return states.block[:0]
    ones = np.ones(len(sources), dtype=np.int8)
    matrix = csr_matrix((ones, (sources, targets)), shape=(len(states), len(states)))
    count, labels = connected_components(matrix, directed=True, connection="strong")
    cyclic = np.zeros(count, dtype=np.bool_)
    cyclic[labels[sources[labels[sources] == labels[targets]]]] = True
    candidates = np.flatnonzero(sticky & cyclic[labels])
    found, first = np.unique(labels[candidates], return_index=True)
    assert len(found) == int(cyclic.sum()), "a cycle of reduced states takes no sticky label"
    return states.block[candidates[first]]


def _reduced_steps(
    states: States, reduced: ReducedSuccessors, budget: Budget
) -> tuple[Mask, Mask, NDArray[np.int64], NDArray[np.int64]]:
    """Which states are reduced, which of them take a sticky label, and the steps that leave reduced states."""
    is_reduced = np.zeros(len(states), dtype=np.bool_)
    sticky = np.zeros(len(states), dtype=np.bool_)
    sources: list[NDArray[np.int64]] = [np.empty(0, dtype=np.int64)]
    targets: list[NDArray[np.int64]] = [np.empty(0, dtype=np.int64)]
    most = budget.patience.block(_BLOCK)
    for start in range(0, len(states), most):
        budget.check()
        block = states.block[start : start + most]
        locals_ = reduced.full.locals(block)
        plan = reduced.plan(block, locals_)
        is_reduced[start : start + len(block)] = plan.reduced & reduced.leaves_out(plan, locals_)
        sticky[start : start + len(block)] = plan.sticky
        for label, rows in plan.taken:
            rows = rows[plan.reduced[rows]]
            if len(rows):
                reached = reduced.full.apply(reduced.rules.automata.labels[label], block, locals_, rows)
                sources.append(rows + start)
                targets.append(states.find(reached))
    return is_reduced, sticky, np.concatenate(sources), np.concatenate(targets)
