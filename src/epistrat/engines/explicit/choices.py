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
from epistrat.model.step import Stepper, permitted
from epistrat.terms import ActionIs, subterms, variables

_ONE_BY_ONE_BELOW = 4  # new combinations that are quicker to look at one by one


class Spans:
    """Ranges of entries in one long row, each beginning where the one before ends."""

    def __init__(self) -> None:
        self._starts: Growing[np.int64] = Growing(np.int64)
        self._lengths: Growing[np.int64] = Growing(np.int64)
        self._end = 0
        self._single = True

    def __len__(self) -> int:
        return len(self._starts)

    def extend(self, lengths: Codes) -> None:
        """Add ranges of these lengths."""
        self._starts.extend(self._end + np.cumsum(lengths) - lengths)
        self._lengths.extend(lengths)
        self._end += int(lengths.sum())
        self._single = self._single and bool((lengths == 1).all())

    def lengths(self, spans: Numbers) -> Codes:
        """How long some ranges are."""
        return self._lengths.array[spans]

    def spread(self, spans: Numbers) -> tuple[Codes | None, Codes | Numbers, Codes | None]:
        """All entries of some ranges: for each the index within ``spans``, the entry, and how many of its range are before it.

        Where every range has one entry, there is nothing to tell but the entries.
        """
        if self._single:
            return None, spans, None
        lengths = self._lengths.array[spans]
        if bool((lengths == 1).all()):
            return None, self._starts.array[spans], None
        index = np.repeat(np.arange(len(spans)), lengths)
        offset = np.arange(len(index)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return index, self._starts.array[spans][index] + offset, offset


class Choices:
    """What one agent may do in a state."""

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
        self._allowed = Spans()
        self._entries: Growing[np.int64] = Growing(np.int64)
        self._allowed_lists: list[tuple[int, ...]] = []
        self._numbers: dict[int, int] = {}
        self.size = 1 + max(classes.values(), default=0)

    def allowed(self, block: Block) -> Numbers:
        """Rows of the table of allowed classes."""
        numbers, new = self._scope.number(block)
        if len(new):
            self._tabulate(block[new])
        return numbers

    def counts(self, numbers: Numbers) -> Codes:
        """How many classes are allowed, by rows of the table."""
        return self._allowed.lengths(numbers)

    def spread(self, numbers: Numbers) -> tuple[Codes | None, Codes, Codes | None]:
        """All allowed classes of the rows: as `Spans.spread`, with the classes for entries."""
        index, entries, offset = self._allowed.spread(numbers)
        return index, self._entries.array[entries], offset

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
            self._entries.extend(classes)
        self._allowed.extend(np.array([len(classes) for classes in found], dtype=np.int64))

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

    def representative(self, code: int) -> str | None:
        """Some action of a class; None for an agent without actions."""
        return self._representatives.get(code)


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
