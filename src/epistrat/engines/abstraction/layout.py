"""Which decision diagram variable stands for what: finite variables, predicates, actions, choices, changes of ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from epistrat.engines.abstraction.choices import Unit, actors_in, domains_of
from epistrat.engines.abstraction.cone import Cone
from epistrat.engines.abstraction.enumerate import Rank
from epistrat.engines.abstraction.predicates import Predicate, is_numeric
from epistrat.model.agent import Agent
from epistrat.model.system import System
from epistrat.records import dataclass, field
from epistrat.terms import Boolean, Domain, Enumeration, Key, Value, variables

_HUB = 3  # an agent with fewer followers is no hub

STEP = "<step>"
"""The agent whose action is the name that happens in an interleaved step; its action None repeats a dead end."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Number variables that are related by predicates, right-hand sides or ranks, with these predicates and ranks."""

    keys: frozenset[Key]
    predicates: tuple[Predicate, ...]
    ranks: tuple[Rank, ...]


@dataclass
class AbstractLayout:
    """The bits of an abstraction.  Of a pair, the first bit is of the present and the second of the next state.

    The changes of a rank (that it falls; that it does not rise) are kept as if the next state remembered them.
    """

    finite: dict[Key, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    predicates: dict[Predicate, tuple[int, int]] = field(default_factory=dict)
    actions: dict[str, tuple[int, ...]] = field(default_factory=dict)
    names: dict[str, tuple[str | None, ...]] = field(default_factory=dict)
    choices: list[tuple[int, ...]] = field(default_factory=list)
    changes: dict[Rank, tuple[tuple[int, int], tuple[int, int]]] = field(default_factory=dict)
    clusters: list[Cluster] = field(default_factory=list)
    count: int = 0

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """All pairs of state bits."""
        return (*(pair for pairs in self.finite.values() for pair in pairs), *self.predicates.values())

    @property
    def change_pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs that remember the changes of ranks."""
        return tuple(pair for pairs in self.changes.values() for pair in pairs)

    def take(self) -> int:
        """A new bit."""
        self.count += 1
        return self.count - 1

    def field_of(self, count: int) -> tuple[int, ...]:
        """Bits for so many values."""
        return tuple(self.take() for _ in range((count - 1).bit_length()))

    def pair(self) -> tuple[int, int]:
        """New bits of the present and the next state."""
        return self.take(), self.take()


def values_of(domain: Domain) -> Sequence[Value]:
    """The values of a domain that is kept in bits."""
    return tuple(domain) if isinstance(domain, (Boolean, Enumeration)) else ()


def clusters_of(
    domains: Mapping[Key, Domain], units: Iterable[Unit], predicates: Sequence[Predicate], ranks: Sequence[Rank]
) -> list[Cluster]:
    """The number variables by what relates them."""
    parent = {key: key for key, domain in domains.items() if is_numeric(domain)}

    def root(key: Key) -> Key:
        while parent[key] != key:
            parent[key] = key = parent[parent[key]]
        return key

    def join(keys: Iterable[Key]) -> None:
        roots = [root(key) for key in keys if key in parent]
        for other in roots[1:]:
            parent[root(other)] = root(roots[0])

    for predicate in predicates:
        join(predicate.keys)
    for rank in ranks:
        join(rank.keys)
    for unit in units:
        for alternative in unit.alternatives:
            for key, value in alternative.assignments:
                if key in parent:
                    join((key, *variables(value)))
    members: dict[Key, list[Key]] = {}
    for key in parent:
        members.setdefault(root(key), []).append(key)
    found = []
    for keys in members.values():
        inside = frozenset(keys)
        own = tuple(predicate for predicate in predicates if predicate.keys & inside)
        if own or any(rank.keys & inside for rank in ranks):
            found.append(Cluster(inside, own, tuple(rank for rank in ranks if rank.keys & inside)))
    return found


def lay_out(cone: Cone, predicates: Sequence[Predicate], ranks: Sequence[Rank]) -> AbstractLayout:
    """Bits agent by agent: action, choices, finite variables, then the clusters that start with this agent."""
    layout = AbstractLayout()
    system, units = cone.system, cone.units
    domains = {key: domain for key, domain in domains_of(system).items() if key in cone.keys}
    layout.clusters = clusters_of(domains, units, predicates, ranks)
    waiting = list(layout.clusters)
    layout.choices = [()] * len(units)
    if system.interleaved:
        happening = dict.fromkeys(action for agent in system.agents for action in agent.actions)
        layout.names[STEP] = (*happening, None)
        layout.actions[STEP] = layout.field_of(len(happening) + 1)
    for agent in hubs_first(system):
        if agent.actions and not system.interleaved and agent.name in cone.actors:
            layout.names[agent.name] = agent.actions
            layout.actions[agent.name] = layout.field_of(len(agent.actions))
        for index, unit in enumerate(units):
            if unit.agent == agent:
                layout.choices[index] = layout.field_of(len(unit.alternatives) + 1)
        for variable in agent.variables:
            if variable.key in cone.keys and not is_numeric(variable.domain):
                width = (len(values_of(variable.domain)) - 1).bit_length()
                layout.finite[variable.key] = tuple(layout.pair() for _ in range(width))
        own = {variable.key for variable in agent.variables}
        for cluster in [cluster for cluster in waiting if cluster.keys & own]:
            waiting.remove(cluster)
            for rank in cluster.ranks:
                layout.changes[rank] = layout.pair(), layout.pair()
            for predicate in cluster.predicates:
                layout.predicates[predicate] = layout.pair()
    return layout


def hubs_first(system: System) -> list[Agent]:
    """The agents as they are written, but first those whose actions or variables many others depend on."""
    followers: dict[str, set[str]] = {agent.name: set() for agent in system.agents}
    for agent in system.agents:
        for line in agent.evolution:
            guard = (line.guard, *(assignment.value for assignment in line.assignments))
            for name in (*actors_in(*guard), *(owner for owner, _ in variables(*guard))):
                followers[name].add(agent.name)
    counts = sorted(len(names) for names in followers.values())
    usual = counts[len(counts) // 2]
    hubs = [agent for agent in system.agents if len(followers[agent.name]) > max(_HUB, 2 * usual)]
    return [*hubs, *(agent for agent in system.agents if agent not in hubs)]
