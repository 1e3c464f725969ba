"""Successors in interleaved systems.

What an agent can do depends on its own variables alone, so it is tabulated: for each of its local states met so far, the moves it has for
each action it declares.  An action that several agents share happens where all of them allow it.

A `Label` is one deterministic way in which an action can happen: it names the action and which of its possible moves each
participant makes.  In most models every action has one label.  Moves are stored as exclusive-ors on the packed state.

Note [one order of independent steps].  Actions without a common agent are independent: one does not change whether or how the other can
happen.  A state s that was reached by b from a state one level before need not take a later action a that is independent of b: a can
happen before b as well, and b leads from there to the same state.  Each such exchange replaces the last action by an earlier one, so some
order of the steps is left, and every state is found at its level.  Such an a is *asleep* in s; the fewer are, the more steps are taken.

Note [actions as bits].  Actions are put into groups of 64.  For each group, a local state of an agent has a word whose ones are the actions
that the agent does not stand in the way of; the conjunction over all agents says what can happen.  Actions of few agents come first: they
are independent of most others, and only those of the first group are ever asleep.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.explore import Piece
from epistrat.engines.explicit.growing import Growing
from epistrat.engines.explicit.layout import WORD_BITS, Block, Codes, Layout, Mask, Numbers, Words
from epistrat.engines.explicit.overflow import overflowing_line, risky
from epistrat.engines.explicit.scope import Scope
from epistrat.model.agent import Agent, EvolutionLine
from epistrat.model.state import Joint
from epistrat.model.step import Stepper
from epistrat.records import dataclass, replace
from epistrat.terms import ActionIs, And


@dataclass(frozen=True, slots=True)
class Action:
    """An action name and the agents (by index) that declare it."""

    name: str
    agents: tuple[int, ...]
    joint: Joint


@dataclass(frozen=True, slots=True)
class Label:
    """The action with this index, its k-th participant making the move with number ``choices[k]``."""

    action: int
    choices: tuple[int, ...]


class MoveColumn:
    """One move of one action, by local state: whether there is one, and what it changes."""

    def __init__(self, words: range, rows: int) -> None:
        self._words = words
        self._can: Growing[np.bool_] = Growing(np.bool_, rows)
        self._change: list[Growing[np.uint64]] = [Growing(np.uint64, rows) for _ in words]

    def extend(self, changes: list[int | None]) -> None:
        """Append rows; None stands for "no such move"."""
        self._can.extend([change is not None for change in changes])
        for word, column in zip(self._words, self._change, strict=True):
            column.extend([(change or 0) >> WORD_BITS * word & (1 << WORD_BITS) - 1 for change in changes])

    @property
    def can(self) -> Mask:
        """Where the move exists."""
        return self._can.array

    def changes(self) -> Iterator[tuple[int, NDArray[np.uint64]]]:
        """The words the agent has a part in, each with the exclusive-or that the move makes there."""
        for word, column in zip(self._words, self._change, strict=True):
            yield word, column.array


class LocalMoves:
    """What one agent can do, by the number of its local state; rows are made when a local state is first met."""

    def __init__(
        self, layout: Layout, stepper: Stepper, index: int, actions: tuple[Action, ...], places: Sequence[int]
    ) -> None:
        system = layout.system
        self._layout, self._stepper = layout, stepper
        self._agent: Agent = system.agents[index]
        self._own = [system.position[variable.key] for variable in self._agent.variables]
        self.scope = Scope(layout, self._own)
        self._declared = {a.name: number for number, a in enumerate(actions) if index in a.agents}
        self._trimmed = {number: _trim(self._agent, name) for name, number in self._declared.items()}
        self._risky = {number: risky(agent) for number, agent in self._trimmed.items()}
        self._joints = {number: actions[number].joint for number in self._declared.values()}
        words = [layout.fields[position].word for position in self._own] or [0]
        self._words = range(min(words), max(words) + 1)
        self._numbers: dict[int, int] = {}
        self.locals: list[int] = []
        self.moves: list[dict[int, tuple[int, ...]]] = []
        self.columns: dict[tuple[int, int], MoveColumn] = {}
        self.variants: dict[int, int] = dict.fromkeys(self._declared.values(), 0)
        self.allowed: list[frozenset[int]] = []
        self.overflows: dict[tuple[int, int], int] = {}
        self._bits = {number: 1 << places[number] for number in self._declared.values()}
        self._others = ~sum(self._bits.values())
        groups = sorted({places[number] // WORD_BITS for number in self._bits})
        self.willing: dict[int, Growing[np.uint64]] = {group: Growing(np.uint64) for group in groups}

    def numbers(self, block: Block) -> Numbers:
        """The local state of each state, tabulated."""
        numbers, new = self.scope.number(block)
        if len(new):
            self._tabulate(self._layout.integers(block[new]))
        return numbers

    def number(self, packed: int) -> int:
        """The local state in one state, tabulated."""
        found = self._numbers.get(packed & self.scope.mask)
        if found is None:
            found = int(self.numbers(self._layout.block([packed]))[0])
        return found

    def _tabulate(self, states: list[int]) -> None:
        """Make the rows of new local states, each given by a state in which it occurs."""
        first = len(self.locals)
        for state in states:
            own = state & self.scope.mask
            self._numbers[own] = len(self.locals)
            self.locals.append(own)
            self.moves.append(self._moves(state))
        rows = self.moves[first:]
        words = [self._others | sum(self._bits[action] for action in row) for row in rows]
        for group, column in self.willing.items():
            column.extend([word >> WORD_BITS * group & (1 << WORD_BITS) - 1 for word in words])
        for action in {action for row in rows for action in row}:
            most = max(len(row.get(action, ())) for row in rows)
            for choice in range(self.variants[action], most):
                self.columns[action, choice] = MoveColumn(self._words, first)
            self.variants[action] = max(most, self.variants[action])
        for (action, choice), moved in self.columns.items():
            moved.extend([moves[choice] if choice < len(moves := row.get(action, ())) else None for row in rows])

    def _moves(self, packed: int) -> dict[int, tuple[int, ...]]:
        """What the agent can change in this state, by action."""
        number = len(self.moves)
        state = self._layout.unpack(packed)
        allowed = [self._declared[name] for name in self._stepper.allowed(self._agent, state)]
        self.allowed.append(frozenset(allowed))
        own = packed & self.scope.mask
        row: dict[int, tuple[int, ...]] = {}
        for action in allowed:
            agent, joint = self._trimmed[action], self._joints[action]
            moves = self._stepper.moves(agent, state, joint)
            row[action] = tuple([own ^ self._layout.pack_some(self._own, move) for move in moves])
            line = overflowing_line(self._stepper, self._risky[action], state, joint)
            if line is not None:
                self.overflows[number, action] = 1 + self._agent.evolution.index(line)
        return {action: moves for action, moves in row.items() if moves}


@runtime_checkable
class EventSuccessors(Protocol):
    """Steps of an interleaved system, all of them or enough, by the actions that happen."""

    @property
    def full(self) -> InterleavedSuccessors:
        """All steps."""

    def expand(self, block: Block) -> Iterator[Piece]:
        """The steps from the states of a block, labelled with 1 + the number of the action (see `LOOP`)."""


class InterleavedSuccessors:
    """All steps of an interleaved system."""

    row_work = 0.5
    few = 100

    @property
    def full(self) -> InterleavedSuccessors:
        """All steps."""
        return self

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        system = layout.system
        self.stepper = Stepper(system)
        names = dict.fromkeys(action for agent in system.agents for action in agent.actions)
        self.actions = tuple(_action(layout, name) for name in names)
        order = sorted(range(len(self.actions)), key=lambda number: (len(self.actions[number].agents), number))
        self._places = [place for _, place in sorted(zip(order, range(len(order)), strict=True))]
        indices = range(len(system.agents))
        self.agents = [LocalMoves(layout, self.stepper, index, self.actions, self._places) for index in indices]
        self._sleep = _independent_and_later([self.actions[number] for number in order[:WORD_BITS]])

    def labels(self) -> list[Label]:
        """All labels of the tables as they are now, action by action."""
        found: list[Label] = []
        for number, action in enumerate(self.actions):
            variants = [range(self.agents[agent].variants[number]) for agent in action.agents]
            found += [Label(number, choices) for choices in product(*variants)]
        return found

    def locals(self, block: Block) -> list[Numbers]:
        """Each agent's local states."""
        return [agent.numbers(block) for agent in self.agents]

    def fire(self, label: Label, locals_: list[Numbers], rows: Codes | None = None) -> Codes:
        """The rows (of those given, or of all) in which the label can happen."""
        for agent, choice in zip(self.actions[label.action].agents, label.choices, strict=True):
            can = self.agents[agent].columns[label.action, choice].can
            if rows is None:
                rows = np.flatnonzero(can[locals_[agent]])
            else:
                rows = rows[can[locals_[agent][rows]]]
            if not len(rows):
                break
        assert rows is not None
        return rows

    def apply(self, label: Label, block: Block, locals_: list[Numbers], rows: Codes) -> Block:
        """Where the label leads from these rows, in which it can happen."""
        targets = block[rows]
        for agent, choice in zip(self.actions[label.action].agents, label.choices, strict=True):
            numbers = locals_[agent][rows]
            for word, change in self.agents[agent].columns[label.action, choice].changes():
                targets[:, word] ^= change[numbers]
        return targets

    def expand(self, block: Block) -> Iterator[Piece]:
        """All steps from the states of a block, labelled with 1 + the number of the action (see `LOOP`)."""
        locals_ = self.locals(block)
        for action, rows, targets in self._events(block, locals_, self._possible(locals_)):
            yield rows, targets, 1 + action

    def expand_awake(self, block: Block, asleep: Words) -> tuple[Mask, Iterator[tuple[Block, int]]]:
        """Steps that are enough to find all states level by level; see note [one order of independent steps].

        Returns which states have steps at all; and where steps lead, together with the actions that are asleep there.
        """
        locals_ = self.locals(block)
        possible = self._possible(locals_)
        alive = np.logical_or.reduce([words != 0 for words in possible])
        possible[0] = possible[0] & ~asleep
        return alive, self._awake(block, locals_, possible)

    def _awake(self, block: Block, locals_: list[Numbers], possible: list[Words]) -> Iterator[tuple[Block, int]]:
        for action, _, targets in self._events(block, locals_, possible):
            place = self._places[action]
            yield targets, self._sleep[place] if place < WORD_BITS else 0

    def _possible(self, locals_: list[Numbers]) -> list[Words]:
        """For each state the actions that can happen; see note [actions as bits]."""
        count = len(locals_[0])
        last = (1 << len(self.actions) % WORD_BITS) - 1
        found: list[Words] = []
        for group in range(len(self.actions) // WORD_BITS + 1):
            full = group < len(self.actions) // WORD_BITS
            words = np.full(count, (1 << WORD_BITS) - 1 if full else last, dtype=np.uint64)
            for agent, numbers in zip(self.agents, locals_, strict=True):
                if group in agent.willing:
                    words &= agent.willing[group].array[numbers]
            found.append(words)
        return found

    def _events(
        self, block: Block, locals_: list[Numbers], possible: list[Words]
    ) -> Iterator[tuple[int, Codes, Block]]:
        """The steps by possible actions: the number of the action, the rows they start from, and where they lead."""
        for number, action in enumerate(self.actions):
            group, bit = divmod(self._places[number], WORD_BITS)
            rows = np.flatnonzero((possible[group] & np.uint64(1 << bit)) != 0)
            if not len(rows):
                continue
            variants = [range(self.agents[agent].variants[number]) for agent in action.agents]
            single = all(len(choices) == 1 for choices in variants)
            for choices in product(*variants):
                label = Label(number, choices)
                where = rows if single else self.fire(label, locals_, rows)
                if len(where):
                    yield number, where, self.apply(label, block, locals_, where)

    def step(self, packed: int) -> list[int]:
        """All steps from one state."""
        rows = [agent.moves[agent.number(packed)] for agent in self.agents]
        found: list[int] = []
        for index, row in enumerate(rows):
            for action in row:
                participants = self.actions[action].agents
                if participants[0] != index:
                    continue
                moves = [rows[agent].get(action) for agent in participants]
                if all(moves):
                    found += [packed ^ _combine(chosen) for chosen in product(*[move for move in moves if move])]
        return found

    @property
    def may_overflow(self) -> bool:
        """Whether some line was seen to compute a value beyond its target's bounds, its partners willing or not."""
        return any(agent.overflows for agent in self.agents)

    def overflowing(self, block: Block) -> dict[tuple[int, int], Mask]:
        """For each evolution line, as (agent, number), in which states an action that all allow makes it leave its range."""
        locals_ = self.locals(block)
        found: dict[tuple[int, int], Mask] = {}
        for index, agent in enumerate(self.agents):
            for (local, action), line in agent.overflows.items():
                where = locals_[index] == local
                for other in self.actions[action].agents:
                    may = np.array([action in allowed for allowed in self.agents[other].allowed], dtype=np.bool_)
                    where &= may[locals_[other]]
                if where.any():
                    found[index, line] = found.get((index, line), where) | where
        return found


def _independent_and_later(actions: Sequence[Action]) -> list[int]:
    """For each action the later ones without a common agent, as bits."""
    agents = [frozenset(action.agents) for action in actions]
    count = range(len(actions))
    return [
        sum(1 << later for later in count[place + 1 :] if agents[place].isdisjoint(agents[later])) for place in count
    ]


def _combine(changes: tuple[int, ...]) -> int:
    whole = 0
    for change in changes:
        whole ^= change
    return whole


def _action(layout: Layout, name: str) -> Action:
    takes_part = [name in agent.actions for agent in layout.system.agents]
    joint = tuple([name if part else None for part in takes_part])
    return Action(name, tuple(index for index, part in enumerate(takes_part) if part), joint)


def _trim(agent: Agent, action: str) -> Agent:
    """The agent with only those evolution lines that do not ask for another action: quicker to evaluate, same moves."""
    return replace(agent, evolution=tuple(line for line in agent.evolution if not _excludes(line, agent.name, action)))


def _excludes(line: EvolutionLine, agent: str, action: str) -> bool:
    parts = line.guard.args if isinstance(line.guard, And) else (line.guard,)
    return any(isinstance(part, ActionIs) and part.agent == agent and part.action != action for part in parts)
