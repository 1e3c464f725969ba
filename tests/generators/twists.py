"""Changes to a random system that give it a property on purpose: more initial states, overflows, dead ends, and so on.

Each takes a source of chance and a synchronous or interleaved system, and returns a system of the same kind.
"""

from __future__ import annotations

import random
from dataclasses import replace

from tests.generators.formulae import random_formula

from epistrat.model.agent import (
    ENVIRONMENT,
    Agent,
    Assignment,
    ChoiceList,
    EvolutionLine,
    ProtocolLine,
    Variable,
    choices_among,
)
from epistrat.model.system import Blocking, Scheduling, System
from epistrat.terms import TRUE, Boolean, Bounded, Enumeration, Expr, Terms


def several_initial_states(rng: random.Random, system: System) -> System:
    """Another state is initial too."""
    terms = Terms()
    variable = rng.choice(system.variables)
    others = [
        terms.compare("=", one.reference, _literal(rng, terms, one)) for one in system.variables if one != variable
    ]
    other = terms.conjunction([*others, _spread(rng, terms, variable)])
    return replace(system, initial=terms.disjunction((system.initial, other)))


def _spread(rng: random.Random, terms: Terms, variable: Variable) -> Expr:
    """Two values of the variable."""
    return terms.disjunction([terms.compare("=", variable.reference, _literal(rng, terms, variable)) for _ in range(2)])


def _literal(rng: random.Random, terms: Terms, variable: Variable) -> Expr:
    match variable.domain:
        case Boolean():
            return terms.boolean(rng.random() < 0.5)
        case Enumeration(values):
            return terms.name(rng.choice(values))
        case Bounded(low, high):
            return terms.number(rng.randint(low, high))
        case _:
            return terms.number(rng.randint(0, 1))


def _changed(system: System, agent: Agent, **changes: object) -> System:
    new = replace(agent, **changes)  # type: ignore[arg-type]
    return replace(system, agents=tuple([new if one.name == agent.name else one for one in system.agents]))


def overflow(rng: random.Random, system: System) -> System:
    """One agent can count beyond the range of a variable."""
    terms = Terms()
    agent = rng.choice(system.agents)
    count = Variable(agent.name, "count", Bounded(0, rng.choice((0, 1, 1))))
    step = terms.arith("+", count.reference, terms.number(rng.choice((1, 1, 2))))
    guard = terms.action(agent.name, rng.choice(agent.actions)) if agent.actions and rng.random() < 0.8 else TRUE
    line = EvolutionLine((Assignment("count", step),), guard)
    grown = _changed(system, agent, variables=(*agent.variables, count), evolution=(*agent.evolution, line))
    return replace(
        grown, initial=terms.conjunction((system.initial, terms.compare("=", count.reference, terms.number(0))))
    )


def dead_ends(rng: random.Random, system: System) -> System:
    """One agent may do nothing at all in some of its local states."""
    acting = [agent for agent in system.agents if agent.actions]
    if not acting:
        return system
    agent = rng.choice(acting)
    terms = Terms()
    variable = rng.choice(agent.variables)
    condition = terms.compare("=", variable.reference, _literal(rng, terms, variable))
    return _changed(system, agent, protocol=(ProtocolLine(condition, agent.actions),), other=None)


def free_choices(rng: random.Random, system: System) -> System:
    """Most agents may do anything anywhere."""
    agents = [
        replace(agent, protocol=(), other=agent.actions) if agent.actions and rng.random() < 0.8 else agent
        for agent in system.agents
    ]
    return replace(system, agents=tuple(agents))


def frozen_variable(rng: random.Random, system: System) -> System:
    """One agent has a variable that never changes; lines that assign it give it the value it has."""
    terms = Terms()
    agent = rng.choice(system.agents)
    fixed = Variable(agent.name, "fixed", Boolean())
    one = terms.boolean(True)
    lines = [
        EvolutionLine((Assignment("fixed", fixed.reference),), _guard(rng, terms, agent)),
        EvolutionLine((Assignment("fixed", one),), terms.compare("=", fixed.reference, one)),
    ]
    grown = _changed(
        system, agent, variables=(*agent.variables, fixed), evolution=(*agent.evolution, rng.choice(lines))
    )
    if rng.random() < 0.5:
        return grown
    value = terms.compare("=", fixed.reference, terms.boolean(rng.random() < 0.5))
    return replace(grown, initial=terms.conjunction((system.initial, value)))


