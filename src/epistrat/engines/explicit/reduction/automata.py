"""The agents as automata of their own: every local state that can be reached if the partners always agree.

Reduction argues about what an agent might do later, so it needs the whole local automaton, not only the part met so far.  It is
an over-approximation of what the agent does in the system, and finite.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.interleaved import InterleavedSuccessors, Label, LocalMoves
from epistrat.engines.explicit.layout import Block
from epistrat.solvers.patience import PATIENT, Patience


class NotReducible(Exception):
    """Reduction cannot be tried; the message says why, in a user's words."""


class Automata:
    """For each agent and label the local state it leads to, by local state; -1 where the agent does not allow it."""

    def __init__(
        self, successors: InterleavedSuccessors, initial: Iterable[Block], patience: Patience = PATIENT
    ) -> None:
        self.successors = successors
        for block in initial:
            successors.locals(block)
        for index, agent in enumerate(successors.agents):
            _close(agent, successors.layout.system.agents[index].name, patience.local_states)
        self.labels: list[Label] = successors.labels()
        if len(self.labels) > patience.labels:
            raise NotReducible(f"there are {len(self.labels)} different steps, too many to compare with each other")
        self.sizes = [len(agent.locals) for agent in successors.agents]
        self.next: list[dict[int, NDArray[np.int32]]] = [{} for _ in successors.agents]
        for number, label in enumerate(self.labels):
            for taking_part, choice in zip(self.participants(label), label.choices, strict=True):
                moves = successors.agents[taking_part]
                self.next[taking_part][number] = _column(moves, label.action, choice)

    def participants(self, label: Label) -> tuple[int, ...]:
        """The agents that take part."""
        return self.successors.actions[label.action].agents


def _close(agent: LocalMoves, name: str, most: int) -> None:
    """Tabulate every local state that can follow those known."""
    done = 0
    while done < len(agent.locals):
        if len(agent.locals) > most:
            raise NotReducible(f"{name} has more than {most:,} local states")
        own = agent.locals[done]
        for changes in list(agent.moves[done].values()):
            for change in changes:
                agent.number(own ^ change)
        done += 1


def _column(agent: LocalMoves, action: int, choice: int) -> NDArray[np.int32]:
    """Where one move of one action leads, by local state."""
    found = np.full(len(agent.locals), -1, dtype=np.int32)
    for local, moves in enumerate(agent.moves):
        changes = moves.get(action, ())
        if choice < len(changes):
            found[local] = agent.number(agent.locals[local] ^ changes[choice])
    return found
