"""A system whose agents follow rules: the same system with narrower protocols.

A rule says in which views an agent does which action (or chooses which set of actions); the
rules of one agent exclude each other.  Where the rules say nothing, or name an
action that the protocol does not allow there, the agent may do what it could do before; so no step is ever added, and no dead end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from epistrat.model.agent import Agent, ProtocolLine, choices_among
from epistrat.model.alternatives import allowed_where, offers
from epistrat.model.state import Act, actions_of
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.terms import Expr, Terms, Value

RuleTable: TypeAlias = Sequence[tuple[Expr, Act]]


def with_rules(system: System, rules: Mapping[str, RuleTable]) -> System:
    """The system whose agents follow the rules."""
    agents = [_narrowed(agent, rules[agent.name]) if agent.name in rules else agent for agent in system.agents]
    return replace(system, agents=tuple(agents))


def exclusive(terms: Terms, rules: RuleTable) -> list[tuple[Expr, Act]]:
    """The rules, the first of which counts, each without what rules before it decide otherwise."""
    found: list[tuple[Expr, Act]] = []
    for place, (condition, action) in enumerate(rules):
        taken = [terms.negate(other) for other, done in rules[:place] if done != action]
        found.append((terms.conjunction([condition, *taken]), action))
    return found


def equals(terms: Terms, system: System, position: int, values: Iterable[Value]) -> Expr:
    """The condition that a variable has one of these values."""
    variable = system.variables[position]
    return terms.disjunction(terms.equals(variable.reference, value) for value in values)


def decided_where(terms: Terms, agent: Agent, rules: RuleTable) -> Expr:
    """Where some rule applies and names something that the agent may choose there."""
    return terms.disjunction(
        terms.conjunction((when, line.condition))
        for when, act in rules
        for line in offers(terms, agent)
        if actions_of(act) in (line.choices or [(action,) for action in line.actions])
    )


def _narrowed(agent: Agent, rules: RuleTable) -> Agent:
    terms = Terms()
    if agent.other_choices or any(line.choices for line in agent.protocol):
        return _choosing(agent, rules, terms)
    allowed = allowed_where(terms, agent)
    chosen = {action: terms.disjunction(when for when, done in rules if done == action) for action in agent.actions}
    decided = terms.disjunction(terms.conjunction((chosen[a], allowed[a])) for a in agent.actions)
    lines = []
    for action in agent.actions:
        free = terms.disjunction((chosen[action], terms.negate(decided)))
        condition = terms.conjunction((allowed[action], free))
        if condition != terms.boolean(False):
            lines.append(ProtocolLine(condition, (action,)))
    return replace(agent, protocol=tuple(lines), other=None)


def _choosing(agent: Agent, rules: RuleTable, terms: Terms) -> Agent:
    """As `_narrowed`, where choices may be sets of actions."""
    lines = offers(terms, agent)
    made: list[ProtocolLine] = []
    decided: list[Expr] = []
    for when, act in rules:
        chosen = actions_of(act)
        offered = [line.condition for line in lines if chosen in (line.choices or [(a,) for a in line.actions])]
        condition = terms.conjunction((when, terms.disjunction(offered)))
        if condition != terms.boolean(False):
            decided.append(condition)
            made.append(ProtocolLine(condition, chosen, choices_among(agent.actions, [chosen])))
    free = terms.negate(terms.disjunction(decided))
    rest = [replace(line, condition=terms.conjunction((line.condition, free))) for line in lines]
    made += [line for line in rest if line.condition != terms.boolean(False)]
    return replace(agent, protocol=tuple(made), other=None, other_choices=())
