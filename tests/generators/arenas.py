"""Random games of few states, and random formulae with strategies about them: coalitions over path formulae, names, equilibria."""

from __future__ import annotations

import random

from tests.generators.formulae import random_group

from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Tag
from epistrat.model.system import System
from epistrat.records import replace

PLAYERS = ("Ann", "Bob", "Cat")
ACTIONS = ("l", "r")
PROPOSITIONS = ("p", "q", "r")


def random_arena(
    rng: random.Random,
    players: int = 2,
    states: int = 4,
    chance: float = 0.0,
    narrow: float = 0.3,
    fair: bool = False,
    own: bool = True,
) -> System:
    """A game whose next state every joint action decides, in some places chance; players see less than the state.

    ``narrow`` is how often a protocol allows one action only; ``own`` says whether players have a variable of their own.
    """
    names = PLAYERS[:players]
    places = range(states)
    seen = rng.random() < 0.5
    lines = [
        f"at = {rng.choice(places)} if at = {place} and {_acts(rng, names, number)};"
        for place in places
        for number in range(2 ** len(names))
        if rng.random() < 0.8
        for _ in range(1 + (rng.random() < chance))
    ]
    agents = [
        f"""Agent {name}
          {"Vars: mine : boolean; end Vars" if own else "Vars: end Vars"}
          Actions = {{l, r}};
          Protocol: {_protocol(rng, places, narrow) if seen else ""} Other : {{l, r}}; end Protocol
          Evolution: {_change(rng) if own else ""} end Evolution
        end Agent"""
        for name in names
    ]
    kind = "Obsvars" if seen else "Vars"
    text = f"""
    Agent Environment
      {kind}: at : 0..{states - 1}; end {kind}
      Actions = {{none}};
      Protocol: Other : {{none}}; end Protocol
      Evolution: {" ".join(lines)} end Evolution
    end Agent
    {" ".join(agents)}
    Evaluation {" ".join(f"{name} if {_where(rng, places)};" for name in PROPOSITIONS)} end Evaluation
    InitStates {_start(rng, names if own else (), places)} end InitStates
    Groups one = {{Ann}}; two = {{{", ".join(rng.sample(names, rng.randint(1, len(names))))}}}; end Groups
    """
    loaded = load(text)
    assert loaded.system is not None, [str(one) for one in loaded.diagnostics]
    system = loaded.system
    if fair:
        system = replace(system, fairness=(logic.Prop(rng.choice(PROPOSITIONS)),))
    return system


def _acts(rng: random.Random, names: tuple[str, ...], number: int) -> str:
    return " and ".join(f"{name}.Action = {ACTIONS[number >> place & 1]}" for place, name in enumerate(names))


def _protocol(rng: random.Random, places: range, narrow: float) -> str:
    return " ".join(
        f"Environment.at = {place} : {{{rng.choice(ACTIONS)}}};" for place in places if rng.random() < narrow
    )


def _change(rng: random.Random) -> str:
    value, before = rng.choice(("true", "false")), rng.choice(("true", "false"))
    return f"mine = {value} if Action = {rng.choice(ACTIONS)} and mine = {before};"


def _where(rng: random.Random, places: range) -> str:
    some = [f"Environment.at = {place}" for place in places if rng.random() < 0.4]
    return " or ".join(some) if some else f"Environment.at = {rng.choice(places)}"


def _start(rng: random.Random, names: tuple[str, ...], places: range) -> str:
    mine = "".join(f" and {name}.mine = {rng.choice(('true', 'false'))}" for name in names)
    at = (
        "Environment.at = 0" if rng.random() < 0.7 else f"(Environment.at = 0 or Environment.at = {rng.choice(places)})"
    )
    return f"{at}{mine};"


def random_path(rng: random.Random, system: System, depth: int) -> Formula:
    """A path formula over the propositions."""
    if depth == 0 or rng.random() < 0.15:
        return logic.Prop(rng.choice(list(system.propositions)))

    def inner() -> Formula:
        return random_path(rng, system, depth - 1)

    match rng.randrange(12):
        case 0:
            return logic.Not(inner())
        case 1 | 2:
            return logic.And((inner(), inner()))
        case 3:
            return logic.Or((inner(), inner()))
        case 4:
            return logic.Next(inner())
        case 5:
            return logic.Finally(inner())
        case 6:
            return logic.Globally(inner())
        case 7:
            return logic.Until(inner(), inner())
        case 8:
            return rng.choice((logic.Release, logic.WeakUntil))(inner(), inner())
        case 9:
            return logic.Globally(logic.Finally(inner()))
        case 10:
            return logic.Finally(logic.Globally(inner()))
        case _:
            return rng.choice((logic.Implies, logic.Iff))(inner(), inner())


