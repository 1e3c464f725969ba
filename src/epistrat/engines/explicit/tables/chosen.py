"""Tables as evidence: values of the decisions of those strategies whose choice shows a claim, picked from its diagram."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from epistrat.engines.explicit.tables.decisions import Strategy
from epistrat.engines.explicit.tables.labels import DecisionLabels
from epistrat.evidence import Chosen
from epistrat.evidence.strategy import Table
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.logic.rewrite import negation
from epistrat.logic.sentences import sharing
from epistrat.model.state import Act
from epistrat.solvers.bdd import Bdd

if TYPE_CHECKING:
    from epistrat.engines.explicit.tables.tables import Tables

MOST_STATES = 1_000
"""States of which a table is shown."""


def chosen(tables: Tables, claim: Formula, node: int, holds: bool) -> Chosen | None:
    """Tables of the strategies that exist, for a claim that holds in a state; of those that refute it, for one that fails there."""
    if tables.plays.count > MOST_STATES:
        return None
    match claim:
        case logic.Coalition() if holds:
            value, strategies = tables.aim(claim)
            condition = value[node]
        case logic.SomeEquilibrium(fact) if holds:
            condition, strategies = _profile(tables, fact, node)
        case logic.EveryEquilibrium(fact) if not holds:
            condition, strategies = _profile(tables, negation(fact), node)
        case logic.SomeStrategy() | logic.EveryStrategy() if isinstance(claim, logic.SomeStrategy) is holds:
            condition, strategies = _first(tables, claim, node, holds)
        case _:
            return None
    values = tables.decisions.algebra.pick(condition)
    if values is None:
        return None
    listed = [
        (variable, agents, _acts(tables, strategy, values)) for variable, (agents, strategy) in strategies.items()
    ]
    states = tables.plays.states
    shown = tuple(Table(name, agents, tuple(zip(states, acts, strict=True))) for name, agents, acts in listed)
    following = {agent: acts for _, agents, acts in listed for agent in agents}
    bound = _bound(claim)
    visited = _visited(tables, node, {agent: acts for agent, acts in following.items() if agent in bound or not bound})
    return Chosen(shown, tuple(states[one] for one in sorted(visited)))


def _profile(tables: Tables, fact: Formula, node: int) -> tuple[Bdd, dict[str, tuple[tuple[str, ...], Strategy]]]:
    value, profile = tables.profiles(fact)
    return value[node], {agent: ((agent,), strategy) for agent, strategy in profile.items()}


def _first(
    tables: Tables, claim: Formula, node: int, holds: bool
) -> tuple[Bdd, dict[str, tuple[tuple[str, ...], Strategy]]]:
    """The quantifiers of one kind that stand first, and for which of their tables the rest holds (fails)."""
    labels, strategies, rest = DecisionLabels(tables, ()), dict[str, tuple[tuple[str, ...], Strategy]](), claim
    while isinstance(rest, (logic.SomeStrategy, logic.EveryStrategy)) and isinstance(rest, logic.SomeStrategy) is holds:
        agents = sharing(rest.variable, rest.arg)
        strategies[rest.variable] = agents, tables.decisions.strategy(rest, agents, tables.tag)
        labels, rest = labels.below(rest), rest.arg
    value = labels.value(rest)[node]
    return (value if holds else ~value), strategies


def _acts(tables: Tables, strategy: Strategy, values: dict[int, bool]) -> list[Act | None]:
    """What the strategy does in each state if its decisions have these values; those that are open are false."""
    algebra = tables.decisions.algebra
    literals = [algebra.var[one] if values.get(one) else ~algebra.var[one] for one in strategy.variables]
    point = reduce(and_, literals, algebra.true)
    return [next(act for act, when in options if algebra.implies(point, when)) for options in strategy.options]


def _bound(claim: Formula) -> set[str]:
    return {part.agent for part in logic.subformulae(claim) if isinstance(part, logic.Bound)}


def _visited(tables: Tables, start: int, following: dict[str, list[Act | None]]) -> list[int]:
    """The states that plays visit."""
    order, seen = [start], {start}
    for node in order:
        for target in tables.plays.targets(node, {agent: acts[node] for agent, acts in following.items()}):
            if target not in seen:
                seen.add(target)
                order.append(target)
    return order
