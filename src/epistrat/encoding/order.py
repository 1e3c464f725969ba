"""Static orders of the BDD variables.

The default order comes from FORCE: items are placed on a line and moved, round by round, to the centre of gravity of the edges they
belong to, until the total span of the edges no longer shrinks.  Edges over a fifth of all items say nothing and are dropped; *hubs*,
items in a large share of the edges of what happens, go to the top, since everything depends on them wherever they are.

FORCE starts from items in an order that depends on the structure of the model alone (`epistrat.encoding.rank`), walked along small edges
so that what belongs together stands together: names, and the order of declarations, have no part in it.  Only the start ``declared``
takes items as they are declared; it is there to be asked for.

`mcmas_order` gives the four orders of MCMAS, by its numbers.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from operator import itemgetter

from epistrat.encoding.bits import Block, Item, Which
from epistrat.encoding.footprint import Footprint, many_of
from epistrat.encoding.part import variables_of
from epistrat.encoding.rank import ranked
from epistrat.records import dataclass

_HUB = 0.3  # an item in this share of the edges is a hub
_ROUNDS = 60  # of FORCE at most,
_PATIENCE = 8  # and so many without gain
_GAIN = 0.9  # a new line must shrink the span this much to replace the start
_END_GAIN = 0.9  # a walk from an end must be this much shorter: pipe 40 takes 3 s instead of 42, with 1 window 96 2.9 instead of 1
_RESTARTS = 8  # random starts of FORCE
_SMALL_EDGE = 12  # edges that breadth-first search follows


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Which of the candidate orders: where FORCE starts, where actions go, whether compared variables interleave."""

    start: str = "index"  # "index", "declared", "breadth" or "random"
    actions_on_top: bool = False
    interleave: bool = False

    @property
    def switch(self) -> str:
        """The value of the option ``order`` that asks for this."""
        return self.start + "-top" * self.actions_on_top + "-interleaved" * self.interleave

    def __str__(self) -> str:
        words = [self.start]
        if self.actions_on_top:
            words.append("actions on top")
        if self.interleave:
            words.append("interleaved")
        return ", ".join(words)


