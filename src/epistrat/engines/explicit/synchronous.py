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

from epistrat.engines.explicit.growing import Growing
from epistrat.engines.explicit.layout import Block, Codes, Layout, Mask, Numbers
from epistrat.engines.explicit.overflow import overflowing_line, risky
from epistrat.engines.explicit.scope import Numbering, Scope
from epistrat.model.agent import Agent
from epistrat.model.state import Joint
from epistrat.model.step import Stepper
from epistrat.terms import ActionIs, subterms, variables

Piece = tuple[Codes, Block]

_ROWS = 1 << 20
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
        if not len(locals_[0]):
            return
        counts = np.ones(len(locals_[0]), dtype=np.float64)
        for agent in agents:
            counts *= self.agents[agent].allowed.lengths(locals_[agent])
        total = np.cumsum(counts)
        start = 0
        while start < len(total):
            before = total[start - 1] if start else 0.0
            stop = max(start + 1, int(np.searchsorted(total, before + _ROWS, side="right")))
            yield start, stop
            start = stop

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
        index: Codes = np.arange(len(rows))
        tables = [(i, self.agents[i].moves, self.move_rows(i, locals_, rows, classes)) for i in self._coupled]
        own = [(i, self._own_lists[i], self._own_rows(i, locals_[i])[rows]) for i in self._private]
        for start in range(0, len(index), _ROWS):
            chosen = index[start : start + _ROWS]
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


def _mentioned(agents: Sequence[Agent]) -> list[frozenset[str]]:
    """For each agent, which of its actions some evolution guard mentions."""
    guards = [line.guard for agent in agents for line in agent.evolution]
    pairs = {(term.agent, term.action) for term in subterms(*guards) if isinstance(term, ActionIs)}
    return [frozenset(action for action in agent.actions if (agent.name, action) in pairs) for agent in agents]


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
