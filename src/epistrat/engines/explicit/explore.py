"""Exploration, level by level.

Each call of `Explorer.advance` makes the states that are one step further away.  Large levels are handled as arrays: successors
of a block of states, sort, throw out what is known.  A level of a few states is stepped through state by state, which is
quicker there by a factor of ten.  Between blocks the budget is checked, and blocks are small enough for an interrupt to be felt at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, runtime_checkable

import numpy as np

from epistrat.engines.contract import Progress, Watcher
from epistrat.engines.explicit.layout import Block, Codes, Layout, Words
from epistrat.engines.explicit.store import Sorted, Visited, arrange, arrange_marked
from epistrat.solvers.budget import Budget, OutOfBudget

_BLOCK = 1 << 17  # states expanded at once: rows of a few MB
_PENDING = 1 << 22  # rows that wait to be sorted together
_FLUSH = 1 << 14  # states kept in a Python set before they are merged
_MAP_BITS = 30  # a map of all states, a byte each, takes at most 1 GB
_STEP = 15  # work per step where states are stepped through one by one


class Successors(Protocol):
    """Where steps lead from a state.  A state without steps is a dead end.

    Levels of fewer than ``few`` states are quicker to step through one by one.  ``row_work`` is the work (see
    `epistrat.solvers.budget.Meter`) for one step among many.
    """

    few: int
    row_work: float

    def expand(self, block: Block) -> Iterator[tuple[Codes, Block]]:
        """All steps from the states of a block: rows and targets, in any order, perhaps repeated."""

    def step(self, packed: int) -> list[int]:
        """All steps from one state."""


@runtime_checkable
class MarkedSuccessors(Protocol):
    """Successors that leave out steps where they know how a state was reached."""

    @property
    def mark_bits(self) -> int:
        """How many bits its marks need."""

    def expand_marked(self, block: Block, marks: Words) -> Iterator[tuple[Codes, Block, int]]:
        """Steps that are enough to find all states level by level: the rows that have a step, targets, and their mark."""


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
        self._visited = Visited(
            layout.words, bits=layout.bits if layout.bits <= budget.patience.most(_MAP_BITS) else None
        )
        self._marking = successors if isinstance(successors, MarkedSuccessors) else None
        self._mark_bits = 0 if self._marking is None else self._marking.mark_bits
        self._recent: dict[int, None] = {}
        self._frontier: Block = layout.empty()
        self._marks: Words | None = None
        self.initial: Block = layout.empty()
        self._make_initial = initial
        self._started = False
        self.levels = 0
        self.dead_ends = 0
        self.dead_end: int | None = None

    def __len__(self) -> int:
        return len(self._visited) + len(self._recent)

    @property
    def done(self) -> bool:
        """Whether all states were found."""
        return self._started and not len(self._frontier)

    def blocks(self) -> Iterator[Block]:
        """All states found so far."""
        self._flush()
        yield from self._visited.blocks()

    def states(self) -> Sorted:
        """All states, once exploration is done."""
        assert self.done
        return self.known()

    def known(self) -> Sorted:
        """All states found so far."""
        self._flush()
        return self._visited.whole()

    def advance(self) -> Block:
        """Make one more level (the initial states, the first time) and return its new states."""
        if not self._started:
            self._start()
            return self._frontier
        small = len(self._frontier) < min(self._successors.few, self._budget.patience.one_by_one)
        dead_ends = self.dead_ends
        try:
            fresh = self._one_by_one(self._frontier) if small else self._many(self._frontier)
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
        self._visited.add(self._visited.unseen(arrange(block)))
        self._frontier = block

    def _start(self) -> None:
        """Collect the initial states."""
        parts: list[Block] = []
        count = 0
        for block in self._make_initial():
            parts.append(block)
            count += len(block)
            self._budget.check_states(count)
        found = arrange(np.concatenate(parts) if parts else self._layout.empty())
        self._visited.add(found)
        self._started = True
        self.initial = self._frontier = found.block

    def _flush(self) -> None:
        """Move the states that were found one by one into the sorted set."""
        if self._recent:
            self._visited.add(arrange(self._layout.block(list(self._recent))))
            self._recent = {}

    def _one_by_one(self, frontier: Block) -> Block:
        """One level, state by state."""
        self._marks = None
        targets: dict[int, None] = {}
        work = 0
        for state in self._layout.integers(frontier):
            found = self._successors.step(state)
            if not found:
                self._dead(1, state)
            targets.update(dict.fromkeys(found))
            work += _STEP * (1 + len(found))
        self._budget.spend(work)
        new = [target for target in targets if target not in self._recent]
        if not new:
            return self._layout.empty()
        fresh = self._visited.unseen(arrange(self._layout.block(new)))
        self._recent.update(dict.fromkeys(self._layout.integers(fresh.block)))
        if len(self._recent) > self._budget.patience.block(_FLUSH):
            self._flush()
        return fresh.block

    def _many(self, frontier: Block) -> Block:
        """One level, block by block."""
        self._flush()
        self._visited.consider_map()
        parts: list[Sorted] = []
        block = self._budget.patience.block(_BLOCK)
        marks, self._marks = self._marks, None
        try:
            for start in range(0, len(frontier), block):
                stop = start + block
                self._find_successors(frontier[start:stop], None if marks is None else marks[start:stop], parts)
                if not self._visited.mapped:
                    self._merge_small(parts)
                self._budget.check_states(len(self) + sum(len(part) for part in parts))
        except OutOfBudget:
            self._marks = marks
            self._visited.drop(parts)
            raise
        fresh = self._visited.joined(parts) if self._visited.mapped and not self._mark_bits else self._union(parts)
        self._marks = fresh.marks
        self._visited.add(fresh)
        return fresh.block

    def _merge_small(self, parts: list[Sorted]) -> None:
        while len(parts) > 1 and 2 * len(parts[-1]) >= len(parts[-2]):
            parts[-2:] = [self._union(parts[-2:])]

    def _union(self, parts: list[Sorted]) -> Sorted:
        if len(parts) == 1:
            return parts[0]
        if self._mark_bits and parts:
            words = np.concatenate([_marked(part, self._mark_bits) for part in parts])
            return arrange_marked(words, self._mark_bits, runs=True)
        return arrange(np.concatenate([self._layout.empty(), *(part.block for part in parts)]), runs=True)

    def _find_successors(self, block: Block, marks: Words | None, found: list[Sorted]) -> None:
        """Append the new states that are one step from the block, in a few sets."""
        alive = np.zeros(len(block), dtype=np.bool_)
        pending: list[Block] = []
        waiting = 0
        for rows, targets in self._steps(block, marks):
            alive[rows] = True
            self._budget.spend(int(self._successors.row_work * len(targets)))
            self._budget.check()
            pending.append(targets)
            waiting += len(targets)
            if waiting > self._budget.patience.block(_PENDING):
                found.append(self._take(pending))
                pending, waiting = [], 0
        if pending:
            found.append(self._take(pending))
        dead = np.flatnonzero(~alive)
        if len(dead):
            self._dead(len(dead), self._layout.integers(block[dead[:1]])[0])

    def _steps(self, block: Block, marks: Words | None) -> Iterator[tuple[Codes, Block]]:
        """Rows that have steps, and where steps lead; marks stand below the states."""
        bits = self._mark_bits
        if self._marking is None or not bits:
            yield from self._successors.expand(block)
            return
        marks = np.zeros(len(block), dtype=np.uint64) if marks is None else marks
        for rows, targets, mark in self._marking.expand_marked(block, marks):
            yield rows, targets << np.uint64(bits) | np.uint64(mark)

    def _take(self, pending: list[Block]) -> Sorted:
        targets = np.concatenate(pending)
        if self._mark_bits:
            return self._visited.unseen(arrange_marked(targets[:, 0], self._mark_bits))
        return self._visited.take(targets)

    def _dead(self, count: int, example: int) -> None:
        self.dead_ends += count
        if self.dead_end is None:
            self.dead_end = example


def _marked(states: Sorted, bits: int) -> Words:
    """States of one word with their marks below."""
    assert states.marks is not None
    return states.keys << np.uint64(bits) | states.marks
