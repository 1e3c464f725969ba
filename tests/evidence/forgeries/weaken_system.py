"""Premises of the system: initial states, guards, protocols, domains, what agents see, fairness, blocking."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.evidence.forgeries.case import Case
from tests.evidence.forgeries.weaken import TERMS, of_system, without_one

from epistrat.logic import formula as logic
from epistrat.model.agent import Agent
from epistrat.model.system import Blocking, System
from epistrat.records import replace
from epistrat.terms import TRUE, And, Bounded, Domain, Integer

# The system


def _in(case: Case, system: System) -> Case | None:
    return None if system == case.system else Case(system, case.certificate, case.source)


def _on_agent(rng: random.Random, case: Case, change: Callable[[Agent], Agent]) -> Case | None:
    agents = list(case.system.agents)
    place = rng.randrange(len(agents))
    agents[place] = change(agents[place])
    return _in(case, replace(case.system, agents=tuple(agents)))


@of_system
def there_are_more_initial_states(rng: random.Random, case: Case) -> Case | None:
    fewer = without_one(rng, case.system.initial, And)
    return None if fewer is None else _in(case, replace(case.system, initial=fewer))


@of_system
def a_guard_is_dropped(rng: random.Random, case: Case) -> Case | None:
    def change(agent: Agent) -> Agent:
        if not agent.evolution:
            return agent
        place = rng.randrange(len(agent.evolution))
        guard = without_one(rng, agent.evolution[place].guard, And) or TRUE
        line = replace(agent.evolution[place], guard=guard)
        return replace(agent, evolution=(*agent.evolution[:place], line, *agent.evolution[place + 1 :]))

    return _on_agent(rng, case, change)


@of_system
def a_protocol_allows_more(rng: random.Random, case: Case) -> Case | None:
    def change(agent: Agent) -> Agent:
        if not agent.protocol and agent.other is None:
            return agent
        return replace(agent, protocol=(), other=agent.actions, other_choices=())

    return _on_agent(rng, case, change)


@of_system
def a_protocol_allows_less(rng: random.Random, case: Case) -> Case | None:
    """A line is left out, so that an agent may be without any action."""

    def change(agent: Agent) -> Agent:
        if agent.other is not None and (not agent.protocol or rng.random() < 0.5):
            return replace(agent, other=None, other_choices=()) if agent.protocol else agent
        place = rng.randrange(len(agent.protocol)) if agent.protocol else 0
        rest = (*agent.protocol[:place], *agent.protocol[place + 1 :])
        return replace(agent, protocol=rest) if rest or agent.other is not None else agent

    return _on_agent(rng, case, change)


@of_system
def a_domain_is_wider(rng: random.Random, case: Case) -> Case | None:
    def change(agent: Agent) -> Agent:
        bounded = [one for one in agent.variables if isinstance(one.domain, Bounded)]
        if not bounded:
            return agent
        one = rng.choice(bounded)
        assert isinstance(one.domain, Bounded)
        domain: Domain = rng.choice((Integer(), Bounded(one.domain.low - 1, one.domain.high + 1)))
        wider = [replace(other, domain=domain) if other == one else other for other in agent.variables]
        return replace(agent, variables=tuple(wider))

    return _on_agent(rng, case, change)


@of_system
def an_agent_sees_less(rng: random.Random, case: Case) -> Case | None:
    def change(agent: Agent) -> Agent:
        hidden = tuple(replace(one, public=False) for one in agent.variables)
        return replace(agent, observes=(), variables=hidden)

    return _on_agent(rng, case, change)


@of_system
def only_fair_runs_count(rng: random.Random, case: Case) -> Case | None:
    if case.system.fairness:
        return None
    condition = logic.Truth(False) if rng.random() < 0.5 else logic.Test(case.system.initial)
    return _in(case, replace(case.system, fairness=(condition,)))


@of_system
def others_may_block(rng: random.Random, case: Case) -> Case | None:
    return _in(case, replace(case.system, blocking=Blocking.ADVERSARY)) if case.system.interleaved else None


@of_system
def there_are_fewer_initial_states(rng: random.Random, case: Case) -> Case | None:
    """The state of the tree is none of them, or no longer the only one."""
    one = rng.choice(case.system.variables)
    here = TERMS.equals(one.reference, case.tree.state[case.system.position[one.key]])
    other = TERMS.conjunction((case.system.initial, TERMS.negate(here)))
    return _in(case, replace(case.system, initial=other))


@of_system
def an_agent_sees_more(rng: random.Random, case: Case) -> Case | None:
    """Somebody sees everything that the Environment has."""

    def change(agent: Agent) -> Agent:
        shown = tuple(replace(one, public=True) for one in agent.variables)
        return replace(agent, variables=shown) if agent.is_environment else agent

    return _on_agent(rng, case, change)


@of_system
def an_assignment_is_lost(rng: random.Random, case: Case) -> Case | None:
    def change(agent: Agent) -> Agent:
        if not agent.evolution:
            return agent
        place = rng.randrange(len(agent.evolution))
        return replace(agent, evolution=(*agent.evolution[:place], *agent.evolution[place + 1 :]))

    return _on_agent(rng, case, change)
