"""How one agent of a synchronous system moves, tabulated by what its evolution reads and hears.

What an agent changes depends on its own variables, on those that its evolution reads, and on the classes of the actions that its guards
mention.  Each combination that is met is looked at once: all lines together, as arrays (`lines`).  An agent that meets nearly as many
combinations as joint actions is better off without a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from epistrat.engines.explicit.choices import Choices, Spans
from epistrat.engines.explicit.edges import Index
from epistrat.engines.explicit.growing import Growing
from epistrat.engines.explicit.layout import Block, Codes, Layout, Numbers
from epistrat.engines.explicit.lines import Alternatives, Joint
from epistrat.engines.explicit.scope import Scope
from epistrat.model.agent import Agent
from epistrat.model.step import Stepper
from epistrat.terms import ActionIs, subterms, variables

_ENTRIES = 1 << 22  # of a table at most
_SMALL = 1 << 16  # combinations from which on it is watched whether a table pays
_REUSE = 4  # times that an entry is used, at least, if it pays


class Moves:
    """What one agent changes, as exclusive-ors on the packed state."""

    def __init__(
        self, layout: Layout, stepper: Stepper, index: int, parts: list[Alternatives], everyone: Sequence[Choices]
    ) -> None:
        system = layout.system
        self._layout, self._stepper, self._everyone = layout, stepper, everyone
        self._agent: Agent = system.agents[index]
        self.parts = parts
        actor = {agent.name: number for number, agent in enumerate(system.agents)}
        self.listens = sorted({actor[agent] for agent in _listens(self._agent)})
        self._own = [system.position[variable.key] for variable in self._agent.variables]
        self._own_mask = layout.mask(self._own)
        read = sorted({*self._own, *(system.position[key] for key in _reads(self._agent))})
        self._read_mask = layout.mask(read)
        self._changes: dict[tuple[int, ...], list[int]] = {}
        self._scope = Scope(layout, read)
        self._heard = [(other, everyone[other].size) for other in self.listens]
        self._per_number = prod(size for _, size in self._heard)
        self._possible = prod(layout.fields[position].domain.last + 1 for position in read) * self._per_number
        self._words = sorted({layout.fields[position].word for position in self._own})
        self._tabled = self._per_number <= _ENTRIES
        self._asked = 0
        self._entries: Growing[np.int32] = Growing(np.int32)
        self._spans = Spans()
        self._bits: list[Growing[np.uint64]] = [Growing(np.uint64) for _ in self._words]

    def moves(self, block: Block, joint: Joint, targets: Block) -> tuple[Codes | None, Block]:
        """All moves: for each the index of its joint action, and the targets, changed by it; None if each joint action has one, in order.

        The targets given may be overwritten.
        """
        if not self.parts:
            return None, targets
        found = self._look_up(block, joint) if self._tabled else None
        if found is None:
            return self._execute(block, joint, targets)
        index, places, _ = self._spans.spread(found)
        if index is not None:
            targets = targets[index]
        for word, bits in zip(self._words, self._bits, strict=True):
            targets[:, word] ^= bits.array[places]
        return index, targets

    def _execute(self, block: Block, joint: Joint, targets: Block) -> tuple[Codes | None, Block]:
        """The same by executing lines."""
        origin: Codes | None = None
        for part in self.parts:
            index, targets = part.moves(block, joint, targets)
            if index is not None:
                joint, origin = joint.part(index), index if origin is None else origin[index]
        return origin, targets

    def _look_up(self, block: Block, joint: Joint) -> Numbers | None:
        """The entries of the table for some joint actions; None if it has become too large to pay."""
        numbers = self._scope.numbers(block)
        room = len(self._scope) * self._per_number
        if room > _ENTRIES:
            self._give_up()
            return None
        if len(self._entries) < room:
            self._entries.extend(np.full(room - len(self._entries), -1, dtype=np.int32))
        keys: Index = numbers[joint.rows]
        for other, size in self._heard:
            keys = keys * size + joint.classes[other]
        found = self._entries.array[keys]
        unknown = np.flatnonzero(found < 0)
        if len(unknown):
            self._tabulate(block, joint, keys, unknown)
            found = self._entries.array[keys]
        self._asked += len(joint)
        small = self._layout.patience.most(_SMALL)
        if self._possible > small and len(self._spans) > small // 4 and len(self._spans) * _REUSE > self._asked:
            self._give_up()
            return None
        return found

    def _give_up(self) -> None:
        self._tabled = False
        self._scope, self._spans = Scope(self._layout, ()), Spans()
        self._entries, self._bits = Growing(np.int32), []

    def _tabulate(self, block: Block, joint: Joint, keys: Index, unknown: Codes) -> None:
        """Make the entries of new combinations."""
        fresh, first = np.unique(keys[unknown], return_index=True)
        rows = unknown[first]
        states = block[joint.rows[rows]]
        some = Joint(np.arange(len(rows)), rows, {other: joint.classes[other][rows] for other in self.listens})
        index, targets = self._execute(states, some, states.copy())
        self._entries.array[fresh] = np.arange(len(self._spans), len(self._spans) + len(fresh), dtype=np.int32)
        if index is None:
            self._spans.extend(np.ones(len(fresh), dtype=np.int64))
        else:
            order = np.argsort(index, kind="stable")
            states, targets = states[index[order]], targets[order]
            self._spans.extend(np.bincount(index, minlength=len(fresh)))
        for word, bits in zip(self._words, self._bits, strict=True):
            bits.extend(states[:, word] ^ targets[:, word])

    def changes(self, packed: int, heard: tuple[int, ...]) -> list[int]:
        """What the agent can change in one state, given the classes of those it listens to."""
        key = (packed & self._read_mask, *heard)
        found = self._changes.get(key)
        if found is None:
            joint: list[str | None] = [None] * len(self._everyone)
            for agent, code in zip(self.listens, heard, strict=True):
                joint[agent] = self._everyone[agent].representative(code)
            moves = self._stepper.moves(self._agent, self._layout.unpack(packed), tuple(joint))
            own = packed & self._own_mask
            found = self._changes[key] = [own ^ self._layout.pack_some(self._own, move) for move in moves]
        return found


def _reads(agent: Agent) -> set[tuple[str, str]]:
    """The variables that the agent's evolution reads."""
    expressions = [line.guard for line in agent.evolution]
    expressions += [assignment.value for line in agent.evolution for assignment in line.assignments]
    return set(variables(*expressions))


def _listens(agent: Agent) -> set[str]:
    """The agents whose actions the agent's evolution mentions."""
    guards = [line.guard for line in agent.evolution]
    return {term.agent for term in subterms(*guards) if isinstance(term, ActionIs)}
