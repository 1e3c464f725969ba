"""States, joint actions and local views, as plain tuples.

A `State` holds one value per variable, in the order of ``System.variables``.  A `Joint` action of a synchronous system
holds one action per agent, in the order of ``System.agents``, None for an agent that has no actions.  In an interleaved
system a joint action is the name of the one action that happens: every agent that declares it holds it, all others None.
"""

from __future__ import annotations

from typing import TypeAlias

from epistrat.model.system import System
from epistrat.terms import Value

State: TypeAlias = tuple[Value, ...]
Joint: TypeAlias = tuple[str | None, ...]
View: TypeAlias = tuple[Value, ...]


def view(system: System, agent: str, state: State) -> View:
    """The agent's local state: what it sees of the state."""
    return tuple([state[index] for index in system.views[agent]])


def indistinguishable(system: System, agent: str, one: State, other: State) -> bool:
    """Whether two states look the same to the agent."""
    return all(one[index] == other[index] for index in system.views[agent])


def idle(system: System) -> Joint:
    """The joint action in which nobody acts: the label of the self-loop at an interleaved dead end."""
    return (None,) * len(system.agents)
