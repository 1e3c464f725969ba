"""Who is called what: the declarations of a program as tables, from its syntax or from a finished system."""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.model.agent import ENVIRONMENT
from epistrat.model.system import System
from epistrat.records import dataclass, field
from epistrat.terms import Domain


@dataclass(slots=True)
class AgentNames:
    """What one agent declares."""

    name: str
    variables: dict[str, Domain] = field(default_factory=dict)
    public: set[str] = field(default_factory=set)
    observes: dict[str, None] = field(default_factory=dict)
    actions: dict[str, None] = field(default_factory=dict)
    declared: dict[str, int] = field(default_factory=dict)  # where each variable's name stands
    unclear: set[str] = field(default_factory=set)  # variables whose types could not be read
    vague: bool = False  # the actions could not be read

    @property
    def known(self) -> list[str]:
        """All its variables, those with a type that could not be read too."""
        return [*self.variables, *sorted(self.unclear)]

    @property
    def variables_in_words(self) -> str:
        """Which variables it has, as a message says it."""
        return f"its variables are {listing(self.known)}" if self.known else "it has no variables"

    def sees(self, environment: AgentNames, name: str) -> bool:
        """Whether the agent sees this variable of the Environment."""
        return self is environment or name in environment.public or name in self.observes


@dataclass(slots=True)
class Names:
    """What a program declares."""

    agents: dict[str, AgentNames] = field(default_factory=dict)
    propositions: dict[str, None] = field(default_factory=dict)
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    interleaved: bool = False

    @property
    def environment(self) -> AgentNames:
        """The Environment; an empty one if the program writes none."""
        return self.agents.get(ENVIRONMENT) or AgentNames(ENVIRONMENT)

    def is_agent(self, name: str) -> bool:
        """Whether there is such an agent; the Environment always exists, except in interleaved systems."""
        return name in self.agents or (name == ENVIRONMENT and not self.interleaved)

    def owners(self, variable: str) -> list[str]:
        """The agents that have a variable of this name."""
        return [agent.name for agent in self.agents.values() if variable in agent.variables]

    @staticmethod
    def of(system: System) -> Names:
        """The names of a finished system."""
        names = Names(interleaved=system.interleaved)
        for agent in system.agents:
            names.agents[agent.name] = AgentNames(
                agent.name,
                {variable.name: variable.domain for variable in agent.variables},
                {variable.name for variable in agent.variables if variable.public},
                dict.fromkeys(agent.observes),
                dict.fromkeys(agent.actions),
            )
        names.propositions = dict.fromkeys(system.propositions)
        names.groups = dict(system.groups)
        return names


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that the name was probably meant to be."""
    from difflib import get_close_matches

    known = list(candidates)
    for candidate in known:
        if candidate.lower() == name.lower():
            return candidate
    found = get_close_matches(name, known, 1, 0.7)
    return found[0] if found else None


def listing(names: Iterable[str]) -> str:
    """Some names, as a message lists them."""
    known = list(names)
    return ", ".join(known[:8]) + (", ..." if len(known) > 8 else "")
