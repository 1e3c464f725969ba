"""Exploration, level by level.

Each call of `Explorer.advance` makes the states that are one step further away.  Large levels are handled as arrays: successors
of a block of states, and those that are new into a table of all states.  A level of a few states is stepped through state by state,
which is quicker there by a factor of ten.  Between blocks the budget is checked, and blocks are small enough for an interrupt to be
felt at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np

from epistrat.engines.contract import Progress, Watcher
from epistrat.engines.explicit.edges import Edges, Found
from epistrat.engines.explicit.growing import Growing
from epistrat.engines.explicit.layout import Block, Codes, Layout, Mask, Numbers, Words
from epistrat.engines.explicit.store import States
from epistrat.solvers.budget import Budget, OutOfBudget

_BLOCK = 1 << 17  # states expanded at once: columns of one MB
_PENDING = 1 << 17  # targets that wait to go into the table together
_FLUSH = 1 << 14  # states kept in a Python set before they go into the table
_STEP = 15  # work per step where states are stepped through one by one, and as much as this many
_ROWS_PER_STEP = 32  # steps among many, if that is more: 600 agents take some 2 ms for a step


Piece: TypeAlias = tuple[Codes, Block, Codes | int]
"""Steps from the states of a block: the rows they start from, where they lead, and labels (one for all, or one each)."""


class TooWide(Exception):
    """A state has too many joint actions to try them one by one."""


class Successors(Protocol):
    """Where steps lead from a state.  A state without steps is a dead end.

    Levels of fewer than ``few`` states are quicker to step through one by one.  ``row_work`` is the work (see
    `epistrat.solvers.budget.Meter`) for one step among many.
    """

    few: int
    row_work: float

    def expand(self, block: Block) -> Iterator[Piece]:
        """All steps from the states of a block, in any order, perhaps repeated; labels tell who does what."""

    def step(self, packed: int) -> list[int]:
        """All steps from one state."""


@runtime_checkable
class OrderedSuccessors(Protocol):
    """Successors that leave out steps where they know how a state was reached."""

    def expand_awake(self, block: Block, asleep: Words) -> tuple[Mask, Iterator[tuple[Block, int]]]:
        """Steps that are enough to find all states level by level, without those that are asleep.

        Returns which states have steps at all; and where steps lead, together with those that need not be taken from there.
        """


class Explorer:
    """The reachable states, found level by level; can be resumed after every level."""

    def __init__(
        self,
        layout: Layout,
        successors: Successors,
        initial: Callable[[], Iterable[Block]],
        budget: Budget,
        watch: Watcher,
    ) -> None:
        self._layout, self._successors = layout, successors
        self._budget, self._watch = budget, watch
        self._visited = States(layout.words, layout.bits)
        self._ordered = successors if isinstance(successors, OrderedSuccessors) else None
        self._recent: dict[int, None] = {}
        self._frontier: Block = layout.empty()
        self._asleep: Words | None = None
        self.initial: Block = layout.empty()
        self._make_initial = initial
        self.started = False
        """Whether the initial states were made."""
        self.edges: Edges | None = None
        """If not None, edges of large levels are put here as they are found."""
        self._source: int | None = None  # the id of the first state of the frontier, if theirs follow each other
        self.levels = 0
        self.dead_ends = 0
        self.dead_end: int | None = None

    def __len__(self) -> int:
        return len(self._visited) + len(self._recent)

    @property
    def done(self) -> bool:
        """Whether all states were found."""
        return self.started and not len(self._frontier)

    def states(self) -> States:
        """All states, once exploration is done."""
        assert self.done
        return self.known()

    def known(self) -> States:
        """All states found so far."""
        self._flush()
        return self._visited

    def advance(self) -> Block:
        """Make one more level (the initial states, the first time) and return its new states."""
        if not self.started:
            self._start()
            return self._frontier
        small = len(self._frontier) < min(self._successors.few, self._budget.patience.one_by_one)
        dead_ends = self.dead_ends
        try:
            fresh = self._one_by_one(self._frontier) if small else self._many(self._frontier)
        except TooWide:
            self.dead_ends = dead_ends
            fresh = self._many(self._frontier)
        except OutOfBudget:
            self.dead_ends = dead_ends  # the level will be made again if someone goes on
            raise
        self._frontier = fresh
        self.levels += 1
        self._budget.check_states(len(self))
        if not small or self.levels % 64 == 0:
            self._watch(Progress("reachable states", {"states": len(self), "step": self.levels}))
        return fresh

    def explore_from(self, block: Block) -> None:
        """Expand these states, known or not, at the next `advance`: their steps have changed."""
        assert self.done
        self._flush()
        self._visited.insert(block)
        self._frontier, self._asleep, self._source = block, None, None

    def _start(self) -> None:
        """Collect the initial states."""
        parts: list[Block] = []
        count = 0
        for block in self._make_initial():
            parts.append(block)
            count += len(block)
            self._budget.check_states(count)
        self._visited.insert(np.concatenate([self._layout.empty(), *parts]))
        self.started, self._source = True, 0
        self.initial = self._frontier = self._visited.block

    def _flush(self) -> None:
        """Move the states that were found one by one into the table."""
        if self._recent:
            self._visited.insert(self._layout.block(list(self._recent)))
            self._recent = {}

    def _one_by_one(self, frontier: Block) -> Block:
        """One level, state by state."""
        self._asleep = self._source = None
        targets: dict[int, None] = {}
        work = 0
        each = max(_STEP, int(_ROWS_PER_STEP * self._successors.row_work))
        for state in self._layout.integers(frontier):
            found = self._successors.step(state)
            if not found:
                self._dead(1, state)
            targets.update(dict.fromkeys(found))
            work += each * (1 + len(found))
        self._budget.spend(work)
        new = [target for target in targets if target not in self._recent]
        if not new:
            return self._layout.empty()
        block = self._layout.block(new)
        fresh = block[~self._visited.contains(block)]
        self._recent.update(dict.fromkeys(self._layout.integers(fresh)))
        if len(self._recent) > self._budget.patience.block(_FLUSH):
            self._flush()
        return fresh

    def _many(self, frontier: Block) -> Block:
        """One level, block by block."""
        if self._recent:  # the frontier comes last, so that its ids follow each other
            self._visited.insert(self._layout.block(list(self._recent)[: -len(frontier)]))
            self._recent, self._source = {}, len(self._visited)
            self._visited.insert(frontier)
            self._frontier = frontier = self._visited.block[self._source :]
        first = len(self._visited)
        most = self._budget.patience.block(_BLOCK)
        asleep, self._asleep = self._asleep, None
        edges = self.edges if self._source is not None else None
        if edges is not None and self._source is not None:
            fill(edges, self._visited, self._successors, self._source, self._budget)
        level = _Level(self._visited, edges is not None)
        try:
            for start in range(0, len(frontier), most):
                block = frontier[start : start + most]
                if self._ordered is None or edges is not None:
                    self._expand(block, level)
                else:
                    none = np.zeros(len(block), dtype=np.uint64)
                    self._expand_awake(block, none if asleep is None else asleep[start : start + most], level)
                found = level.finish()
                if edges is not None:
                    edges.add(len(block), found)
                self._budget.check_states(len(self))
        except OutOfBudget:
            self._asleep = asleep
            self._visited.truncate(first)
            if edges is not None and self._source is not None:
                edges.cut(self._source)
            raise
        self._asleep = level.asleep() if self._ordered is not None and edges is None else None
        self._source = first
        return self._visited.block[first:]

    def _expand(self, block: Block, level: _Level) -> None:
        """Find all that is one step from the block."""
        alive = np.zeros(len(block), dtype=np.bool_)
        for rows, targets, by in self._successors.expand(block):
            alive[rows] = True
            self._spend(targets)
            level.add(targets, found=(rows, by))
        self._note_dead(block, alive)

    def _expand_awake(self, block: Block, asleep: Words, level: _Level) -> None:
        """The same where steps that are asleep are left out."""
        assert self._ordered is not None
        alive, steps = self._ordered.expand_awake(block, asleep)
        for targets, sleep in steps:
            self._spend(targets)
            level.add(targets, sleep)
        self._note_dead(block, alive)

    def _spend(self, targets: Block) -> None:
        self._budget.spend(int(self._successors.row_work * len(targets)))
        self._budget.check()

    def _note_dead(self, block: Block, alive: Mask) -> None:
        dead = np.flatnonzero(~alive)
        if len(dead):
            self._dead(len(dead), self._layout.integers(block[dead[:1]])[0])

    def _dead(self, count: int, example: int) -> None:
        self.dead_ends += count
        if self.dead_end is None:
            self.dead_end = example


def fill(edges: Edges, states: States, successors: Successors, upto: int, budget: Budget) -> None:
    """Make the edges that are missing among those of the first states, all of whose successors are members."""
    while len(edges) < upto:
        budget.check()
        block = states.block[len(edges) : min(upto, len(edges) + budget.patience.block(_BLOCK))]
        steps = successors.expand(block)
        edges.add(len(block), [(rows, _known(states.find(targets)), by) for rows, targets, by in steps])


def _known(ids: Codes) -> Numbers:
    """Every step leads to an explored state; anything else would be a wrong answer in the making."""
    if len(ids) and ids.min() < 0:
        raise AssertionError("a step leads out of the explored states")
    return ids.astype(np.int32)


class _Level:
    """The states of a level while it is made: targets wait until they are many, then go into the table together."""

    def __init__(self, visited: States, recording: bool) -> None:
        self._visited, self._first = visited, len(visited)
        self._recording = recording
        self._pending: list[tuple[Block, int, tuple[Codes, Codes | int] | None]] = []
        self._waiting = 0
        self._asleep: Growing[np.uint64] = Growing(np.uint64)
        self._found: list[Found] = []

    def add(self, targets: Block, sleep: int = 0, found: tuple[Codes, Codes | int] | None = None) -> None:
        """Take in where steps lead, with those that need not be taken from there, or with the rows they start from and their labels."""
        self._pending.append((targets, sleep, found))
        self._waiting += len(targets)
        if self._waiting > _PENDING:
            self._take()

    def _take(self) -> None:
        """Put what is waiting into the table."""
        if not self._waiting:
            return
        ids = self._visited.insert(np.concatenate([targets for targets, *_ in self._pending]))
        start = 0
        for targets, sleep, found in self._pending:
            reached = ids[start : start + len(targets)]
            start += len(targets)
            if self._recording and found is not None:
                self._found.append((found[0], reached.astype(np.int32), found[1]))
            elif sleep:
                fresh = reached[reached >= self._first] - self._first
                self.asleep()[fresh] |= np.uint64(sleep)
        self._pending, self._waiting = [], 0

    def finish(self) -> list[Found]:
        """Put everything into the table; the edges that were found since the last time, if they are recorded."""
        self._take()
        found, self._found = self._found, []
        return found

    def asleep(self) -> Words:
        """For each state of the level the steps that need not be taken."""
        self._asleep.extend(np.zeros(len(self._visited) - self._first - len(self._asleep), dtype=np.uint64))
        return self._asleep.array
