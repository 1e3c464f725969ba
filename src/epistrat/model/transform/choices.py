"""The same interleaved system with other choices for strategies: what can happen stays as it is, what can be chosen changes.

*Single*: every allowed action is a choice of its own.  *Sets*: every non-empty set of actions that are allowed together is one.
"""

from __future__ import annotations

from enum import Enum
from itertools import combinations

from epistrat.model.agent import Agent, ProtocolLine, choices_among
from epistrat.model.alternatives import allowed_where
from epistrat.model.system import Blocking, Scheduling, System
from epistrat.records import dataclass, replace
from epistrat.terms import FALSE, Terms

MOST_ACTIONS = 10


class Choosing(Enum):
    """What the choices of an agent in an interleaved system are."""

    WRITTEN = "written"
    SINGLE = "single"
    SETS = "sets"


@dataclass(frozen=True, slots=True)
class PlayRules:
    """How strategies of an interleaved system are played: see `Choosing` and `epistrat.model.play`."""

    choosing: Choosing = Choosing.WRITTEN
    blocking: Blocking = Blocking.WAIT
    scheduling: Scheduling = Scheduling.ANY

    def of(self, system: System) -> System:
        """The system played by these rules; a synchronous one is as it was."""
        if not system.interleaved:
            return system
        return replace(with_choices(system, self.choosing), blocking=self.blocking, scheduling=self.scheduling)

    def words(self) -> dict[str, str]:
        """The rules that are not the usual ones, by name."""
        usual = PlayRules()
        named = {"choices": self.choosing, "blocking": self.blocking, "scheduling": self.scheduling}
        others = {"choices": usual.choosing, "blocking": usual.blocking, "scheduling": usual.scheduling}
        return {name: rule.value for name, rule in named.items() if rule is not others[name]}


USUAL = PlayRules()


class TooManySets(ValueError):
    """An agent has so many actions that its sets of actions cannot be listed."""


def with_choices(system: System, choosing: Choosing) -> System:
    """The system with choices of this kind; a synchronous one is as it was."""
    if choosing is Choosing.WRITTEN or not system.interleaved:
        return system
    change = _single if choosing is Choosing.SINGLE else _sets
    return replace(system, agents=tuple(change(agent) for agent in system.agents))


def _single(agent: Agent) -> Agent:
    lines = tuple(replace(line, choices=()) for line in agent.protocol)
    return replace(agent, protocol=lines, other_choices=())


def _sets(agent: Agent) -> Agent:
    """One line for each set: where all its actions are allowed."""
    if len(agent.actions) > MOST_ACTIONS:
        raise TooManySets(f"{agent.name} has {len(agent.actions)} actions, too many to choose among all sets of them")
    terms = Terms()
    where = allowed_where(terms, agent)
    lines = []
    for size in range(1, len(agent.actions) + 1):
        for some in combinations(agent.actions, size):
            condition = terms.conjunction(where[action] for action in some)
            if condition != FALSE:
                lines.append(ProtocolLine(condition, some, choices_among(agent.actions, [some])))
    return replace(agent, protocol=tuple(lines), other=None, other_choices=())
