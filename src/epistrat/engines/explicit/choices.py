"""What one agent of a synchronous system may do, tabulated by what its protocol reads.

Actions that no evolution guard of anybody mentions are one *class*: it does not matter which of them is done, so they are counted as one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from epistrat.engines.explicit.conditions import VectorConditions
from epistrat.engines.explicit.growing import Growing
from epistrat.engines.explicit.layout import Block, Codes, Layout, Numbers
from epistrat.engines.explicit.scope import Scope
from epistrat.model.agent import Agent
from epistrat.model.state import Joint
from epistrat.model.step import Stepper, permitted
from epistrat.terms import ActionIs, subterms, variables

_ONE_BY_ONE_BELOW = 4  # new combinations that are quicker to look at one by one


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
    """What one agent may do in a state; and, for single states, how it moves."""

    def __init__(
        self, layout: Layout, stepper: Stepper, index: int, classes: dict[str, int], conditions: VectorConditions
    ) -> None:
        system = layout.system
        self._vector = conditions
        self._patterns: dict[bytes, tuple[int, ...]] = {}
        position = system.position
        self._layout, self._stepper = layout, stepper
        self.agent: Agent = system.agents[index]
        self.classes = classes
        self._representatives = {number: action for action, number in reversed(classes.items())}
        read = variables(*(line.condition for line in self.agent.protocol))
        self._scope = Scope(layout, sorted(position[key] for key in read))
        self._allowed = Lists()
        self._allowed_lists: list[tuple[int, ...]] = []
        self._numbers: dict[int, int] = {}
        actor = {agent.name: number for number, agent in enumerate(system.agents)}
        self.listens = sorted({actor[agent] for agent in _listens(self.agent)})
        self._own = [position[variable.key] for variable in self.agent.variables]
        self._own_mask = layout.mask(self._own)
        self._read_mask = self._own_mask | layout.mask(position[key] for key in _reads(self.agent))
        self._moves: dict[tuple[int, ...], list[int]] = {}

    def allowed(self, block: Block) -> Numbers:
        """Rows of the table of allowed classes."""
        numbers, new = self._scope.number(block)
        if len(new):
            self._tabulate(block[new])
        return numbers

    def counts(self, numbers: Numbers) -> Codes:
        """How many classes are allowed, by rows of the table."""
        return self._allowed.lengths(numbers)

    def spread(self, numbers: Numbers) -> tuple[Codes, Codes]:
        """All allowed classes of the rows: for each the index within ``numbers``, and the class."""
        return self._allowed.spread(numbers)

    def allowed_in(self, packed: int) -> tuple[int, ...]:
        """The classes allowed in one state."""
        number = self._numbers.get(packed & self._scope.mask)
        if number is None:
            number = int(self.allowed(self._layout.block([packed]))[0])
        return self._allowed_lists[number]

    def _tabulate(self, block: Block) -> None:
        """Make the rows of new combinations, each given by a state in which it occurs."""
        states = self._layout.integers(block)
        if len(states) < self._layout.patience.most(_ONE_BY_ONE_BELOW):
            found = [self._by_definition(packed) for packed in states]
        else:
            found = self._by_lines(block)
            assert not self._layout.patience.self_checks or found == [self._by_definition(one) for one in states]
        for packed, classes in zip(states, found, strict=True):
            self._numbers[packed & self._scope.mask] = len(self._allowed_lists)
            self._allowed_lists.append(classes)
            self._allowed.append(classes)

    def _by_lines(self, block: Block) -> list[tuple[int, ...]]:
        """The classes allowed in each state, by which lines of the protocol apply: few combinations of lines ever do together."""
        lines = np.empty((len(block), len(self.agent.protocol)), dtype=np.bool_)
        for number, line in enumerate(self.agent.protocol):
            lines[:, number] = self._vector.holds(line.condition, block)
        found: list[tuple[int, ...]] = []
        for row in lines:
            pattern = row.tobytes()
            if pattern not in self._patterns:
                self._patterns[pattern] = self._classes_of(permitted(self.agent, row.tolist()))
            found.append(self._patterns[pattern])
        return found

    def _by_definition(self, packed: int) -> tuple[int, ...]:
        """The classes allowed in one state."""
        return self._classes_of(self._stepper.allowed(self.agent, self._layout.unpack(packed)))

    def _classes_of(self, names: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self.classes[name] for name in names)) if self.agent.actions else (0,)

    def moves(self, packed: int, heard: tuple[int, ...], everyone: Sequence[Choices]) -> list[int]:
        """What the agent can change in one state, given the classes of those it listens to, as exclusive-ors."""
        key = (packed & self._read_mask, *heard)
        found = self._moves.get(key)
        if found is None:
            joint: list[str | None] = [None] * len(everyone)
            for agent, code in zip(self.listens, heard, strict=True):
                joint[agent] = everyone[agent].representative(code)
            found = self._moves[key] = self._changes(packed, tuple(joint))
        return found

    def _changes(self, packed: int, joint: Joint) -> list[int]:
        own = packed & self._own_mask
        moves = self._stepper.moves(self.agent, self._layout.unpack(packed), joint)
        return [own ^ self._layout.pack_some(self._own, move) for move in moves]

    def representative(self, code: int) -> str | None:
        """Some action of a class; None for an agent without actions."""
        return self._representatives.get(code)


def _reads(agent: Agent) -> set[tuple[str, str]]:
    """The variables that the agent's evolution reads."""
    expressions = [line.guard for line in agent.evolution]
    expressions += [assignment.value for line in agent.evolution for assignment in line.assignments]
    return set(variables(*expressions))


def _listens(agent: Agent) -> set[str]:
    """The agents whose actions the agent's evolution mentions."""
    guards = [line.guard for line in agent.evolution]
    return {term.agent for term in subterms(*guards) if isinstance(term, ActionIs)}


def action_classes(agents: Sequence[Agent]) -> list[dict[str, int]]:
    """For each agent its actions' classes: those that some evolution guard mentions have one each, all others share one."""
    guards = [line.guard for agent in agents for line in agent.evolution]
    mentioned = {(term.agent, term.action) for term in subterms(*guards) if isinstance(term, ActionIs)}
    return [_classes(agent, mentioned) for agent in agents]


def _classes(agent: Agent, mentioned: set[tuple[str, str]]) -> dict[str, int]:
    classes: dict[str, int] = {}
    others: int | None = None
    count = 0
    for action in agent.actions:
        alone = (agent.name, action) in mentioned
        if not alone and others is not None:
            classes[action] = others
            continue
        classes[action] = count
        if not alone:
            others = count
        count += 1
    return classes
