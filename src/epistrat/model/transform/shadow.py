"""Letting agents see what they could not: copies of other agents' variables in the Environment.

ISPL protocols read an agent's own variables and those of the Environment that it observes.  A strategy that reads more can still be written
down: the Environment carries a copy of the variables in question, moved by the same lines (which read actions, and everybody's actions
can be read), and the agents that need it observe the copy.  The copy equals the original as long as the original's moves are
determined by state and actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

from epistrat.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, Variable
from epistrat.model.system import Semantics, System
from epistrat.model.transform import fresh
from epistrat.terms import Expr, Key, Terms, Var, bottom_up
from epistrat.terms.substitute import rebuilt

MOST_LINES = 5_000


class TooEntangled(ValueError):
    """The copies would need more evolution lines than anybody wants to read."""


def with_shadows(system: System, wanted: Mapping[str, Iterable[int]]) -> tuple[System, dict[int, tuple[str, str]]]:
    """The system in which each named agent sees the variables at the given positions; and where the copies stand.

    Positions that an agent sees anyway, or that belong to the Environment, need no copy.
    """
    terms = Terms()
    needed = {index for indices in wanted.values() for index in indices}
    owners = [a for a in system.agents if any(system.variables[i].owner == a.name for i in needed)]
    copied = [agent for agent in owners if not agent.is_environment]
    names = {v.key: f"{v.owner}_{v.name}" for agent in copied for v in agent.variables}
    environment = system.environment or Agent(ENVIRONMENT, actions=("none",), other=("none",))
    taken = {variable.name for variable in environment.variables}
    for key, name in names.items():
        names[key] = fresh(name, taken)
        taken.add(names[key])
    copies = tuple(Variable(ENVIRONMENT, names[v.key], v.domain) for agent in copied for v in agent.variables)
    lines = _lines(system, environment, copied, names, terms)
    grown = replace(environment, variables=environment.variables + copies, evolution=lines)
    places = {index: _place(system.variables[index], names) for index in needed}
    agents = [grown if a.is_environment else _observing(a, places, wanted.get(a.name, ())) for a in system.agents]
    if system.environment is None:
        agents.insert(0, grown)
    return replace(system, agents=tuple(agents), initial=_initial(system, copied, names, terms)), places


def _place(variable: Variable, names: Mapping[tuple[str, str], str]) -> tuple[str, str]:
    return (ENVIRONMENT, names[variable.key]) if variable.key in names else variable.key


def _observing(agent: Agent, places: Mapping[int, tuple[str, str]], wanted: Iterable[int]) -> Agent:
    extra = [places[index][1] for index in wanted if places[index][0] == ENVIRONMENT]
    return replace(agent, observes=tuple(dict.fromkeys((*agent.observes, *extra))))


def _initial(system: System, copied: list[Agent], names: Mapping[tuple[str, str], str], terms: Terms) -> Expr:
    same = [
        terms.compare("=", Var(ENVIRONMENT, names[v.key], v.domain.sort), v.reference)
        for agent in copied
        for v in agent.variables
    ]
    return terms.conjunction([system.initial, *same])


def _lines(
    system: System, environment: Agent, copied: list[Agent], names: Mapping[tuple[str, str], str], terms: Terms
) -> tuple[EvolutionLine, ...]:
    sources = [list(environment.evolution), *[_renamed(agent, names, terms) for agent in copied]]
    return side_by_side(system.semantics, sources, terms)


def side_by_side(
    semantics: Semantics,
    sources: Iterable[Sequence[EvolutionLine]],
    terms: Terms,
    always: Sequence[EvolutionLine] = (),
) -> tuple[EvolutionLine, ...]:
    """Evolution lines that move the variables of several sources at once, those of each source as its own lines do.

    Of the lines ``always`` one is enabled wherever the system is.  Raises `TooEntangled` where too many lines are needed.
    """
    listed = [list(lines) for lines in sources if lines]
    if semantics is Semantics.SINGLE:
        return tuple(line for lines in (*listed, always) for line in lines)
    size = max(1, len(always))
    for lines in listed:
        size *= len(lines) + 1
    if size > MOST_LINES:
        raise TooEntangled(f"{size} evolution lines would be needed")
    options = [[*lines, _none_of(lines, terms)] for lines in listed] + ([list(always)] if always else [])
    return tuple(_together(combination, terms) for combination in product(*options) if _moves(combination))


def _renamed(agent: Agent, names: Mapping[tuple[str, str], str], terms: Terms) -> list[EvolutionLine]:
    return [
        EvolutionLine(
            tuple(Assignment(names[agent.name, a.target], rename(a.value, names, terms)) for a in line.assignments),
            rename(line.guard, names, terms),
        )
        for line in agent.evolution
    ]


def _none_of(lines: list[EvolutionLine], terms: Terms) -> EvolutionLine:
    return EvolutionLine((), terms.conjunction(terms.negate(line.guard) for line in lines))


def _moves(lines: tuple[EvolutionLine, ...]) -> bool:
    return any(line.assignments for line in lines)


def _together(lines: tuple[EvolutionLine, ...], terms: Terms) -> EvolutionLine:
    return EvolutionLine(
        tuple(assignment for line in lines for assignment in line.assignments),
        terms.conjunction(line.guard for line in lines),
    )


def rename(expr: Expr, names: Mapping[Key, str], terms: Terms) -> Expr:
    """The expression with the named variables replaced by the Environment's copies."""

    def one(term: Expr, new: list[Expr]) -> Expr:
        if isinstance(term, Var) and term.key in names:
            return terms.variable(ENVIRONMENT, names[term.key], term.sort)
        return rebuilt(terms, term, new)

    return bottom_up(expr, one)
