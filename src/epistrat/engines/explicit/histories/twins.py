"""Histories as runs through a graph of histories, and the others that look like one of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from epistrat.engines.explicit.edges import Index
from epistrat.engines.explicit.histories.ground import NOWHERE
from epistrat.engines.explicit.histories.worlds import WorldSpace
from epistrat.engines.explicit.layout import Mask, Numbers
from epistrat.engines.explicit.paths import shortest
from epistrat.evidence import Path
from epistrat.logic.formula import Reading
from epistrat.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Past:
    """A history: its nodes, one for each moment, as they are before what is announced then; and who is told when, as (time, phase)."""

    nodes: tuple[int, ...]
    told: tuple[tuple[int, int], ...] = ()
    last: int = 0
    """The node at which it ends, after all announcements."""

    @staticmethod
    def of(nodes: tuple[int, ...]) -> Past:
        """A history without announcements."""
        return Past(nodes, (), nodes[-1])

    def onwards(self, nodes: tuple[int, ...]) -> Past:
        """The history some steps later."""
        return replace(self, nodes=self.nodes + nodes, last=nodes[-1]) if nodes else self

    def hears(self, phase: int, node: int) -> Past:
        """The history after an announcement, which leads to a node."""
        return replace(self, told=(*self.told, (len(self.nodes) - 1, phase)), last=node)


class Histories:
    """Histories of one space, and those that look the same to some agents."""

    def __init__(self, space: WorldSpace) -> None:
        self._space, self._ground = space, space.ground
        self._jumps: dict[int, Index] = {}

    def jump(self, phase: int) -> Index:
        """Where the announcement that leads into a phase takes the nodes of which it is true."""
        if phase not in self._jumps:
            said = self._space.settling.phases[phase].said
            assert said is not None
            jump = self._ground.jumps[phase].copy()
            jump[~self._space.satisfying(said.said)] = NOWHERE
            self._jumps[phase] = jump
        return self._jumps[phase]

    def as_path(self, past: Past) -> Path:
        """The states of a history."""
        space, after = self._space, list(past.nodes)
        for time, phase in past.told:
            after[time] = int(self.jump(phase)[after[time]])
        joints = [space.joint(one, other) for one, other in zip(after[:-1], past.nodes[1:], strict=True)]
        return Path(tuple(map(space.state, past.nodes)), tuple(joints))

    def alike(self, past: Past, agents: tuple[str, ...], reading: Reading) -> Alike:
        """The histories that the agents together cannot tell from this one."""
        if reading in (Reading.CLOCK, Reading.RECALL):
            return _InStep(self, self._space, past, self._space.views(agents), reading)
        return _OutOfStep(self, self._space, past, self._space.views(agents), reading)

    def heard(self, nodes: Index, phases: list[int]) -> Index:
        """Where some nodes are after announcements; `NOWHERE` for those of which one of them is not true."""
        for phase in phases:
            jump = self.jump(phase)
            nodes = np.where(nodes == NOWHERE, NOWHERE, jump[nodes])
        return nodes


class Alike:
    """Histories that look the same to an observer: the nodes at which they ``end``, and one history to each of these."""

    ends: Mask

    def to(self, node: int) -> Past:
        """One of the histories that end at this node."""
        raise NotImplementedError


class _InStep(Alike):
    """By clock or recall: equally long, with the same announcements at the same moments."""

    def __init__(self, histories: Histories, space: WorldSpace, past: Past, views: Numbers, reading: Reading) -> None:
        self._histories, self._space, self._past = histories, space, past
        self._phases: list[list[int]] = [[] for _ in past.nodes]
        for time, phase in past.told:
            self._phases[time].append(phase)
        self._moments: list[Index] = []  # the nodes at each moment, before announcements
        last, forward = len(past.nodes) - 1, space.ground.graph.forward
        nodes: Index = np.unique(space.ground.starts).astype(np.int64)
        for time, own in enumerate(past.nodes):
            space.ground.budget.check()
            nodes = nodes[space.worlds[nodes]]
            if reading is Reading.RECALL or time == last:
                nodes = nodes[views[nodes] == views[own]]
            self._moments.append(nodes)
            after = histories.heard(nodes, self._phases[time])
            after = np.unique(after[after != NOWHERE])
            nodes = np.unique(forward.of(after)).astype(np.int64) if time < last else after
        self.ends = space.those(nodes)

    def to(self, node: int) -> Past:
        """One of the histories that end at this node; as much of it as possible is the history that it looks like."""
        back = [self._moment(len(self._past.nodes) - 1, lambda after: after == node)]
        for time in range(len(self._past.nodes) - 2, -1, -1):
            into = self._space.ground.graph.before(self._space.those([back[-1]]))
            back.append(self._moment(time, lambda after, into=into: (after != NOWHERE) & into[after]))  # type: ignore[misc]  # mypy cannot type the default
        return Past(tuple(reversed(back)), self._past.told, node)

    def _moment(self, time: int, good: Callable[[Index], Mask]) -> int:
        nodes = self._moments[time]
        fitting = nodes[good(self._histories.heard(nodes, self._phases[time]))]
        own = self._past.nodes[time]
        return own if own in fitting else int(fitting[0])


class _OutOfStep(Alike):
    """By observation (after an announcement) or changes: of any length, and told what is told at their ends."""

    def __init__(self, histories: Histories, space: WorldSpace, past: Past, views: Numbers, reading: Reading) -> None:
        self._space, self._past, self._views = space, past, views
        phases = [phase for _, phase in past.told]
        first = np.flatnonzero((space.ground.phase == 0) & space.worlds)
        after = histories.heard(first, phases)
        there = after != NOWHERE
        self._before = dict(zip(after[there].tolist(), first[there].tolist(), strict=True))
        self._changes: list[int] | None = None
        ends = [one for one in self._before if views[one] == views[past.last]]
        if reading is Reading.CHANGES:
            self._changes = _changes(views[list(past.nodes)].tolist())
            self._parents = self._search(self._changes)
            ends = [one for one in ends if (self._before[one], len(self._changes) - 1) in self._parents]
        self.ends = space.those(ends)

    def to(self, node: int) -> Past:
        """One of the histories that end at this node."""
        before = self._before[node]
        if self._changes is None:
            nodes = shortest(self._space.ground.graph, self._space.ground.starts, self._space.those([before]))
            assert nodes is not None
        else:
            place: tuple[int, int] | None = before, len(self._changes) - 1
            nodes = []
            while place is not None:
                nodes.insert(0, place[0])
                place = self._parents[place]
        return Past(tuple(nodes), tuple([(len(nodes) - 1, phase) for _, phase in self._past.told]), node)

    def _search(self, changes: list[int]) -> dict[tuple[int, int], tuple[int, int] | None]:
        """What histories lead to that show the first of these views, one after the other, with how many of them; and from where."""
        space, views, forward = self._space, self._views, self._space.ground.graph.forward
        starts = [node for node in space.ground.starts.tolist() if space.worlds[node] and views[node] == changes[0]]
        found: dict[tuple[int, int], tuple[int, int] | None] = dict.fromkeys([(node, 0) for node in starts])
        for place in (queue := list(found)):
            space.ground.budget.check()
            node, seen = place
            for target in forward.of(np.array([node])).tolist():
                new = seen if views[target] == changes[seen] else seen + 1
                fits = new == seen or (new < len(changes) and views[target] == changes[new])
                if fits and space.worlds[target] and (target, new) not in found:
                    found[target, new] = place
                    queue.append((target, new))
        return found


def _changes(views: list[int]) -> list[int]:
    """What was seen, repetitions left out."""
    return [view for place, view in enumerate(views) if place == 0 or view != views[place - 1]]
