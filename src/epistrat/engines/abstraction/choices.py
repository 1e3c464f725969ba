"""The choices that evolution leaves open: per agent (or, with single assignment, per variable) which line is executed.

A *unit* is a set of variables that change together.  Its alternatives are the distinct sets of assignments that its lines make;
alternative 0 changes nothing.  Given the alternatives of all units, the next state is a function of the present one.
"""

from __future__ import annotations

from epistrat.model.agent import Agent
from epistrat.model.alternatives import Alternatives, alternatives
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.terms import ActionIs, Domain, Expr, Key, subterms


@dataclass(frozen=True, slots=True)
class Alternative:
    """Assignments, and the guards under which they may be made; each value must fit its domain."""

    assignments: tuple[tuple[Key, Expr], ...]
    guards: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """Variables that change together by one of the alternatives, or stay where no guard holds."""

    agent: Agent
    keys: tuple[Key, ...]
    alternatives: tuple[Alternative, ...]

    @property
    def guards(self) -> tuple[Expr, ...]:
        """All guards."""
        return tuple(guard for alternative in self.alternatives for guard in alternative.guards)


def units_of(system: System) -> tuple[Unit, ...]:
    """The units of all agents, those that nothing changes left out."""
    return tuple(
        _unit(agent, group) for agent in system.agents for group in alternatives(agent, system.semantics) if group.lines
    )


def _unit(agent: Agent, group: Alternatives) -> Unit:
    keys = tuple((agent.name, name) for name in group.variables)
    merged: dict[tuple[tuple[Key, Expr], ...], list[Expr]] = {}
    for _, line in group.lines:
        made = {(agent.name, a.target): a.value for a in line.assignments}
        merged.setdefault(tuple(sorted(made.items(), key=lambda item: item[0])), []).append(line.guard)
    return Unit(agent, keys, tuple(Alternative(made, tuple(guards)) for made, guards in merged.items()))


def domains_of(system: System) -> dict[Key, Domain]:
    """The domain of every variable."""
    return {variable.key: variable.domain for variable in system.variables}


def actors_in(*guards: Expr) -> list[str]:
    """The agents whose actions the guards test."""
    return list(dict.fromkeys(term.agent for term in subterms(*guards) if isinstance(term, ActionIs)))
