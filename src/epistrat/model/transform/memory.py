"""Strategies with a few states of memory as a model transformation: each player carries a variable that its own actions set.

A player gets a variable ``memory`` from 0 to N - 1, and for each of its actions a one for every value m: to do a and go on with m.  Nobody
else sees the variable, and nothing else depends on it.  A uniform strategy without memory of the new system is one with N states of memory
of the old one: in memory q, seeing v, it does act(q, v) and goes on to new(q, v).

Which memory a strategy begins with makes no difference: its values have no meaning but that which the strategy gives them, so a strategy
for one beginning becomes one for another by exchanging names.  Where states are compared (knowledge, strategies read subjectively), every
state must come with every memory: then the memory is ``free`` at first.  Else it is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from epistrat.model.agent import Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from epistrat.model.system import Semantics, System
from epistrat.model.transform import fresh
from epistrat.records import dataclass, replace
from epistrat.terms import TRUE, Bounded, Expr, Terms
from epistrat.terms.substitute import substitute

MOST_STATES = 64
"""Of memory: each is an action more for every action."""


@dataclass(frozen=True, slots=True)
class StrategyMemory:
    """What is asked for: strategies of these agents have so many states of memory."""

    states: int
    agents: tuple[str, ...]
    free: bool = False

    def of(self, system: System) -> System:
        """The system whose strategies without memory are those."""
        return with_memory(system, self)


def with_memory(system: System, memory: StrategyMemory) -> System:
    """The system in which the players remember by themselves; agents that have no choice need no memory."""
    assert not system.interleaved, "in an interleaved system not every step is one of a player"
    players = [one for one in system.agents if one.name in memory.agents and len(one.actions) > 1]
    if memory.states < 2 or not players:
        return system
    terms = Terms()
    pairs = {one.name: _pairs(one, memory.states) for one in players}
    does: dict[Expr, Expr] = {
        terms.action(name, action): terms.disjunction([terms.action(name, new) for new in found])
        for name, of_agent in pairs.items()
        for action, found in of_agent.items()
    }
    agents = [_acting(one, does, terms) for one in system.agents]
    agents = [_remembering(system, one, pairs[one.name], terms) if one.name in pairs else one for one in agents]
    initial = [system.initial]
    if not memory.free:
        added = [one.variables[-1].reference for one in agents if one.name in pairs]
        initial += [terms.compare("=", one, terms.number(0)) for one in added]
    return replace(system, agents=tuple(agents), initial=terms.conjunction(initial))


def _pairs(agent: Agent, states: int) -> dict[str, list[str]]:
    """For each action those that do it and go on with memory 0, 1, ..."""
    found: dict[str, list[str]] = {}
    taken = set(agent.actions)
    for action in agent.actions:
        found[action] = [fresh(f"{action}_then_{number}", taken) for number in range(states)]
        taken.update(found[action])
    return found


def _acting(agent: Agent, does: Mapping[Expr, Expr], terms: Terms) -> Agent:
    """The agent, whose lines test what players do whatever they remember."""
    lines = tuple([replace(line, guard=substitute(terms, line.guard, does)) for line in agent.evolution])
    return replace(agent, evolution=lines)


def _remembering(system: System, agent: Agent, pairs: Mapping[str, Sequence[str]], terms: Terms) -> Agent:
    states = len(next(iter(pairs.values())))
    name = fresh("memory", [one.name for one in agent.variables])

    def both(actions: Sequence[str]) -> tuple[str, ...]:
        return tuple([new for action in actions for new in pairs[action]])

    return replace(
        agent,
        variables=(*agent.variables, Variable(agent.name, name, Bounded(0, states - 1))),
        actions=both(agent.actions),
        protocol=tuple([ProtocolLine(line.condition, both(line.actions)) for line in agent.protocol]),
        other=None if agent.other is None else both(agent.other),
        evolution=tuple(_lines(system, agent, name, pairs, terms)),
    )


def _lines(
    system: System, agent: Agent, name: str, pairs: Mapping[str, Sequence[str]], terms: Terms
) -> Iterator[EvolutionLine]:
    """The lines of the agent, which set the memory as well."""
    single = system.semantics is Semantics.SINGLE
    if single:
        yield from agent.evolution
    states = len(next(iter(pairs.values())))
    moved = TRUE if single else terms.negate(terms.disjunction(line.guard for line in agent.evolution))
    for number in range(states):
        update = Assignment(name, terms.number(number))
        here = terms.disjunction([terms.action(agent.name, new[number]) for new in pairs.values()])
        if not single:
            for line in agent.evolution:
                yield EvolutionLine((*line.assignments, update), terms.conjunction((line.guard, here)))
        yield EvolutionLine((update,), terms.conjunction((moved, here)))
