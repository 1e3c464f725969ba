"""What one agent of a synchronous system may do and how it moves, tabulated when first needed.

An agent's *scope* are its own variables and those its lines read.  What it may do depends on the scope; how it moves depends on the scope
and on the actions that its guards mention.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from epistrat.engines.explicit.growing import Growing
from epistrat.engines.explicit.layout import Block, Codes, Layout, Numbers
from epistrat.engines.explicit.overflow import overflowing_line, risky
from epistrat.engines.explicit.scope import Numbering, Scope
from epistrat.model.agent import Agent
from epistrat.model.state import Joint
from epistrat.model.step import Stepper
from epistrat.terms import ActionIs, subterms, variables

_NUMBER_BITS = 31


class Lists:
    """A list of numbers per row, rows appended one by one, as start and length in one long array."""

    def __init__(self) -> None:
        self._starts: Growing[np.int64] = Growing(np.int64)
        self._lengths: Growing[np.int64] = Growing(np.int64)
        self._entries: Growing[np.int64] = Growing(np.int64)

    def append(self, entries: Sequence[int]) -> None:
        """Add a row."""
        self._starts.extend([len(self._entries)])
        self._lengths.extend([len(entries)])
        self._entries.extend(entries)

    def lengths(self, rows: Numbers) -> Codes:
        """How long the rows' lists are."""
        return self._lengths.array[rows]

    def spread(self, rows: Numbers) -> tuple[Codes, Codes]:
        """All entries of the rows' lists: for each the index within ``rows``, and the entry."""
        lengths = self._lengths.array[rows]
        index = np.repeat(np.arange(len(rows)), lengths)
        offset = np.arange(len(index)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return index, self._entries.array[self._starts.array[rows][index] + offset]


class Choices:
    """What one agent may do, and how it moves, by the number of its scope."""

    def __init__(self, layout: Layout, stepper: Stepper, index: int, mentioned: Sequence[frozenset[str]]) -> None:
        system = layout.system
        self._layout, self._stepper, self._index = layout, stepper, index
        self.agent: Agent = system.agents[index]
        self._risky = risky(self.agent)
        self._own = [system.position[variable.key] for variable in self.agent.variables]
        self.scope = Scope(layout, sorted({*self._own, *(system.position[key] for key in _reads(self.agent))}))
        self._own_mask = layout.mask(self._own)
        actor = {agent.name: number for number, agent in enumerate(system.agents)}
        self.listens = sorted({actor[agent] for agent in _listens(self.agent)})
        self._classes = _classes(system.agents[index], mentioned[index])
        self.representatives = {number: action for action, number in reversed(self._classes.items())}
        self._states: list[int] = []
        self.allowed = Lists()
        self.allowed_lists: list[tuple[int, ...]] = []
        self._numbers: dict[int, int] = {}
        self._keys = Numbering(64)
        self._chain: list[Numbering] = []
        self._key_numbers: dict[tuple[int, ...], int] = {}
        self.moves = Lists()
        self.move_lists: list[tuple[int, ...]] = []
        self.results: list[int] = []
        self._result_numbers: dict[int, int] = {}
        self.results_block: Growing[np.uint64] = Growing(np.uint64)
        self.overflows: dict[int, int] = {}

    def locals(self, block: Block) -> Numbers:
        """Scope numbers, tabulated."""
        numbers, new = self.scope.number(block)
        if len(new):
            for packed in self._layout.integers(block[new]):
                self._allow(packed)
        return numbers

    def local(self, packed: int) -> int:
        """The scope number of one state, tabulated."""
        found = self._numbers.get(packed & self.scope.mask)
        if found is None:
            found = int(self.locals(self._layout.block([packed]))[0])
        return found

    def _allow(self, packed: int) -> None:
        self._numbers[packed & self.scope.mask] = len(self._states)
        self._states.append(packed)
        names = self._stepper.allowed(self.agent, self._layout.unpack(packed))
        classes = tuple(dict.fromkeys(self._classes[name] for name in names)) if self.agent.actions else (0,)
        self.allowed_lists.append(classes)
        self.allowed.append(classes)

    def move_rows(self, locals_: Numbers, heard: Sequence[Codes], everyone: Sequence[Choices]) -> Numbers:
        """Row numbers of the move table, by scope number and the classes of those listened to."""
        keys = locals_.astype(np.int64)
        bound = 1 << _NUMBER_BITS
        chain = iter(self._chain)
        for agent, codes in zip(self.listens, heard, strict=True):
            radix = everyone[agent].class_count
            if bound * radix > 1 << 62:
                numbering = next(chain, None)
                if numbering is None:
                    numbering = Numbering(64)
                    self._chain.append(numbering)
                keys = numbering.number(keys.astype(np.uint64))[0].astype(np.int64)
                bound = 1 << _NUMBER_BITS
            keys = keys * radix + codes
            bound *= radix
        numbers, new = self._keys.number(keys.astype(np.uint64))
        for row in new:
            key = (int(locals_[row]), *(int(codes[row]) for codes in heard))
            self._key_numbers[key] = len(self.move_lists)
            self._move(key[0], key[1:], everyone)
        return numbers

    def move_row(self, local: int, heard: Sequence[int], everyone: Sequence[Choices]) -> int:
        """The row number for one scope number and the classes of those listened to."""
        found = self._key_numbers.get((local, *heard))
        if found is None:
            codes = [np.array([code], dtype=np.int64) for code in heard]
            found = int(self.move_rows(np.array([local], dtype=np.int32), codes, everyone)[0])
        return found

    def _move(self, local: int, heard: Sequence[int], everyone: Sequence[Choices]) -> None:
        joint: list[str | None] = [None] * len(everyone)
        for agent, code in zip(self.listens, heard, strict=True):
            joint[agent] = everyone[agent].representatives.get(code)
        packed = self._states[local]
        state = self._layout.unpack(packed)
        own = packed & self._own_mask
        whole: Joint = tuple(joint)
        moves = self._stepper.moves(self.agent, state, whole)
        changes = [own ^ self._layout.pack_some(self._own, move) for move in moves]
        row = tuple([self._result(change) for change in changes])
        line = overflowing_line(self._stepper, self._risky, state, whole)
        if line is not None:
            self.overflows[len(self.move_lists)] = 1 + self.agent.evolution.index(line)
        self.move_lists.append(row)
        self.moves.append(row)

    def _result(self, change: int) -> int:
        """The number of an exclusive-or on the packed state."""
        found = self._result_numbers.get(change)
        if found is None:
            found = self._result_numbers[change] = len(self.results)
            self.results.append(change)
            self.results_block.extend(self._layout.split(change))
        return found

    @property
    def change_table(self) -> Block:
        """The exclusive-ors by number."""
        return self.results_block.array.reshape(-1, self._layout.words)

    @property
    def class_count(self) -> int:
        """How many classes of actions there are."""
        return max(1, len(self.representatives))


def _reads(agent: Agent) -> set[tuple[str, str]]:
    """The variables that the agent's protocol and evolution read."""
    expressions = [line.condition for line in agent.protocol]
    for line in agent.evolution:
        expressions += [line.guard, *(assignment.value for assignment in line.assignments)]
    return set(variables(*expressions))


def _listens(agent: Agent) -> set[str]:
    """The agents whose actions the agent's evolution mentions."""
    guards = [line.guard for line in agent.evolution]
    return {term.agent for term in subterms(*guards) if isinstance(term, ActionIs)}


def _classes(agent: Agent, mentioned: frozenset[str]) -> dict[str, int]:
    """Each action's class: mentioned actions have one each, all others share one."""
    classes: dict[str, int] = {}
    others: int | None = None
    count = 0
    for action in agent.actions:
        if action in mentioned or others is None:
            classes[action] = count
            if action not in mentioned:
                others = count
            count += 1
        else:
            classes[action] = others
    return classes
