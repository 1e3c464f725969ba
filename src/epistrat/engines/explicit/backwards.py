"""A shortest run to one state of an interleaved system, searched from its end.

A state that is to be shown (a dead end, say) mostly has few predecessors, while a search from the initial states would go through
everything that is nearer to them.  Local steps are easily turned round; that a predecessor is reachable is looked up among the
explored states.
"""

from __future__ import annotations

from itertools import product

from epistrat.engines.explicit.interleaved import InterleavedSuccessors
from epistrat.engines.explicit.structure import Explored

_MOST = 100_000  # states looked at before the search is given up


class Predecessors:
    """The steps of an interleaved system, backwards."""

    def __init__(self, successors: InterleavedSuccessors) -> None:
        self._successors = successors
        self._before: list[list[dict[int, list[int]]]] = []
        for agent in successors.agents:
            rows: list[dict[int, list[int]]] = [{} for _ in agent.locals]
            known = {own: number for number, own in enumerate(agent.locals)}
            for own, moves in zip(agent.locals, agent.moves, strict=True):
                for action, changes in moves.items():
                    for change in changes:
                        if own ^ change in known:
                            rows[known[own ^ change]].setdefault(action, []).append(change)
            self._before.append(rows)

    def of(self, packed: int) -> list[int]:
        """The states, reachable or not, from which a step leads here."""
        rows = [
            before[agent.number(packed)] for before, agent in zip(self._before, self._successors.agents, strict=True)
        ]
        found: dict[int, None] = {}
        for number, action in enumerate(self._successors.actions):
            changes = [rows[agent].get(number, ()) for agent in action.agents]
            for chosen in product(*changes):
                source = packed
                for change in chosen:
                    source ^= change
                found[source] = None
        return list(found)


def run_to(structure: Explored, target: int) -> list[int] | None:
    """The ids of a shortest path from an initial state to the packed state; None if the search takes too long."""
    if not isinstance(structure.successors, InterleavedSuccessors):
        return None
    predecessors = Predecessors(structure.successors)
    layout, states = structure.layout, structure.states
    initial = set(structure.initial.tolist())
    first = int(states.find(layout.block([target]))[0])
    after: dict[int, int] = {first: -1}
    frontier = [(first, target)]
    while frontier and len(after) < structure.budget.patience.most(_MOST):
        for node, _ in frontier:
            if node in initial:
                return _forwards(after, node)
        structure.budget.check()
        pairs = [(node, source) for node, packed in frontier for source in predecessors.of(packed)]
        ids = states.find(layout.block([source for _, source in pairs])).tolist() if pairs else []
        frontier = []
        for (node, packed), found in zip(pairs, ids, strict=True):
            if found >= 0 and found not in after:
                after[found] = node
                frontier.append((found, packed))
    return None


def _forwards(after: dict[int, int], node: int) -> list[int]:
    path = [node]
    while after[path[-1]] >= 0:
        path.append(after[path[-1]])
    return path
