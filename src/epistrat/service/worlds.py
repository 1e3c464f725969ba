"""What agents consider possible along a run: the worlds of a Kripke model, moment by moment, and which world became which.

A world of a moment is a reachable state that somebody cannot rule out, or cannot rule out that somebody else cannot rule out, and so on:
what is joined to the actual state by look-alikes.  A world that no step leads from into the worlds of the next moment is ruled out.
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.model.agent import ENVIRONMENT
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.terms import Value

MOST_WORLDS = 128
"""More could not be told apart on a page."""


@dataclass(frozen=True)
class Worlds:
    """The worlds of a moment, the actual one first; ``origin[i]``: from which world of the moment before world i came, if from any.

    ``more``: there are others, which are left out.
    """

    states: tuple[State, ...]
    origin: tuple[int | None, ...]
    more: bool


def observers(system: System) -> list[str]:
    """Who considers something possible: all agents that see anything, but the Environment."""
    return [name for name in system.views if name != ENVIRONMENT]


def worlds(system: System, reachable: Sequence[State], run: Sequence[State]) -> list[Worlds]:
    """The worlds of each moment of a run."""
    index = _Views(system, reachable)
    stepper = Stepper(system)
    found: list[Worlds] = []
    before: tuple[State, ...] = ()
    for actual in run:
        states, more = index.joined_to(actual)
        sources: dict[State, int] = {}
        if found:
            sources[actual] = 0
            wanted = set(states)
            for number, state in enumerate(before):
                for step in stepper.steps(state):
                    if step.target in wanted:
                        sources.setdefault(step.target, number)
        found.append(Worlds(states, tuple([sources.get(state) for state in states]), more))
        before = states
    return found


class _Views:
    """Which states look the same to whom."""

    def __init__(self, system: System, reachable: Sequence[State]) -> None:
        self._views = [system.views[name] for name in observers(system)]
        self._alike: dict[tuple[int, tuple[Value, ...]], list[State]] = {}
        for state in reachable:
            for key in self._keys(state):
                self._alike.setdefault(key, []).append(state)

    def _keys(self, state: State) -> list[tuple[int, tuple[Value, ...]]]:
        return [(place, tuple([state[index] for index in view])) for place, view in enumerate(self._views)]

    def joined_to(self, actual: State) -> tuple[tuple[State, ...], bool]:
        """The states that are joined to this one by look-alikes, itself first, and whether there are more than may be shown."""
        found = {actual: None}
        asked: set[tuple[int, tuple[Value, ...]]] = set()
        pending = [actual]
        while pending:
            for key in self._keys(pending.pop(0)):
                if key in asked:
                    continue
                asked.add(key)
                for state in self._alike.get(key, ()):
                    if state not in found:
                        if len(found) == MOST_WORLDS:
                            return tuple(found), True
                        found[state] = None
                        pending.append(state)
        return tuple(found), False
