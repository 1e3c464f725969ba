"""What the rules of a system read and write: for reduction, partitioning, slicing and warnings."""

from __future__ import annotations

from dataclasses import dataclass, field

from epistrat.model.agent import Agent, EvolutionLine
from epistrat.model.system import System
from epistrat.terms import ActionIs, And, Expr, subterms, variables

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Footprint:
    """Variables read and written, as (owner, name); actions tested, as (agent, action)."""

    reads: frozenset[Key] = frozenset()
    writes: frozenset[Key] = frozenset()
    actions: frozenset[Key] = frozenset()

    def __or__(self, other: Footprint) -> Footprint:
        return Footprint(self.reads | other.reads, self.writes | other.writes, self.actions | other.actions)

    def touches(self, other: Footprint) -> bool:
        """Whether one of the two writes what the other reads or writes."""
        return bool(self.writes & (other.reads | other.writes) or other.writes & self.reads)


def actions_tested(*conditions: Expr) -> frozenset[Key]:
    """The (agent, action) pairs that the conditions ask about."""
    return frozenset((term.agent, term.action) for term in subterms(*conditions) if isinstance(term, ActionIs))


def evolution_footprint(agent: Agent, line: EvolutionLine) -> Footprint:
    """What one evolution line reads (guard and right-hand sides), writes, and which actions its guard tests."""
    sources = [line.guard, *(assignment.value for assignment in line.assignments)]
    written = frozenset((agent.name, assignment.target) for assignment in line.assignments)
    return Footprint(variables(*sources), written, actions_tested(line.guard))


def protocol_footprint(agent: Agent) -> Footprint:
    """What the agent's protocol reads."""
    return Footprint(variables(*(line.condition for line in agent.protocol)))


@dataclass(frozen=True)
class Locality:
    """The footprints of all rules of a system, by agent; evolution lines in the order in which they are written."""

    system: System
    protocol: dict[str, Footprint] = field(init=False)
    lines: dict[str, tuple[Footprint, ...]] = field(init=False)

    def __post_init__(self) -> None:
        agents = self.system.agents
        object.__setattr__(self, "protocol", {agent.name: protocol_footprint(agent) for agent in agents})
        lines = {agent.name: tuple(evolution_footprint(agent, line) for line in agent.evolution) for agent in agents}
        object.__setattr__(self, "lines", lines)

    def of_agent(self, name: str) -> Footprint:
        """Everything the agent's rules read and write."""
        whole = self.protocol[name]
        for line in self.lines[name]:
            whole |= line
        return whole

    def of_action(self, action: str) -> Footprint:
        """What an interleaved step by this action may read and write: protocols and lines of its participants.

        A line counts unless its guard can only hold under other actions of the agent, as a conjunct ``Action = other`` shows.
        """
        whole = Footprint()
        for agent in self.system.agents:
            if action in agent.actions:
                whole |= self.protocol[agent.name]
                for line, footprint in zip(agent.evolution, self.lines[agent.name], strict=True):
                    if demanded_action(agent, line) in (None, action):
                        whole |= footprint
        return whole

    @property
    def participants(self) -> dict[str, tuple[str, ...]]:
        """The agents that declare each action name, in the system's order."""
        names = dict.fromkeys(action for agent in self.system.agents for action in agent.actions)
        return {name: tuple(agent.name for agent in self.system.agents if name in agent.actions) for name in names}

    @property
    def never_written(self) -> frozenset[Key]:
        """Variables that no line assigns: they keep their initial values."""
        written = {key for lines in self.lines.values() for line in lines for key in line.writes}
        return frozenset(self.system.position) - written


def demanded_action(agent: Agent, line: EvolutionLine) -> str | None:
    """The agent's own action that the guard demands as a conjunct, if it does."""
    conjuncts = line.guard.args if isinstance(line.guard, And) else (line.guard,)
    for conjunct in conjuncts:
        if isinstance(conjunct, ActionIs) and conjunct.agent == agent.name:
            return conjunct.action
    return None
