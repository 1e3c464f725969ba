"""States, joint actions and local views, as plain tuples.

A `State` holds one value per variable, in the order of ``System.variables``.  A `Joint` action of a synchronous system
holds one action per agent, in the order of ``System.agents``, None for an agent that has no actions.  In an interleaved
system a joint action is the name of the one action that happens: every agent that declares it holds it, all others None.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TypeAlias

from epistrat.model.system import System
from epistrat.terms import Value

State: TypeAlias = tuple[Value, ...]
Act: TypeAlias = str | tuple[str, ...]
"""What an agent chooses: an action; in an interleaved system also several, of which whichever comes may happen."""
Joint: TypeAlias = tuple[str | None, ...]
View: TypeAlias = tuple[Value, ...]


def view(system: System, agent: str, state: State) -> View:
    """The agent's local state: what it sees of the state."""
    return tuple([state[index] for index in system.views[agent]])


def indistinguishable(system: System, agent: str, one: State, other: State) -> bool:
    """Whether two states look the same to the agent."""
    return all(one[index] == other[index] for index in system.views[agent])


def alike_pairs(system: System, states: Sequence[State], most: int) -> dict[tuple[int, int], tuple[str, ...]]:
    """Pairs of states, by number, that look the same to somebody, and to whom; raises OverflowError beyond so many."""
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    for agent in system.views:
        alike: dict[View, list[int]] = {}
        for number, state in enumerate(states):
            alike.setdefault(view(system, agent, state), []).append(number)
        for numbers in alike.values():
            for pair in combinations(numbers, 2):
                found[pair] = (*found.get(pair, ()), agent)
                if len(found) > most:
                    raise OverflowError(f"more than {most:,} pairs of states look the same to somebody")
    return found


def actions_of(act: Act | None) -> tuple[str, ...]:
    """The actions that a choice allows; None allows none."""
    return () if act is None else (act,) if isinstance(act, str) else act


def show_act(act: Act) -> str:
    """A choice in words: an action, or all the actions that it allows."""
    return act if isinstance(act, str) else " or ".join(act)


def idle(system: System) -> Joint:
    """The joint action in which nobody acts: the self-loop at an interleaved dead end, and a step in which a group waits."""
    return (None,) * len(system.agents)
