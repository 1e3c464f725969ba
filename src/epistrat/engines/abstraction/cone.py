"""The cone of influence: what a formula's truth can depend on.

It holds the variables that the formula mentions and that the agents see whose knowledge it mentions; with a variable, everything that the
lines which assign it read, and the agents whose actions they test; with an agent, everything its protocol reads.  What can make a step
impossible (a protocol without Other line, a value that may not fit) is always inside.
"""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.engines.abstraction.choices import Alternative, Unit, actors_in, domains_of, units_of
from epistrat.engines.abstraction.predicates import Opaque, Shape, fitting, whole_variables
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, knowers, subformulae
from epistrat.model.agent import Agent
from epistrat.model.system import System
from epistrat.records import dataclass, replace
from epistrat.terms import And, Boolean, Const, Enumeration, Expr, Key, Terms, Var, variables


@dataclass(frozen=True)
class Cone:
    """Variables, units and acting agents that matter, and the part of the initial condition that speaks of these variables."""

    system: System
    keys: frozenset[Key]
    units: tuple[Unit, ...]
    actors: frozenset[str]
    initial: Expr


def cone_of(system: System, formula: Formula) -> Cone:
    """The cone of a formula."""
    return _Search(system).cone(formula)


class _Search:
    def __init__(self, system: System) -> None:
        self._system = system
        self._domains = domains_of(system)
        self._units = units_of(system)
        self._writers = {key: unit for unit in self._units for key in unit.keys}
        self._keys: set[Key] = set()
        self._actors: set[str] = set()
        self._seen_units: set[int] = set()
        initial = system.initial
        self._conjuncts = initial.args if isinstance(initial, And) else (initial,)

    def cone(self, formula: Formula) -> Cone:
        work = [*variables(*self._conditions(formula)), *self._observed(formula)]
        for agent in self._system.agents:
            if agent.actions and not agent.free and not agent.other:
                work += self._enter(agent)
        for unit in self._units:
            if any(not self._fits(key, value) for made in unit.alternatives for key, value in made.assignments):
                work += self._read(unit)
        if self._system.interleaved:
            for agent in self._system.agents:
                work += self._enter(agent)
        while work:
            key = work.pop()
            if key in self._keys:
                continue
            self._keys.add(key)
            work += [other for part in self._conjuncts if key in variables(part) for other in variables(part)]
            if key in self._writers:
                work += self._read(self._writers[key])
        return Cone(
            self._system,
            frozenset(self._keys),
            tuple(self._kept_units()),
            frozenset(self._actors),
            Terms().conjunction([part for part in self._conjuncts if variables(part) & self._keys]),
        )

    def _conditions(self, formula: Formula) -> Iterator[Expr]:
        for part in subformulae(formula):
            match part:
                case logic.Prop(name):
                    yield self._system.propositions[name]
                case logic.Test(condition):
                    yield condition
                case logic.Colour(agent=name) | logic.Correct(agent=name) if name in self._system.agent:
                    red = self._system.agent[name].red
                    if red is not None:
                        yield red

    def _observed(self, formula: Formula) -> Iterator[Key]:
        """What the agents see whose knowledge the formula mentions."""
        for agent in sorted(knowers([formula])):
            yield from (self._system.variables[position].key for position in self._system.views[agent])

    def _enter(self, agent: Agent) -> list[Key]:
        """An agent whose action matters: what its protocol reads."""
        if agent.name in self._actors:
            return []
        self._actors.add(agent.name)
        return list(variables(*(line.condition for line in agent.protocol)))

    def _read(self, unit: Unit) -> list[Key]:
        """A unit that writes something that matters: what its guards and right-hand sides read."""
        if id(unit) in self._seen_units:
            return self._values(unit)
        self._seen_units.add(id(unit))
        found = list(variables(*unit.guards)) + self._values(unit)
        for name in actors_in(*unit.guards):
            found += self._enter(self._system.agent[name])
        return found

    def _values(self, unit: Unit) -> list[Key]:
        made = [(key, value) for one in unit.alternatives for key, value in one.assignments]
        values = [value for key, value in made if key in self._keys or not self._fits(key, value)]
        return list(variables(*values))

    def _fits(self, key: Key, value: Expr) -> bool:
        """Whether the value surely lies in the variable's domain."""
        domain = self._domains[key]
        if isinstance(domain, Boolean):
            return True
        if isinstance(domain, Enumeration):
            if isinstance(value, Const):
                return value.value in domain.values
            return isinstance(value, Var) and set(self._domains[value.key]) <= set(domain)  # type: ignore[arg-type]  # it is an enumeration, too
        parts = fitting(value, domain, whole_variables(self._domains))
        return all(part.shape is Shape.TRUE for part in parts) and not any(
            isinstance(predicate, Opaque) for part in parts for predicate in part.predicates
        )

    def _kept_units(self) -> Iterator[Unit]:
        for unit in self._units:
            if id(unit) not in self._seen_units:
                continue
            merged: dict[tuple[tuple[Key, Expr], ...], list[Expr]] = {}
            for made in unit.alternatives:
                kept = tuple((key, value) for key, value in made.assignments if self._stays(key, value))
                merged.setdefault(kept, []).extend(made.guards)
            alternatives = tuple(Alternative(kept, tuple(guards)) for kept, guards in merged.items())
            yield replace(unit, keys=tuple(key for key in unit.keys if key in self._keys), alternatives=alternatives)

    def _stays(self, key: Key, value: Expr) -> bool:
        """Whether an assignment is kept: its target matters, or its value may not fit."""
        return key in self._keys or not self._fits(key, value)
