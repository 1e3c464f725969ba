"""Successors in synchronous systems.

Every agent with actions chooses an allowed one, then all move at once.  In a block of states, first all joint actions are laid out
as rows, then agent after agent executes its evolution lines in all rows together (`lines`).  An agent whose actions nobody else's
guards mention, and whose guards mention nobody else's, chooses and moves only after all others (`private`), so that rows do not
multiply before they must.  Rows are made in pieces of bounded size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.choices import Choices, action_classes
from epistrat.engines.explicit.conditions import VectorConditions
from epistrat.engines.explicit.layout import Block, Codes, Layout, Mask, Numbers
from epistrat.engines.explicit.lines import Guards, Joint, parts
from epistrat.model.step import Stepper
from epistrat.solvers.budget import OutOfBudget

Piece = tuple[Codes, Block]

_ROWS = 1 << 19  # handled at once where there are few lines: arrays of 4 MB
_FEWEST_ROWS = 1 << 17  # however many lines there are: fewer would be more calls than work
_MOST_STEPS = 1 << 26  # from one state, before they are compared


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
        self._parts = [parts(layout, guards, stepper.evaluator, agent) for agent in agents]
        heard = {other for index, one in enumerate(self.agents) for other in one.listens if other != index}
        private = [i for i, one in enumerate(self.agents) if i not in heard and set(one.listens) <= {i}]
        self._private = private
        self._coupled = [index for index in range(len(agents)) if index not in private]
        count = sum(len(agent.evolution) for agent in agents)
        self.row_work = count / 16
        self._rows = layout.patience.block(max(_FEWEST_ROWS, _ROWS * 16 // max(16, count)))

    def expand(self, block: Block) -> Iterator[Piece]:
        """All steps from the states of a block: the rows they start from, and where they lead."""
        numbers = [agent.allowed(block) for agent in self.agents]
        counts = self._counts(numbers, range(len(self.agents)))
        if counts.max(initial=0) > _MOST_STEPS:
            raise _too_many_steps(int(counts.max()))
        for start, stop in _ranges(counts, self._rows):
            part = block[start:stop]
            tables = [one[start:stop] for one in numbers]
            joint = Joint(np.arange(len(part)), {})
            _, joint = self._choose(tables, self._coupled, joint)
            todo: list[tuple[int, Numbers | None]] = [(index, None) for index in self._coupled]
            todo += [(index, tables[index]) for index in self._private]
            for rows, targets in self._move(part, joint, part[joint.rows], todo):
                yield rows + start, targets

    def _counts(self, numbers: list[Numbers], agents: Sequence[int]) -> NDArray[np.float64]:
        """How many joint actions each state has."""
        counts = np.ones(len(numbers[0]), dtype=np.float64)
        for agent in agents:
            counts *= self.agents[agent].counts(numbers[agent])
        return counts

    def _choose(self, numbers: list[Numbers], agents: Sequence[int], joint: Joint) -> tuple[Codes, Joint]:
        """Extend joint actions by the choices of further agents; also tells which one each extends."""
        origin: Codes = np.arange(len(joint))
        for agent in agents:
            index, chosen = self.agents[agent].spread(numbers[agent][joint.rows])
            origin, joint = origin[index], joint.part(index)
            joint.classes[agent] = chosen
        return origin, joint

    def _move(
        self, block: Block, joint: Joint, targets: Block, todo: list[tuple[int, Numbers | None]]
    ) -> Iterator[Piece]:
        """Let agents move one after the other; one that comes with its table of allowed classes first chooses."""
        for done, (agent, numbers) in enumerate(todo):
            if numbers is not None:
                index, chosen = self.agents[agent].spread(numbers[joint.rows])
                joint, targets = Joint(joint.rows[index], {agent: chosen}), targets[index]
            for part in self._parts[agent]:
                index, targets = part.moves(block, joint, targets)
                joint = joint.part(index)
            most = self._rows
            if len(joint) > 2 * most:
                for start in range(0, len(joint), most):
                    index = np.arange(start, min(len(joint), start + most))
                    yield from self._move(block, joint.part(index), targets[index], todo[done + 1 :])
                return
        yield joint.rows, targets

    def expand_choices(self, block: Block, members: Sequence[int]) -> Iterator[tuple[Codes, Codes, Block]]:
        """The choices of a group in the states of a block.

        Yields the row of each choice; and for each outcome the choice it belongs to (counted from 0 in this piece) and its state.
        Choices that no choice of the others completes to a joint action are left out.
        """
        numbers = [agent.allowed(block) for agent in self.agents]
        everyone = range(len(self.agents))
        others = [agent for agent in everyone if agent not in members]
        for start, stop in _ranges(self._counts(numbers, everyone), self.layout.patience.block(_ROWS)):
            part = block[start:stop]
            tables = [one[start:stop] for one in numbers]
            _, chosen = self._choose(tables, members, Joint(np.arange(len(part)), {}))
            origin, joint = self._choose(tables, others, chosen)
            real, choice = np.unique(origin, return_inverse=True)
            targets = part[joint.rows]
            for agent in everyone:
                for one in self._parts[agent]:
                    index, targets = one.moves(part, joint, targets)
                    joint, choice = joint.part(index), choice[index]
            yield chosen.rows[real] + start, choice, targets

    def overflowing(self, block: Block) -> dict[tuple[int, int], Mask]:
        """For each evolution line, as (agent, number), in which states an allowed joint action makes it leave its range."""
        suspects = [
            (agent, part, line, beyond)
            for agent, own in enumerate(self._parts)
            for part in own
            for line, beyond in part.beyond(block)
        ]
        found: dict[tuple[int, int], Mask] = {}
        if not suspects:
            return found
        numbers = [agent.allowed(block) for agent in self.agents]
        everyone = range(len(self.agents))
        for start, stop in _ranges(self._counts(numbers, everyone), self.layout.patience.block(_ROWS)):
            tables = [one[start:stop] for one in numbers]
            _, joint = self._choose(tables, everyone, Joint(np.arange(stop - start), {}))
            for agent, part, line, beyond in suspects:
                rows = start + joint.rows[part.guards.holds(line.guard, block[start:stop], joint)]
                where = found.setdefault((agent, line.number), np.zeros(len(block), dtype=np.bool_))
                where[rows[beyond[rows]]] = True
        return {line: where for line, where in found.items() if where.any()}

    @property
    def may_overflow(self) -> bool:
        """Whether some line might compute a value beyond its target's bounds."""
        return any(part.risky for own in self._parts for part in own)

    def step(self, packed: int) -> list[int]:
        """All steps from one state."""
        found: dict[int, None] = {}
        allowed = [agent.allowed_in(packed) for agent in self.agents]
        steps = prod(map(len, allowed))
        if steps > _MOST_STEPS:
            raise _too_many_steps(steps)
        for joint in product(*allowed):
            options = [
                agent.moves(packed, tuple([joint[other] for other in agent.listens]), self.agents)
                for agent in self.agents
            ]
            for changes in product(*options):
                target = packed
                for change in changes:
                    target ^= change
                found[target] = None
        return list(found)


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