def random_goal(rng: random.Random, system: System, depth: int) -> Formula:
    """A path formula that is about more than one state."""
    while logic.is_state(found := random_path(rng, system, depth)):
        pass
    return found


def random_aim(rng: random.Random, system: System, depth: int = 2) -> Formula:
    """A coalition over a path formula, perhaps inside knowledge, time, or another coalition."""
    group = random_group(rng, system)
    found: Formula = logic.Coalition(group, random_goal(rng, system, depth))
    match rng.randrange(6):
        case 0:
            return logic.Knows(system.agents[0].name, found)
        case 1:
            return logic.ForAll(logic.Globally(logic.Implies(random_path(rng, system, 0), found)))
        case 2:
            return logic.Coalition(random_group(rng, system), logic.Globally(logic.Finally(found)))
        case 3:
            return logic.Not(found)
        case _:
            return found


def random_sentence(rng: random.Random, system: System, tag: Tag, depth: int = 2, shared: float = 0.2) -> Formula:
    """A sentence with names: quantifiers in any order, all agents bound, one goal below."""
    acting = [agent.name for agent in system.agents if agent.actions]
    names = [f"x{number}" for number in range(len(acting))]
    follow = dict(zip(acting, names, strict=True))
    if len(acting) > 2 and rng.random() < shared:
        follow["Bob"] = follow["Ann"]
    order = rng.sample(names, len(names))
    body = random_goal(rng, system, depth)
    for agent in rng.sample(acting, len(acting)):
        body = logic.Bound(agent, follow[agent], body)
    for name in order:
        body = rng.choice((logic.SomeStrategy, logic.EveryStrategy))(name, body)
    return logic.Tagged(tag, logic.Not(body) if rng.random() < 0.1 else body)


def random_names(rng: random.Random, system: System, depth: int = 2) -> Formula:
    """A formula with names: several goals, knowledge, quantifiers inside, agents that share a strategy or change over."""
    acting = [agent.name for agent in system.agents if agent.actions]
    names = [f"x{number}" for number in range(rng.choice((len(acting), len(acting), max(1, len(acting) - 1))))]
    body = _among_names(rng, system, names, depth)
    for agent in rng.sample(acting, len(acting)):
        body = logic.Bound(
            agent, rng.choice(names) if rng.random() < 0.2 else names[acting.index(agent) % len(names)], body
        )
    for name in rng.sample(names, len(names)):
        body = rng.choice((logic.SomeStrategy, logic.EveryStrategy))(name, body)
    return logic.Not(body) if rng.random() < 0.1 else body


def _among_names(rng: random.Random, system: System, names: list[str], depth: int) -> Formula:
    """What can be said where all agents follow strategies."""

    def inner() -> Formula:
        return _among_names(rng, system, names, depth - 1)

    agent = rng.choice(system.agents).name
    match rng.randrange(14) if depth > 1 else 0:
        case 1:
            return logic.Knows(agent, inner())
        case 2:
            return rng.choice((logic.And, logic.Or))((inner(), inner()))
        case 3:
            return logic.Not(inner())
        case 4:
            acting = rng.choice([one.name for one in system.agents if one.actions])
            return rng.choice((logic.SomeStrategy, logic.EveryStrategy))("z", logic.Bound(acting, "z", inner()))
        case 5:
            quantifier = rng.choice((logic.ForAll, logic.Exists))
            return quantifier(rng.choice((logic.Next, logic.Finally, logic.Globally))(_stated(inner())))
        case 6:
            return rng.choice((logic.ForAll, logic.Exists))(logic.Globally(logic.Finally(inner())), star=True)
        case 7:
            return logic.Coalition(
                random_group(rng, system), rng.choice((logic.Next, logic.Finally, logic.Globally))(_stated(inner()))
            )
        case 8:
            return rng.choice((logic.Next, logic.Finally, logic.Globally))(inner())
        case 9:
            return logic.Until(inner(), inner())
        case 10:
            return rng.choice((logic.Common, logic.Distributed, logic.Everybody))(
                random_group(rng, system), _stated(inner())
            )
        case _:
            return random_goal(rng, system, depth)


def _stated(body: Formula) -> Formula:
    """A state formula: a goal stands below a quantifier that binds nobody."""
    return body if logic.is_state(body) else logic.SomeStrategy("nobody", body)


def with_goals(rng: random.Random, system: System, depth: int = 2) -> System:
    """The system with goals of some agents."""
    wanting = [
        agent.name for agent in system.agents if agent.actions and agent.name != "Environment" and rng.random() < 0.8
    ]
    wanting = wanting or [system.agents[-1].name]
    return replace(system, goals=tuple((name, random_goal(rng, system, depth)) for name in wanting))
