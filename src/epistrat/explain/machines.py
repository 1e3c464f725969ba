"""The model whose agents follow a strategy with memory: each of them has a variable of its own that remembers.

The variable starts with 0 and moves by rules that read itself and the state; protocols read it too.  All agents of the strategy read the
same state and start alike, so all remember the same.  What they do not see the Environment copies for them, as for other strategies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from epistrat.answers.explanation import Policy
from epistrat.evidence import Chosen, Machine, Remembered, Row
from epistrat.explain.follow import in_turn, moved, obeying, positions_read
from epistrat.explain.policy import decision_rules, needed
from epistrat.model.agent import Agent, Assignment, EvolutionLine, Variable
from epistrat.model.state import Act, State
from epistrat.model.system import System
from epistrat.model.transform import fresh
from epistrat.model.transform.shadow import side_by_side, with_shadows
from epistrat.records import dataclass, replace
from epistrat.terms import Bounded, Terms, Value


class Unwritable(ValueError):
    """A strategy that cannot be written as a model; the message says why."""


@dataclass(frozen=True, slots=True)
class Followed:
    """What one agent does, and what it remembers then, as rules over the state and, at the position behind it, the memory."""

    does: Policy
    remembers: Policy


def machine_of(shown: Remembered | Chosen) -> Machine:
    """The strategy that is shown; tables are strategies of one memory."""
    if isinstance(shown, Remembered):
        return shown.machine
    moves: dict[State, dict[str, str]] = {}
    for table in shown.tables:
        for state, act in table.rows:
            done = moves.setdefault(state, {})
            done.update((agent, act) for agent in table.agents if isinstance(act, str))
    wanted = shown.visited or tuple(moves)
    return Machine(tuple(Row(0, state, tuple(moves[state].items()), 0) for state in wanted if state in moves))


def remembering(system: System, machine: Machine) -> System:
    """The system whose agents do what the machine says; raises `Unwritable`, or `TooEntangled`."""
    if not machine.complete:
        raise Unwritable("only its first situations are shown")
    if system.interleaved and machine.remembers:
        raise Unwritable("who takes no part in an event cannot remember that it happened")
    memories = max((max(row.memory, row.after) for row in machine.rows), default=0)
    rules = {name: _followed(system, machine, name) for name in _agents(system, machine)}
    if not any(len(system.variables) in positions_read(system, one.does) for one in rules.values()):
        memories = 0  # what is remembered never decides
    hidden = {
        name: sorted(_read(system, one, memories) - set(system.views[name]) - {len(system.variables)})
        for name, one in rules.items()
    }
    target, copies = with_shadows(system, hidden) if any(hidden.values()) else (system, {})
    names = {name: fresh("memory", {own.name for own in target.agent[name].variables}) for name in rules}
    if memories:
        target = _with_memories(target, names, memories)
    usual = {index: variable.key for index, variable in enumerate(system.variables)}
    for name, one in rules.items():
        places = {**usual, **{index: copies[index] for index in hidden[name]}}
        if memories:
            places[len(system.variables)] = name, names[name]
            target = _moving(target, name, names[name], moved(one.remembers, system, target, places))
        target = obeying(target, moved(one.does, system, target, places))
    return target


def _agents(system: System, machine: Machine) -> Iterator[str]:
    """Those that have a choice and do something."""
    return iter(
        dict.fromkeys(name for row in machine.rows for name, _ in row.do if len(system.agent[name].actions) > 1)
    )


def _followed(system: System, machine: Machine, name: str) -> Followed:
    acts: dict[tuple[Value, ...], Act] = {}
    later: dict[tuple[Value, ...], Act] = {}
    for row in machine.rows:
        situation = (*row.state, row.memory)
        done = dict(row.do).get(name)
        if done is not None and acts.setdefault(situation, done) != done:
            raise Unwritable(f"{name} answers what others do at the same moment, which no protocol can read")
        later[situation] = str(row.after)
    own = [*system.views[name], len(system.variables)]
    return Followed(_policy(name, acts, own), _policy(name, later, own))


def _policy(name: str, table: Mapping[tuple[Value, ...], Act], own: list[int]) -> Policy:
    """Rules that read as little as possible besides what the agent sees and remembers."""
    rows = [(dict(enumerate(situation)), act) for situation, act in table.items()]
    width = len(next(iter(table)))
    order = [*own, *(place for place in range(width) if place not in own)]
    return Policy(name, decision_rules(rows, needed(rows, order, set(own))), uniform=False)


def _read(system: System, one: Followed, memories: int) -> set[int]:
    found = positions_read(system, one.does)
    return found | positions_read(system, one.remembers) if memories else found


def _with_memories(system: System, names: Mapping[str, str], memories: int) -> System:
    terms = Terms()
    agents: list[Agent] = []
    start = [system.initial]
    for agent in system.agents:
        if agent.name in names:
            memory = Variable(agent.name, names[agent.name], Bounded(0, memories))
            agent = replace(agent, variables=(*agent.variables, memory))
            start.append(terms.equals(memory.reference, 0))
        agents.append(agent)
    return replace(system, agents=tuple(agents), initial=terms.conjunction(start))


def _moving(system: System, name: str, memory: str, policy: Policy) -> System:
    """The system in which an agent's memory becomes what the rules say."""
    terms = Terms()
    lines = [
        EvolutionLine((Assignment(memory, terms.number(int(str(value)))),), when)
        for when, value in in_turn(system, policy)
    ]
    agent = system.agent[name]
    moving = replace(agent, evolution=side_by_side(system.semantics, (agent.evolution,), terms, lines))
    return replace(system, agents=tuple(moving if one.name == name else one for one in system.agents))
