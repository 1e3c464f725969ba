"""Successors in synchronous systems.

Every agent with actions chooses an allowed one, then all move at once.  In a block of states, first all joint actions are laid out
as rows, then agent after agent moves in all rows together (`moves`).  An agent whose actions nobody else's guards mention, and whose
guards mention nobody else's, chooses and moves only after all others (`private`), so that rows do not multiply before they must.  Rows
are made in pieces of bounded size.

The joint actions of a state are numbered: the choice of the last agent to choose runs fastest.  Steps are labelled with that number, from
which the choice of any group can be read (`choices_in`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.choices import Choices, action_classes
from epistrat.engines.explicit.conditions import VectorConditions
from epistrat.engines.explicit.explore import Piece, TooWide
from epistrat.engines.explicit.layout import Block, Codes, Layout, Mask, Numbers
from epistrat.engines.explicit.lines import Guards, Joint, parts
from epistrat.engines.explicit.moves import Moves
from epistrat.model.step import Stepper
from epistrat.solvers.budget import OutOfBudget

_ROWS = 1 << 19  # handled at once where there are few lines: arrays of 4 MB
_FEWEST_ROWS = 1 << 17  # however many lines there are: fewer would be more calls than work
_MOST_CELLS = 1 << 27  # actions in the joint actions of one state, which are laid out at once: a gigabyte
_FEW_STEPS = 1 << 12  # from one state, that are tried one by one


class SynchronousSuccessors:
    """All steps of a synchronous system."""

    few = 4

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        agents = layout.system.agents
        stepper = Stepper(layout.system)
        classes = action_classes(agents)
        conditions = VectorConditions(layout)
        self.agents = [Choices(layout, stepper, index, classes[index], conditions) for index in range(len(agents))]
        guards = Guards(conditions, classes, {agent.name: index for index, agent in enumerate(agents)})
        self._moves = [
            Moves(layout, stepper, index, parts(layout, guards, stepper.evaluator, agent), self.agents)
            for index, agent in enumerate(agents)
        ]
        heard = {other for index, one in enumerate(self._moves) for other in one.listens if other != index}
        private = [i for i, one in enumerate(self._moves) if i not in heard and set(one.listens) <= {i}]
        self._private = private
        self._coupled = [index for index in range(len(agents)) if index not in private]
        count = sum(len(agent.evolution) for agent in agents)
        self.row_work = count / 16
        self._rows = layout.patience.block(max(_FEWEST_ROWS, _ROWS * 16 // max(16, count)))

    def expand(self, block: Block) -> Iterator[Piece]:
        """All steps from the states of a block: the rows they start from, where they lead, and the numbers of their joint actions."""
        numbers = [agent.allowed(block) for agent in self.agents]
        counts = self._counts(numbers)
        self._check(counts.max(initial=0))
        for start, stop in _ranges(counts, self._rows):
            part = block[start:stop]
            tables = [one[start:stop] for one in numbers]
            joint = self._choose(tables, self._coupled, len(part))
            todo: list[tuple[int, Numbers | None]] = [(index, None) for index in self._coupled]
            todo += [(index, tables[index]) for index in self._private]
            for rows, targets, by in self._move(part, joint, part[joint.rows], todo):
                yield rows + start, targets, by

    def _check(self, steps: float) -> None:
        """Raise `OutOfBudget` where a state has more joint actions than can be laid out."""
        if steps * max(1, len(self._coupled)) > _MOST_CELLS:
            raise _too_many_steps(int(steps))

    def _counts(self, numbers: list[Numbers]) -> NDArray[np.float64]:
        """How many joint actions each state has."""
        counts = np.ones(len(numbers[0]), dtype=np.float64)
        for agent, rows in zip(self.agents, numbers, strict=True):
            counts *= agent.counts(rows)
        return counts

    def _choose(self, numbers: list[Numbers], agents: Sequence[int], count: int) -> Joint:
        """All joint actions of some agents in so many states."""
        joint = Joint(np.arange(count), np.zeros(count, dtype=np.int64), {})
        for agent in agents:
            _, joint = self._extend(joint, agent, numbers[agent])
        return joint

    def _extend(self, joint: Joint, agent: int, numbers: Numbers) -> tuple[Codes | None, Joint]:
        """Joint actions, each with every choice of a further agent; also tells which one each extends, if they have become more."""
        rows = numbers[joint.rows]
        index, chosen, offset = self.agents[agent].spread(rows)
        if index is not None and offset is not None:
            joint = joint.part(index)
            joint.numbers *= self.agents[agent].counts(rows)[index]
            joint.numbers += offset
        joint.classes[agent] = chosen
        return index, joint

    def _move(
        self, block: Block, joint: Joint, targets: Block, todo: list[tuple[int, Numbers | None]]
    ) -> Iterator[Piece]:
        """Let agents move one after the other; one that comes with its table of allowed classes first chooses."""
        for done, (agent, numbers) in enumerate(todo):
            if numbers is not None:
                index, joint = self._extend(Joint(joint.rows, joint.numbers, {}), agent, numbers)
                targets = targets if index is None else targets[index]
            index, targets = self._moves[agent].moves(block, joint, targets)
            if index is not None:
                joint = joint.part(index)
            most = self._rows
            if len(joint) > 2 * most:
                for start in range(0, len(joint), most):
                    index = np.arange(start, min(len(joint), start + most))
                    yield from self._move(block, joint.part(index), targets[index], todo[done + 1 :])
                return
        yield joint.rows, targets, joint.numbers

    def choices_in(self, block: Block, members: Sequence[int]) -> tuple[Codes, Codes, Codes]:
        """The choices of a group in the states of a block, none where somebody has no action.

        Returns how many choices each state has, and where in the third array its part begins: by the number of a joint action the
        number of the choice, among those of the state, that agrees with it.
        """
        order = (*self._coupled, *self._private)
        counts = [self.agents[agent].counts(self.agents[agent].allowed(block)) for agent in order]
        kinds: Codes = np.zeros(len(block), dtype=np.int64)
        for column in counts:
            if (column != 1).any():
                kinds = np.unique(kinds * (int(column.max()) + 1) + column, return_inverse=True)[1]
        _, first = np.unique(kinds, return_index=True)
        offered: list[int] = []
        tables: list[Codes] = []
        for row in first.tolist():
            sizes = [
                (int(own[row]), agent in members) for own, agent in zip(counts, order, strict=True) if own[row] != 1
            ]
            tables.append(_agreeing(sizes))
            offered.append(prod(size for size, member in sizes if member) if len(tables[-1]) else 0)
        begins = np.cumsum([0, *(len(table) for table in tables[:-1])])
        return np.array(offered, dtype=np.int64)[kinds], begins[kinds], np.concatenate(tables)

    def overflowing(self, block: Block) -> dict[tuple[int, int], Mask]:
        """For each evolution line, as (agent, number), in which states an allowed joint action makes it leave its range."""
        suspects = [
            (agent, part, line, beyond)
            for agent, own in enumerate(self._moves)
            for part in own.parts
            for line, beyond in part.beyond(block)
        ]
        found: dict[tuple[int, int], Mask] = {}
        if not suspects:
            return found
        numbers = [agent.allowed(block) for agent in self.agents]
        everyone = range(len(self.agents))
        for start, stop in _ranges(self._counts(numbers), self.layout.patience.block(_ROWS)):
            tables = [one[start:stop] for one in numbers]
            joint = self._choose(tables, everyone, stop - start)
            for agent, part, line, beyond in suspects:
                rows = start + joint.rows[part.guards.holds(line.guard, block[start:stop], joint)]
                where = found.setdefault((agent, line.number), np.zeros(len(block), dtype=np.bool_))
                where[rows[beyond[rows]]] = True
        return {line: where for line, where in found.items() if where.any()}

    @property
    def may_overflow(self) -> bool:
        """Whether some line might compute a value beyond its target's bounds."""
        return any(part.risky for own in self._moves for part in own.parts)

    def step(self, packed: int) -> list[int]:
        """All steps from one state; raises `TooWide` where they are quicker to find, and to interrupt, all at once."""
        found: dict[int, None] = {}
        allowed = [agent.allowed_in(packed) for agent in self.agents]
        steps = prod(map(len, allowed))
        if steps > _FEW_STEPS:
            raise TooWide
        for joint in product(*allowed):
            options = [agent.changes(packed, tuple([joint[other] for other in agent.listens])) for agent in self._moves]
            for changes in product(*options):
                target = packed
                for change in changes:
                    target ^= change
                found[target] = None
        return list(found)


def _agreeing(sizes: list[tuple[int, bool]]) -> Codes:
    """Given how many choices each agent has, and whether it is a member: for each joint action the number of the members' choice."""
    if not all(size for size, _ in sizes):
        return np.empty(0, dtype=np.int64)
    found: Codes = np.zeros(1, dtype=np.int64)
    for size, member in sizes:
        found = np.add.outer(found * size, np.arange(size)).reshape(-1) if member else np.repeat(found, size)
    return found


def _too_many_steps(count: int) -> OutOfBudget:
    return OutOfBudget(f"a state has 2^{count.bit_length() - 1} joint actions or more, too many to try one by one")


def _ranges(counts: NDArray[np.float64], most: int) -> Iterator[tuple[int, int]]:
    """Cut a row of counts into ranges with a bounded sum each (or a single entry)."""
    total = np.cumsum(counts)
    start = 0
    while start < len(total):
        before = total[start - 1] if start else 0.0
        stop = max(start + 1, int(np.searchsorted(total, before + most, side="right")))
        yield start, stop
        start = stop
