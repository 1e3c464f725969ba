"""Successors in synchronous systems.

Every agent with actions chooses an allowed one, then all move at once.  What an agent may do depends on the variables in its *scope* (its
own and those its lines read); how it moves depends on the scope and on the actions its guards mention.  Both are tabulated,
row by row when first needed.  Three things keep the number of joint actions down without changing any successor:

- actions that no evolution guard of anybody mentions are one *class*: it does not matter which of them is done;
- an agent whose choice nobody else's guards mention, and whose guards mention nobody else's, moves on its own (`private`): its choice
  and its move are one step with as many outcomes as it has different moves;
- the rows of joint actions are made block by block, with a bound on their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.choices import Choices, Lists
from epistrat.engines.explicit.layout import Block, Codes, Layout, Mask, Numbers
from epistrat.model.agent import Agent
from epistrat.model.step import Stepper
from epistrat.terms import ActionIs, subterms

Piece = tuple[Codes, Block]

_ROWS = 1 << 19


class SynchronousSuccessors:
    """All steps of a synchronous system."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        system = layout.system
        self.stepper = Stepper(system)
        mentioned = _mentioned(system.agents)
        self.agents = [Choices(layout, self.stepper, i, mentioned) for i in range(len(system.agents))]
        heard = {other for i, agent in enumerate(self.agents) for other in agent.listens if other != i}
        self._private = [i for i, agent in enumerate(self.agents) if i not in heard and set(agent.listens) <= {i}]
        self._coupled = [i for i in range(len(self.agents)) if i not in set(self._private)]
        self._own_moves: dict[tuple[int, int], tuple[int, ...]] = {}
        self._own_lists = {i: Lists() for i in self._private}
        self._own_known = dict.fromkeys(self._private, 0)

    def expand(self, block: Block) -> Iterator[Piece]:
        """All steps from the states of a block: the rows they start from, and where they lead."""
        locals_ = [agent.locals(block) for agent in self.agents]
        for start, stop in self._cut(locals_, self._coupled):
            part = [numbers[start:stop] for numbers in locals_]
            rows, classes = self.joint_rows(part, self._coupled)
            for piece_rows, targets in self._outcomes(block[start:stop], part, rows, classes):
                yield piece_rows + start, targets

    def _cut(self, locals_: list[Numbers], agents: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Ranges of rows that have at most some million joint actions together (or are one row)."""
        counts = np.ones(len(locals_[0]), dtype=np.float64)
        for agent in agents:
            counts *= self.agents[agent].allowed.lengths(locals_[agent])
        yield from _ranges(counts)

    def joint_rows(self, locals_: list[Numbers], agents: Sequence[int]) -> tuple[Codes, dict[int, Codes]]:
        """The joint choices of some agents: for each the row of its state, and each agent's class of action."""
        rows: Codes = np.arange(len(locals_[0]))
        classes: dict[int, Codes] = {}
        _, rows, classes = self._choose(locals_, agents, rows, classes)
        return rows, classes

    def _choose(
        self, locals_: list[Numbers], agents: Sequence[int], rows: Codes, classes: dict[int, Codes]
    ) -> tuple[Codes, Codes, dict[int, Codes]]:
        """Extend joint choices by those of further agents; also tells which choice each one extends."""
        origin: Codes = np.arange(len(rows))
        for agent in agents:
            index, chosen = self.agents[agent].allowed.spread(locals_[agent][rows])
            rows, origin = rows[index], origin[index]
            classes = {other: codes[index] for other, codes in classes.items()}
            classes[agent] = chosen
        return origin, rows, classes

    def expand_choices(self, block: Block, members: Sequence[int]) -> Iterator[tuple[Codes, Codes, Block]]:
        """The choices of a group in the states of a block.

        Yields the row of each choice; and for each outcome the choice it belongs to (counted from 0 in this piece) and its state.
        Choices that no choice of the others completes to a joint action are left out.
        """
        locals_ = [agent.locals(block) for agent in self.agents]
        everyone = range(len(self.agents))
        others = [agent for agent in everyone if agent not in members]
        for start, stop in self._cut(locals_, everyone):
            part = [numbers[start:stop] for numbers in locals_]
            chosen, classes = self.joint_rows(part, members)
            choice, rows, classes = self._choose(part, others, chosen, classes)
            real, choice = np.unique(choice, return_inverse=True)
            targets = block[start:stop][rows]
            for agent in everyone:
                numbers = self.move_rows(agent, part, rows, classes)
                inner, results = self.agents[agent].moves.spread(numbers)
                rows, choice = rows[inner], choice[inner]
                classes = {other: codes[inner] for other, codes in classes.items()}
                targets = targets[inner] ^ self.agents[agent].change_table[results]
            yield chosen[real] + start, choice, targets

    def _outcomes(
        self, block: Block, locals_: list[Numbers], rows: Codes, classes: dict[int, Codes]
    ) -> Iterator[Piece]:
        """What joint choices of the coupled agents lead to, the private agents moving as they may."""
        tables = [(i, self.agents[i].moves, self.move_rows(i, locals_, rows, classes)) for i in self._coupled]
        own = [(i, self._own_lists[i], self._own_rows(i, locals_[i])[rows]) for i in self._private]
        counts = np.ones(len(rows), dtype=np.float64)
        for _, lists, numbers in tables + own:
            counts *= lists.lengths(numbers)
        for start, stop in _ranges(counts):
            chosen: Codes = np.arange(start, stop)
            targets = block[rows[chosen]]
            for agent, lists, numbers in tables + own:
                inner, results = lists.spread(numbers[chosen])
                chosen = chosen[inner]
                targets = targets[inner] ^ self.agents[agent].change_table[results]
            yield rows[chosen], targets

    def move_rows(self, agent: int, locals_: list[Numbers], rows: Codes, classes: dict[int, Codes]) -> Numbers:
        """The rows of the agent's move table under these joint choices."""
        table = self.agents[agent]
        return table.move_rows(locals_[agent][rows], [classes[other] for other in table.listens], self.agents)

    def _own_rows(self, agent: int, locals_: Numbers) -> Numbers:
        """A private agent's moves are listed by its scope number alone."""
        table, lists = self.agents[agent], self._own_lists[agent]
        while self._own_known[agent] < len(table.allowed_lists):
            lists.append(self._own(agent, self._own_known[agent]))
            self._own_known[agent] += 1
        return locals_

    def _own(self, agent: int, local: int) -> tuple[int, ...]:
        """The different moves a private agent has, whatever it chooses."""
        found = self._own_moves.get((agent, local))
        if found is None:
            table = self.agents[agent]
            moves: dict[int, None] = {}
            for chosen in table.allowed_lists[local]:
                row = table.move_row(local, [chosen] if table.listens else [], self.agents)
                moves.update(dict.fromkeys(table.move_lists[row]))
            found = self._own_moves[agent, local] = tuple(moves)
        return found

    def step(self, packed: int) -> list[int]:
        """All steps from one state."""
        locals_ = [agent.local(packed) for agent in self.agents]
        free = [[self.agents[i].results[n] for n in self._own(i, locals_[i])] for i in self._private]
        allowed = [self.agents[i].allowed_lists[locals_[i]] for i in self._coupled]
        found: dict[int, None] = {}
        for joint in product(*allowed):
            classes = dict(zip(self._coupled, joint, strict=True))
            options = [self._results(i, locals_[i], classes) for i in self._coupled]
            for changes in product(*options, *free):
                target = packed
                for change in changes:
                    target ^= change
                found[target] = None
        return list(found)

    def _results(self, agent: int, local: int, classes: dict[int, int]) -> list[int]:
        table = self.agents[agent]
        row = table.move_row(local, [classes[other] for other in table.listens], self.agents)
        return [table.results[number] for number in table.move_lists[row]]

    def overflowing(self, block: Block) -> dict[tuple[int, int], Mask]:
        """For each evolution line, as (agent, number), in which states an allowed joint action makes it leave its range."""
        locals_ = [agent.locals(block) for agent in self.agents]
        found: dict[tuple[int, int], Mask] = {}
        for start, stop in self._cut(locals_, range(len(self.agents))):
            part = [numbers[start:stop] for numbers in locals_]
            rows, classes = self.joint_rows(part, range(len(self.agents)))
            for index, agent in enumerate(self.agents):
                numbers = self.move_rows(index, part, rows, classes)
                for row, line in agent.overflows.items():
                    hit = rows[numbers == row] + start
                    found.setdefault((index, line), np.zeros(len(block), dtype=np.bool_))[hit] = True
        return {line: where for line, where in found.items() if where.any()}


def _ranges(counts: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    """Cut a row of counts into ranges with a bounded sum each (or a single entry)."""
    total = np.cumsum(counts)
    start = 0
    while start < len(total):
        before = total[start - 1] if start else 0.0
        stop = max(start + 1, int(np.searchsorted(total, before + _ROWS, side="right")))
        yield start, stop
        start = stop


def _mentioned(agents: Sequence[Agent]) -> list[frozenset[str]]:
    """For each agent, which of its actions some evolution guard mentions."""
    guards = [line.guard for agent in agents for line in agent.evolution]
    pairs = {(term.agent, term.action) for term in subterms(*guards) if isinstance(term, ActionIs)}
    return [frozenset(action for action in agent.actions if (agent.name, action) in pairs) for agent in agents]
