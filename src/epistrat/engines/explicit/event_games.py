"""What groups can choose in explored states of an interleaved system, as edges from choices to their outcomes.

States in which the members have the same local states offer the group the same choices.  A choice lets some events happen; its outcomes
are those of the steps by these events, or the state itself where none is left (see `epistrat.model.play`).  On a reduced graph the steps
are those that were kept: none of those that stand for others has a member, so every choice leaves them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.blocking import Blockers, Outsider
from epistrat.engines.explicit.edges import Ids, Rows, rows_of
from epistrat.engines.explicit.interleaved import EventSuccessors
from epistrat.engines.explicit.layout import Mask, Numbers
from epistrat.engines.explicit.structure import Explored
from epistrat.logic.formula import Group
from epistrat.model.state import Act, actions_of
from epistrat.model.step import Stepper
from epistrat.model.system import Blocking
from epistrat.records import dataclass

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Table:
    """The choices of a group: their states, their outcomes as edges (ordered by choice), and what each member chooses.

    ``acts[m][c]`` is the number, within ``names[m]``, of what member m chooses in choice c; ``locals[m]`` its local state in each state.
    """

    owners: Ints
    sources: Ints
    targets: Ints
    acts: list[Ints]
    names: list[list[Act | None]]
    locals: list[Numbers]

    def outcomes(self) -> Rows:
        """The outcomes of each choice."""
        return rows_of(len(self.owners), self.sources, self.targets.astype(np.int32))


class Steps:
    """The steps of an explored structure with the events they are by, ordered by event."""

    def __init__(self, structure: Explored) -> None:
        self.structure = structure
        successors, steps = structure.successors, structure.steps
        assert isinstance(successors, EventSuccessors)
        assert steps.labels is not None
        self.full = successors.full
        sources = steps.sources()
        self.by_event: dict[str, tuple[Ids, Ids]] = {}
        for number, action in enumerate(self.full.actions):
            here = np.flatnonzero(steps.labels == 1 + number)
            if len(here):
                self.by_event[action.name] = sources[here], steps.targets[here]
        self.locals = self.full.locals(structure.states.block)
        self.possible: Mask = np.zeros(structure.count, dtype=np.bool_)
        for rows, _ in self.by_event.values():
            self.possible[rows] = True


def choice_table(structure: Explored, group: Group) -> Table:
    """The choices of a group in all explored states."""
    steps = Steps(structure)
    system, stepper = structure.system, Stepper(structure.system)
    members = [index for index, agent in enumerate(system.agents) if agent.name in group.members]
    locals_ = [steps.locals[member] for member in members]
    choosing = [offered(steps, stepper, member) for member in members]
    names: list[dict[Act | None, int]] = [{} for _ in members]
    keys = np.stack([numbers.astype(np.int64) for numbers in locals_], axis=1) if members else None
    if keys is None:
        classes, which = np.zeros((1, 0), dtype=np.int64), np.zeros(structure.count, dtype=np.int64)
    else:
        classes, which = np.unique(keys, axis=0, return_inverse=True)
    parts = _Parts(structure, steps, [system.agents[member].name for member in members])
    order = np.argsort(which.reshape(-1), kind="stable")
    ends = np.cumsum(np.bincount(which.reshape(-1), minlength=len(classes)))
    for number, local in enumerate(classes.tolist()):
        rows = order[ends[number - 1] if number else 0 : ends[number]]
        options = [choosing[place][one] for place, one in enumerate(local)]
        for choice in product(*options):
            structure.budget.check()
            acts = [known.setdefault(act, len(known)) for known, act in zip(names, choice, strict=True)]
            parts.add(rows, choice, acts)
    return parts.table([list(known) for known in names], locals_)


def offered(steps: Steps, stepper: Stepper, member: int) -> list[tuple[Act | None, ...]]:
    """What the member can choose, by its local state."""
    layout, agent = steps.structure.layout, steps.structure.system.agents[member]
    return [stepper.choices(agent, layout.unpack(own)) or (None,) for own in steps.full.agents[member].locals]


class _Parts:
    """A table under construction."""

    def __init__(self, structure: Explored, steps: Steps, members: list[str]) -> None:
        self._structure, self._steps, self._members = structure, steps, members
        self._agents = structure.system.agent
        self._inside: Mask = np.zeros(structure.count, dtype=np.bool_)
        self._number: Ints = np.zeros(structure.count, dtype=np.int64)
        self._owners: list[Ints] = []
        self._sources: list[Ints] = []
        self._targets: list[Ints] = []
        self._acts: list[list[Ints]] = [[] for _ in members]
        self._total = 0

    def add(self, rows: Ints, choice: tuple[Act | None, ...], acts: list[int]) -> None:
        """The same choice in all of these states."""
        self._inside[rows] = True
        self._number[rows] = np.arange(self._total, self._total + len(rows))
        sources, targets = [], []
        left: dict[str, Mask] = {}
        for event, (before, after) in self._steps.by_event.items():
            if self._lets(event, choice):
                here = self._inside[before]
                sources.append(before[here])
                targets.append(after[here])
                left[event] = np.zeros(len(rows), dtype=np.bool_)
                left[event][self._number[sources[-1]] - self._total] = True
        waiting = rows[self._waits(rows, left)]
        from_ = np.concatenate([*sources, waiting])
        numbers = self._number[from_]
        order = np.argsort(numbers, kind="stable")
        self._owners.append(rows)
        self._sources.append(numbers[order])
        self._targets.append(np.concatenate([*targets, waiting])[order])
        for known, act in zip(self._acts, acts, strict=True):
            known.append(np.full(len(rows), act, dtype=np.int64))
        self._total += len(rows)
        self._inside[rows] = False

    def _lets(self, event: str, choice: tuple[Act | None, ...]) -> bool:
        return all(
            event not in self._agents[name].actions or event in actions_of(act)
            for name, act in zip(self._members, choice, strict=True)
        )

    def _waits(self, rows: Ints, left: Mapping[str, Mask]) -> Mask:
        """In which of the states a choice that leaves these events can make the state repeat itself."""
        match self._structure.system.blocking:
            case Blocking.WAIT:
                result: Mask = np.ones(len(rows), dtype=np.bool_)
                for where in left.values():
                    result &= ~where
                return result
            case Blocking.IGNORE:
                return ~self._steps.possible[rows]
            case Blocking.ADVERSARY:
                return self._blockers.can_block(rows, left)

    @cached_property
    def _blockers(self) -> Blockers:
        steps, stepper = self._steps, Stepper(self._structure.system)
        return Blockers(
            [
                Outsider(agent, steps.locals[index], offered(steps, stepper, index))
                for index, agent in enumerate(stepper.system.agents)
                if agent.name not in self._members
            ]
        )

    def table(self, names: list[list[Act | None]], locals_: list[Numbers]) -> Table:
        """The finished table."""
        empty = [np.empty(0, dtype=np.int64)]
        return Table(
            np.concatenate(self._owners or empty).astype(np.int64),
            np.concatenate(self._sources or empty).astype(np.int64),
            np.concatenate(self._targets or empty).astype(np.int64),
            [np.concatenate(one or empty) for one in self._acts],
            names,
            locals_,
        )