class Orders:
    """The candidate orders of one system; the hypergraph is read once."""

    def __init__(self, footprint: Footprint) -> None:
        self._footprint = footprint
        self.items = footprint.items
        count = len(self.items)
        moving = _telling(footprint.moving_edges(), count)
        edges = _telling(footprint.edges(), count)
        self.hubs = _hubs(moving, count)
        self._ranked = ranked(footprint)
        self._rank = {item: rank for rank, item in enumerate(self._ranked)}
        self._edges = self._of_ranks(edges)
        self._direct = self._of_ranks([tuple(variables_of(edge)) for edge in footprint.direct_edges()])
        self._lines: dict[str, tuple[list[int], float]] = {}

    def _without_hubs(self, edges: Sequence[tuple[int, ...]]) -> set[tuple[int, ...]]:
        trimmed = {tuple(item for item in edge if item not in self.hubs) for edge in edges}
        return {edge for edge in trimmed if len(edge) > 1}

    def _of_ranks(self, edges: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        return sorted(tuple(sorted(self._rank[item] for item in edge)) for edge in self._without_hubs(edges))

    def blocks(self, choice: Arrangement) -> list[Block]:
        """The order that a choice stands for."""
        placed = [self._ranked[rank] for rank in self._line(choice.start)[0]]
        line = sorted(placed, key=lambda item: item not in self.hubs)
        if choice.actions_on_top:
            line.sort(key=lambda item: self.items[item].name is not None)
        if not choice.interleave:
            return [Block((item,)) for item in line]
        return self._interleaved(line)

    def span(self, start: str) -> float:
        """The total span that a start leads to."""
        return self._line(start)[1]

    def _line(self, start: str) -> tuple[list[int], float]:
        """The line that FORCE makes of a start, and its span."""
        if start not in self._lines:
            lines = [_force(line, self._edges, _GAIN) for line in self._starts(start)]
            found = self._restarted() if start == "random" else min(lines, key=itemgetter(1))
            if start == "index":
                ends = self._from_an_end()
                if _span(ends, self._edges) < _END_GAIN * found[1]:
                    found = _force(ends, self._edges, _GAIN)
            self._lines[start] = found
        return self._lines[start]

    def _from_an_end(self) -> list[int]:
        """A walk that begins at an item with few edges: a ring is cut where that ties least."""
        degree = Counter(rank for edge in self._direct for rank in edge)
        ends = sorted(range(len(self.items)), key=lambda rank: (rank not in degree, degree[rank]))
        agents = [self.items[item].agent for item in self._ranked]
        return self._with_their_agents(_depth_first(ends, self._direct, agents))

    def _starts(self, start: str) -> list[list[int]]:
        """Where FORCE starts, all different; here and in lines, items stand for their rank."""
        ranks = list(range(len(self.items)))
        match start:
            case "declared":
                return [sorted(ranks, key=self._ranked.__getitem__)]
            case "breadth":
                return [_breadth_first(ranks, self._edges)]
            case "random":
                return []
            case _:
                agents = [self.items[item].agent for item in self._ranked]
                walks = [_depth_first(ranks, self._direct, apart) for apart in ([""] * len(agents), agents)]
                plain, by_agent = map(self._with_their_agents, walks)
                return [plain] if plain == by_agent else [plain, by_agent]

    def _with_their_agents(self, line: Sequence[int]) -> list[int]:
        """Items that only hubs are tied to go to the first of their agent's that are tied, if it has few; to the top if none is."""
        tied = {rank for edge in self._direct for rank in edge}
        agents: dict[str, list[int]] = {}
        for rank in line:
            agents.setdefault(self.items[self._ranked[rank]].agent, []).append(rank)
        place = {rank: number for number, rank in enumerate(line)}
        goal = {
            rank: min((place[other] for other in own if other in tied), default=-1)
            for own in agents.values()
            if len(own) <= _SMALL_EDGE
            for rank in own
            if rank not in tied
        }
        return sorted(line, key=lambda rank: (goal.get(rank, place[rank]), rank in tied))

    def _restarted(self) -> tuple[list[int], float]:
        line, span = self._line("index")
        dice = random.Random(1)
        for _ in range(_RESTARTS):
            shuffled = dice.sample(range(len(self.items)), len(self.items))
            other, other_span = _force(shuffled, self._edges, 1.0)
            if other_span < span:
                line, span = other, other_span
        return line, span

    def _interleaved(self, line: Sequence[int]) -> list[Block]:
        """Variables that are compared with each other share a block, in groups of at most eight."""
        group = {item: [item] for item in line}
        pairs = self._footprint.compared_pairs()
        for one, other in sorted(pairs, key=lambda pair: sorted((self._rank[pair[0]], self._rank[pair[1]]))):
            if group[one] is not group[other] and len(group[one]) + len(group[other]) <= 8:
                group[one].extend(group[other])
                for item in group[other]:
                    group[item] = group[one]
        position = {item: place for place, item in enumerate(line)}
        blocks, done = [], set()
        for item in line:
            if item not in done:
                together = sorted(group[item], key=position.__getitem__)
                done.update(together)
                blocks.append(Block(tuple(together)))
        return blocks


def mcmas_order(items: Sequence[Item], number: int) -> list[Block]:
    """One of MCMAS's orders.

    1: all current bits, all next bits, all actions.  2: agent by agent, current and next bits interleaved, then its actions.
    3: agent by agent, current bits, actions, next bits.  4: agent by agent, current bits, next bits, actions.
    """
    agents: dict[str, tuple[list[int], list[int]]] = {}
    for index, item in enumerate(items):
        agents.setdefault(item.agent, ([], []))[item.name is None].append(index)

    def each(indices: Sequence[int], which: Which) -> list[Block]:
        return [Block((index,), which) for index in indices]

    both, current, following = Which.BOTH, Which.CURRENT, Which.NEXT
    blocks: list[Block] = []
    if number == 1:
        for which in (current, following):
            for variables, _ in agents.values():
                blocks += each(variables, which)
        for _, actions in agents.values():
            blocks += each(actions, both)
        return blocks
    for variables, actions in agents.values():
        match number:
            case 2:
                blocks += each(variables, both) + each(actions, both)
            case 3:
                blocks += each(variables, current) + each(actions, both) + each(variables, following)
            case 4:
                blocks += each(variables, current) + each(variables, following) + each(actions, both)
            case _:
                raise ValueError(f"there is no order {number}: MCMAS has 1 to 4")
    return blocks


def _telling(masks: Sequence[int], count: int) -> list[tuple[int, ...]]:
    """The edges that are small enough to say something."""
    edges = [tuple(variables_of(mask)) for mask in masks]
    return [edge for edge in edges if len(edge) <= many_of(count)]


def _hubs(edges: Sequence[tuple[int, ...]], count: int) -> frozenset[int]:
    degree = [0] * count
    for edge in edges:
        for item in edge:
            degree[item] += 1
    return frozenset(item for item in range(count) if degree[item] >= max(6, _HUB * len(edges)))


def _breadth_first(start: Sequence[int], edges: Sequence[tuple[int, ...]]) -> list[int]:
    """Items by distance from one end, along small edges: unrolls chains and rings, which FORCE alone leaves tangled."""
    near: dict[int, list[tuple[int, ...]]] = {item: [] for item in start}
    for edge in edges:
        if len(edge) <= _SMALL_EDGE:
            for item in edge:
                near[item].append(edge)
    line: list[int] = []
    placed: set[int] = set()
    for item in start:
        if item not in placed:
            far = _walk(item, near, placed)[-1]
            component = _walk(far, near, placed)
            line += component
            placed.update(component)
    return line


def _depth_first(start: Sequence[int], edges: Sequence[tuple[int, ...]], agents: Sequence[str]) -> list[int]:
    """Items along small edges, each followed by its neighbours: along the smallest first, then of its own agent, then as in the start."""
    near: dict[int, dict[int, int]] = {item: {} for item in start}
    for edge in sorted(edges, key=len, reverse=True):
        if len(edge) <= _SMALL_EDGE:
            for item in edge:
                near[item].update(dict.fromkeys(edge, len(edge)))
    line: dict[int, None] = {}
    for item in start:
        stack = [item]
        while stack:
            here = stack.pop()
            if here not in line:
                line[here] = None
                others = [
                    (size, agents[other] != agents[here], other)
                    for other, size in near[here].items()
                    if other not in line
                ]
                stack += [other for *_, other in sorted(others, reverse=True)]
    return list(line)


def _walk(start: int, near: Mapping[int, Sequence[tuple[int, ...]]], placed: Set[int]) -> list[int]:
    """The items connected with one, nearest first; among equals those with fewer edges first."""
    line, seen = [start], {start, *placed}
    for item in line:
        following = {other for edge in near[item] for other in edge} - seen
        line += sorted(following, key=lambda other: (len(near[other]), other))
        seen |= following
    return line


def _span(line: Sequence[int], edges: Sequence[tuple[int, ...]]) -> float:
    position = [0] * len(line)
    for place, item in enumerate(line):
        position[item] = place
    total = 0.0
    for edge in edges:
        places = [position[item] for item in edge]
        total += (max(places) - min(places)) / len(edge)
    return total


def _force(start: Sequence[int], edges: Sequence[tuple[int, ...]], gain: float) -> tuple[list[int], float]:
    """The best line found and its span; a line replaces the best so far only if its span is below ``gain`` times that."""
    count = len(start)
    line = list(start)
    best, best_span = list(start), _span(start, edges)
    stalled = 0
    for _ in range(_ROUNDS):
        position = [0] * count
        for place, item in enumerate(line):
            position[item] = place
        pull, weight = [0.0] * count, [0.0] * count
        for edge in edges:
            size = len(edge)
            strength = 1.0 / (size - 1)
            centre = strength * sum([position[item] for item in edge]) / size
            for item in edge:
                pull[item] += centre
                weight[item] += strength
        target = [pull[item] / weight[item] if weight[item] else float(position[item]) for item in range(count)]
        line = sorted(range(count), key=target.__getitem__)
        span = _span(line, edges)
        if span < best_span * gain:
            best, best_span, stalled = line, span, 0
        else:
            stalled += 1
            if stalled > _PATIENCE:
                break
    return best, best_span
