"""Decisions of a group, made one by one, and the steps that they leave on the explored states of an interleaved system.

A decision fixes one choice for a local state of a member.  A state is *decided* if every member that has several choices there has decided;
then its steps are those by events which all members let happen, or a step to itself where none is left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np

from epistrat.engines.explicit.edges import Index
from epistrat.engines.explicit.event_games import Ints, Steps, offered
from epistrat.engines.explicit.graph import Graph, from_edges
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.structure import Explored
from epistrat.evidence import UniformStrategy
from epistrat.logic.formula import Finally, Formula, Globally, Group, Next, Until
from epistrat.model.state import Act, View, actions_of, view
from epistrat.model.step import Stepper
from epistrat.records import dataclass
from epistrat.solvers.budget import Budget

Decisions = Mapping[tuple[int, int], int]
"""For a member and its local state (by number): the number of what it chooses there."""


@dataclass
class Left:
    """What decisions leave: where all is decided, and the steps from there with their events (-1 for waiting)."""

    decided: Mask
    sources: Ints
    targets: Ints
    events: Ints
    budget: Budget

    @cached_property
    def graph(self) -> Graph:
        """The steps."""
        nowhere = np.empty(0, dtype=np.int32)
        return from_edges(len(self.decided), self.sources, self.targets.astype(np.int32), nowhere, self.budget)

    def reach(self, starts: Mask, through: Mask) -> Mask:
        """The states that steps from states of ``through`` lead to, beginning with the given ones."""
        found, rows = starts.copy(), self.graph.forward
        frontier: Index = np.flatnonzero(starts & through)
        while len(frontier):
            self.budget.check()
            following = rows.of(frontier)
            fresh = np.unique(following[~found[following]])
            found[fresh] = True
            frontier = fresh[through[fresh]]
        return found


class Deciding:
    """The choices of a group on explored states."""

    def __init__(self, structure: Explored, group: Group) -> None:
        self._structure, self.budget, self.count = structure, structure.budget, structure.count
        self._group = group
        system, steps = structure.system, Steps(structure)
        members = [index for index, agent in enumerate(system.agents) if agent.name in group.members]
        stepper = Stepper(system)
        self.options = [offered(steps, stepper, member) for member in members]
        self.locals: list[Ints] = [steps.locals[member].astype(np.int64) for member in members]
        self.event_names = list(steps.by_event)
        pairs = list(steps.by_event.values())
        empty = [np.empty(0, dtype=np.int64)]
        self._sources: Ints = np.concatenate([before for before, _ in pairs] or empty)
        self._targets: Ints = np.concatenate([after for _, after in pairs] or empty)
        self._events: Ints = np.repeat(np.arange(len(pairs)), [len(before) for before, _ in pairs])
        self._lets = [self._letting(system.agents[m].actions, o) for m, o in zip(members, self.options, strict=True)]

    def _letting(self, declared: Sequence[str], options: list[tuple[Act | None, ...]]) -> list[list[Mask]]:
        """By local state and choice: which events the member lets happen."""

        def row(act: Act | None) -> Mask:
            chosen = actions_of(act)
            return np.array([name not in declared or name in chosen for name in self.event_names], dtype=np.bool_)

        return [[row(act) for act in acts] for acts in options]

    def left(self, decisions: Decisions) -> Left:
        """What the decisions leave."""
        decided: Mask = np.ones(self.count, dtype=np.bool_)
        keep: Mask = np.ones(len(self._sources), dtype=np.bool_)
        for member, lets in enumerate(self._lets):
            here = self.locals[member]
            chosen = [decisions.get((member, local), 0 if len(rows) == 1 else -1) for local, rows in enumerate(lets)]
            decided &= np.array([act >= 0 for act in chosen], dtype=np.bool_)[here]
            table = np.array([rows[max(act, 0)] for act, rows in zip(chosen, lets, strict=True)], dtype=np.bool_)
            keep &= table.reshape(len(lets), -1)[here[self._sources], self._events]
        keep &= decided[self._sources]
        waiting = decided.copy()
        waiting[self._sources[keep]] = False
        still = np.flatnonzero(waiting)
        return Left(
            decided,
            np.concatenate((self._sources[keep], still)),
            np.concatenate((self._targets[keep], still)),
            np.concatenate((self._events[keep], np.full(len(still), -1))),
            self.budget,
        )

    def open_in(self, states: Mask, decisions: Decisions) -> tuple[tuple[int, int], range] | None:
        """A local state of a member in one of the states about which nothing is decided, and what can be chosen there."""
        for member, options in enumerate(self.options):
            for local in np.unique(self.locals[member][states]).tolist():
                if len(options[local]) > 1 and (member, local) not in decisions:
                    return (member, local), range(len(options[local]))
        return None

    def completed(self, decisions: Decisions) -> Decisions:
        """The decisions, and the first choice wherever nothing is decided."""
        every = {(m, local): 0 for m, here in enumerate(self.locals) for local in np.unique(here).tolist()}
        return {**every, **decisions}

    def as_strategy(self, decisions: Decisions) -> UniformStrategy:
        """The decisions as a strategy."""
        complete = self.completed(decisions)
        return strategy_of(
            self._structure,
            self._group,
            self.locals,
            lambda member, local: self.options[member][local][complete[member, local]],
        )


def strategy_of(
    structure: Explored, group: Group, locals_: Sequence[Index], chosen: Callable[[int, int], Act | None]
) -> UniformStrategy:
    """A strategy that says what to choose in every local state that was met, given by member and local state."""
    system, tables = structure.system, []
    members = [agent.name for agent in system.agents if agent.name in group.members]
    for member, name in enumerate(members):
        states, first = np.unique(locals_[member], return_index=True)
        rows: list[tuple[View, Act]] = []
        for local, node in zip(states.tolist(), first.tolist(), strict=True):
            act = chosen(member, local)
            if act is not None:
                rows.append((view(system, name, structure.state(node)), act))
        if rows:
            tables.append((name, tuple(rows)))
    return UniformStrategy(group, tuple(tables))


def phases(goal: Formula, parts: list[Mask]) -> tuple[Mask, Mask]:
    """Where nothing has to be done any more, and where the operator is violated for good; for X after one step."""
    nowhere: Mask = np.zeros(len(parts[0]), dtype=np.bool_)
    match goal:
        case Finally():
            return parts[0], nowhere
        case Until():
            return parts[1], ~parts[0] & ~parts[1]
        case Globally() | Next():
            return nowhere, ~parts[0]
        case _:
            raise AssertionError(f"not an objective: {goal}")
