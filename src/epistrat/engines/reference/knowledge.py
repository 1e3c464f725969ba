"""Knowledge and correct behaviour: what holds in all nodes that look the same."""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.engines.reference.graph import Nodes, World
from epistrat.logic.formula import Group
from epistrat.model.state import State
from epistrat.model.system import System


class Observations:
    """Which nodes of a world look the same to whom; what is known is told for all nodes of ``domain``, which may be more."""

    def __init__(self, system: System, world: World, states: list[State], domain: Nodes) -> None:
        self._system = system
        self._world = world
        self._domain = domain
        self._states = states
        self._classes: dict[tuple[int, ...], dict[State, Nodes]] = {}

    def sees(self, positions: tuple[int, ...], node: int) -> State:
        """The values of the variables at the given positions in the node's state."""
        state = self._states[self._world.graph.state[node]]
        return tuple([state[position] for position in positions])

    def classes(self, positions: tuple[int, ...]) -> dict[State, Nodes]:
        """The nodes by what can be seen of them at the given positions."""
        found = self._classes.get(positions)
        if found is None:
            sets: dict[State, list[int]] = {}
            for node in self._world.nodes:
                sets.setdefault(self.sees(positions, node), []).append(node)
            found = self._classes[positions] = {seen: frozenset(nodes) for seen, nodes in sets.items()}
        return found

    def _certain(self, positions: tuple[int, ...], bad: Nodes) -> Nodes:
        doubtful = {self.sees(positions, node) for node in bad & self._world.nodes}
        return frozenset(node for node in self._domain if self.sees(positions, node) not in doubtful)

    def knows(self, agent: str, bad: Nodes) -> Nodes:
        """``K``: no bad node looks the same to the agent."""
        return self._certain(self._system.views[agent], bad)

    def everybody(self, group: Group, bad: Nodes) -> Nodes:
        """``GK``: every member knows."""
        known = self._domain
        for member in group.members:
            known &= self.knows(member, bad)
        return known

    def distributed(self, group: Group, bad: Nodes) -> Nodes:
        """``DK``: no bad node looks the same to all members together."""
        return self._certain(self._system.pooled_view(group), bad)

    def common(self, group: Group, bad: Nodes) -> Nodes:
        """``GCK``: no chain of look-the-same steps of members leads to a bad node."""
        linked = self._linked(group, bad & self._world.nodes)
        return self.everybody(group, linked) if group.members else self._domain - bad

    def _linked(self, group: Group, start: Iterable[int]) -> Nodes:
        views = [self._system.views[member] for member in group.members]
        found = set(start)
        work = list(found)
        entered: set[tuple[int, State]] = set()
        while work:
            node = work.pop()
            for number, positions in enumerate(views):
                seen = self.sees(positions, node)
                if (number, seen) not in entered:
                    entered.add((number, seen))
                    fresh = self.classes(positions)[seen] - found
                    found |= fresh
                    work.extend(fresh)
        return frozenset(found)

    def correct(self, green: Nodes, bad: Nodes) -> Nodes:
        """``O``: no green node is bad; true everywhere or nowhere."""
        return self._domain if green.isdisjoint(bad) else frozenset()
