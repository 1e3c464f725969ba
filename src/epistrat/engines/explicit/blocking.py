"""Whether agents outside a group can block what its choices leave (blocking `adversary`), for many states at once.

They can if they have choices, one each, that together leave none of the events.  An event that an agent outside has in all its choices, or
that nobody outside takes part in, is not blocked by it; most states have such an event, and are decided by tables over local states.
The others are decided one by one, states in which the same events are left and the agents have the same local states together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.layout import Mask, Numbers
from epistrat.model.agent import Agent
from epistrat.model.state import Act, actions_of

Ints = NDArray[np.int64]


class Outsider:
    """An agent outside the group: its local state in each state, and what it can choose in each local state."""

    def __init__(self, agent: Agent, numbers: Numbers, choices: Sequence[tuple[Act | None, ...]]) -> None:
        self.events = frozenset(agent.actions)
        self.locals = numbers
        self.choices = [tuple(frozenset(actions_of(act)) for act in acts) for acts in choices]


class Blockers:
    """The agents outside a group."""

    def __init__(self, outside: Sequence[Outsider]) -> None:
        self._outside = outside
        self._known: dict[tuple[frozenset[str], tuple[tuple[Outsider, int], ...]], bool] = {}

    def can_block(self, rows: Ints, left: Mapping[str, Mask]) -> Mask:
        """In which of the states all that is left can be blocked; ``left`` says for each event in which of them it is left."""
        result: Mask = np.ones(len(rows), dtype=np.bool_)
        for event, where in left.items():
            result &= ~(where & self._certain(event, rows))
        some: Mask = np.zeros(len(rows), dtype=np.bool_)
        for where in left.values():
            some |= where
        concerned = [one for one in self._outside if not one.events.isdisjoint(left)]
        for place in np.flatnonzero(result & some).tolist():
            events = frozenset(event for event, where in left.items() if where[place])
            result[place] = self._blocked(events, [(one, int(one.locals[rows[place]])) for one in concerned])
        return result

    def _certain(self, event: str, rows: Ints) -> Mask:
        """In which of the states nobody outside can choose to do without the event."""
        result: Mask = np.ones(len(rows), dtype=np.bool_)
        for one in self._outside:
            if event in one.events:
                always = np.array(
                    [all(event in choice for choice in choices) for choices in one.choices], dtype=np.bool_
                )
                result &= always[one.locals[rows]]
        return result

    def _blocked(self, events: frozenset[str], agents: Sequence[tuple[Outsider, int]]) -> bool:
        key = (events, tuple(agents))  # with whose local states they are: other events concern other agents
        if key not in self._known:
            remaining = {events}
            for one, local in agents:
                remaining = {
                    frozenset(event for event in some if event not in one.events or event in choice)
                    for some in remaining
                    for choice in one.choices[local]
                }
            self._known[key] = frozenset() in remaining
        return self._known[key]
