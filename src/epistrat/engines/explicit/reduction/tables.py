"""What reduction knows about labels, computed once per agent, label and local state.

All tables are about one agent's automaton.  Write x -b-> y for its local steps.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.reduction.automata import Automata

Local = NDArray[np.int32]


class Tables:
    """Commutation and enabling in the local automata; rows are made when a label is first asked about.

    Sets of labels are integers with one bit per label.
    """

    def __init__(self, automata: Automata) -> None:
        self._automata = automata
        self._failing: dict[tuple[int, int], dict[int, Mask]] = {}
        self._conflicts: dict[tuple[int, int], list[int]] = {}
        self._commutes: dict[tuple[int, int], Mask] = {}
        self._reaches: dict[tuple[int, int], Mask] = {}
        self._enabling: dict[tuple[int, int], list[int]] = {}
        self._local_steps: dict[int, list[tuple[int, int, int]]] = {}

    def commutes(self, agent: int, label: int) -> Mask:
        """Local states x from which the label commutes with everything else the agent can do without it.

        Walk from x over all steps but the label's: at each state met the label is allowed, and every other step b can be done
        before or after it with one result (a diamond).  So the label stays possible, and changes nothing, until it is done.
        """
        found = self._commutes.get((agent, label))
        if found is None:
            failing = self._diamonds_failing(agent, label)
            bad = np.zeros(self._automata.sizes[agent], dtype=np.bool_)
            for where in failing.values():
                bad |= where
            bad = self._leads_to(agent, bad, label)
            found = self._commutes[agent, label] = (self._automata.next[agent][label] >= 0) & ~bad
        return found

    def conflicts(self, agent: int, label: int) -> list[int]:
        """By local state x that allows the label: the steps whose diamond fails somewhere on such a walk from x.

        The walk goes through commuting diamonds only, and without the label; so all of them are one fixpoint over the local steps.
        """
        found = self._conflicts.get((agent, label))
        if found is None:
            failing = self._diamonds_failing(agent, label)
            found = [0] * self._automata.sizes[agent]
            for other, where in failing.items():
                for local in np.flatnonzero(where).tolist():
                    found[local] |= 1 << other
            _spread_backwards(found, self._walks(agent, label, failing))
            self._conflicts[agent, label] = found
        return found

    def enabling(self, agent: int, label: int) -> list[int]:
        """By local state x that does not allow the label: the allowed steps after which the agent may come to allow it."""
        found = self._enabling.get((agent, label))
        if found is None:
            reaches = self._reach(agent, label)
            found = [0] * self._automata.sizes[agent]
            for other, after in self._automata.next[agent].items():
                for local in np.flatnonzero((after >= 0) & reaches[after]).tolist():
                    found[local] |= 1 << other
            self._enabling[agent, label] = found
        return found

    def _diamonds_failing(self, agent: int, label: int) -> dict[int, Mask]:
        """For each other step the local states that allow the label and that step, but where they do not commute."""
        known = self._failing.get((agent, label))
        if known is not None:
            return known
        steps = self._automata.next[agent]
        first = steps[label]
        found: dict[int, Mask] = {}
        for other, after in steps.items():
            if other == label:
                continue
            both = np.flatnonzero((first >= 0) & (after >= 0))
            if not len(both):
                continue
            one, two = first[after[both]], after[first[both]]
            failing = both[(one != two) | (one < 0)]
            if len(failing):
                where = np.zeros(len(first), dtype=np.bool_)
                where[failing] = True
                found[other] = where
        self._failing[agent, label] = found
        return found

    def _walks(self, agent: int, label: int, failing: dict[int, Mask]) -> dict[int, list[int]]:
        """The steps without the label, through commuting diamonds, between states that allow it: from target to sources."""
        allowed = (self._automata.next[agent][label] >= 0).tolist()
        before: dict[int, list[int]] = {}
        for source, other, target in self._steps(agent):
            if other == label or not (allowed[source] and allowed[target]):
                continue
            if other not in failing or not failing[other][source]:
                before.setdefault(target, []).append(source)
        return before

    def _steps(self, agent: int) -> list[tuple[int, int, int]]:
        """The agent's local steps: source, label, target."""
        found = self._local_steps.get(agent)
        if found is None:
            found = self._local_steps[agent] = [
                (source, label, int(after[source]))
                for label, after in self._automata.next[agent].items()
                for source in np.flatnonzero(after >= 0).tolist()
            ]
        return found

    def _leads_to(self, agent: int, goal: Mask, label: int) -> Mask:
        """Local states from which steps other than the label lead to the goal."""
        steps = [after for other, after in self._automata.next[agent].items() if other != label]
        return _backwards(steps, goal)

    def _reach(self, agent: int, label: int) -> Mask:
        """Local states from which one that allows the label can be reached."""
        found = self._reaches.get((agent, label))
        if found is None:
            steps = self._automata.next[agent]
            found = self._reaches[agent, label] = _backwards(steps.values(), steps[label] >= 0)
        return found


def _spread_backwards(found: list[int], before: dict[int, list[int]]) -> None:
    """Add to each state what was found in the states its steps lead to, until nothing changes."""
    todo = [local for local, labels in enumerate(found) if labels]
    while todo:
        target = todo.pop()
        for source in before.get(target, ()):
            union = found[source] | found[target]
            if union != found[source]:
                found[source] = union
                todo.append(source)


def _backwards(steps: Iterable[Local], goal: Mask) -> Mask:
    """Local states from which steps lead to the goal."""
    every = list(steps)
    result = goal.copy()
    while True:
        before = int(result.sum())
        for after in every:
            result |= (after >= 0) & result[after]
        if int(result.sum()) == before:
            return result


def sticky_labels(automata: Automata, visible: frozenset[int]) -> frozenset[int]:
    """Labels that, with the visible ones, occur on every cycle of every local automaton.

    Every cycle of the system makes each agent that moves go round a local cycle, so it contains a sticky or a visible label.  Found by one
    depth-first search per agent: the labels of its back edges.
    """
    sticky: set[int] = set()
    for agent in range(len(automata.sizes)):
        steps = {label: after.tolist() for label, after in automata.next[agent].items() if label not in visible}
        edges: list[list[tuple[int, int]]] = [[] for _ in range(automata.sizes[agent])]
        for label, after in steps.items():
            for local, target in enumerate(after):
                if target >= 0 and label not in sticky:
                    edges[local].append((label, target))
        sticky |= _back_edges(edges)
    return frozenset(sticky)


def _back_edges(edges: list[list[tuple[int, int]]]) -> set[int]:
    """The labels of the edges that lead to a state still on the stack of a depth-first search."""
    fresh, open_, closed = 0, 1, 2
    colour = [fresh] * len(edges)
    found: set[int] = set()
    for root in range(len(edges)):
        if colour[root] != fresh:
            continue
        colour[root] = open_
        stack = [(root, iter(edges[root]))]
        while stack:
            local, rest = stack[-1]
            for label, target in rest:
                if colour[target] == open_:
                    found.add(label)
                elif colour[target] == fresh:
                    colour[target] = open_
                    stack.append((target, iter(edges[target])))
                    break
            else:
                colour[local] = closed
                stack.pop()
    return found