def copied_variable(rng: random.Random, system: System) -> System:
    """One agent copies a variable of the Environment that it sees, under the same name."""
    environment = system.environment
    others = [agent for agent in system.agents if agent.name != ENVIRONMENT and agent.actions]
    if environment is None or not others:
        return system
    terms = Terms()
    agent = rng.choice(others)
    seen = Variable(ENVIRONMENT, "shown", Boolean(), public=True)
    copy = Variable(agent.name, "shown", Boolean())
    flip = EvolutionLine((Assignment("shown", terms.negate(seen.reference)),), _guard(rng, terms, agent))
    same = EvolutionLine((Assignment("shown", seen.reference),), _guard(rng, terms, agent))
    grown = _changed(
        system, environment, variables=(*environment.variables, seen), evolution=(*environment.evolution, flip)
    )
    grown = _changed(grown, agent, variables=(*agent.variables, copy), evolution=(*agent.evolution, same))
    names = {"same": terms.compare("=", copy.reference, terms.boolean(True))}
    return replace(grown, propositions={**system.propositions, **names})


def _guard(rng: random.Random, terms: Terms, agent: Agent) -> Expr:
    return terms.action(agent.name, rng.choice(agent.actions)) if agent.actions else TRUE


def observed_variable(rng: random.Random, system: System) -> System:
    """Some agents, not all, see a private variable of the Environment."""
    environment = system.environment
    others = [agent for agent in system.agents if agent.name != ENVIRONMENT]
    if environment is None or not others:
        return system
    private = [variable.name for variable in environment.variables if not variable.public]
    if not private:
        return system
    agent = rng.choice(others)
    return _changed(system, agent, observes=tuple(dict.fromkeys((*agent.observes, rng.choice(private)))))


def red_states(rng: random.Random, system: System) -> System:
    """An agent has red states."""
    terms = Terms()
    agent = rng.choice(system.agents)
    if not agent.variables:
        return system
    variable = rng.choice(agent.variables)
    return _changed(system, agent, red=terms.compare("=", variable.reference, _literal(rng, terms, variable)))


def fairness(rng: random.Random, system: System) -> System:
    """One or two constraints, now and then with operators of time and knowledge."""
    bare = replace(system, fairness=())
    depth = rng.choice((0, 0, 1))
    return replace(
        system, fairness=tuple([random_formula(rng, bare, "CTLK", depth) for _ in range(rng.choice((1, 1, 2)))])
    )


def chosen_sets(rng: random.Random, system: System) -> System:
    """In an interleaved system, strategies of some agents choose sets of actions."""

    def grouped(agent: Agent, actions: tuple[str, ...]) -> ChoiceList:
        some = [rng.sample(actions, rng.randint(1, len(actions))) for _ in range(rng.choice((1, 2)))]
        rest = [[action] for action in actions if not any(action in one for one in some)]
        return choices_among(agent.actions, (*some, *rest))

    agents = [
        replace(
            agent,
            protocol=tuple([replace(line, choices=grouped(agent, line.actions)) for line in agent.protocol]),
            other_choices=grouped(agent, agent.other) if agent.other else (),
        )
        if rng.random() < 0.7
        else agent
        for agent in system.agents
    ]
    return replace(system, agents=tuple(agents))


def blocking(rng: random.Random, system: System) -> System:
    """In an interleaved system, what happens where choices leave nothing is not the usual."""
    return replace(system, blocking=rng.choice((Blocking.ADVERSARY, Blocking.IGNORE)))


def fair_scheduling(rng: random.Random, system: System) -> System:
    """In an interleaved system, plays pass over no agent for ever."""
    return replace(system, scheduling=Scheduling.FAIR)
