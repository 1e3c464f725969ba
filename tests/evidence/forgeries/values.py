"""Values of variables that are worth a look."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

from epistrat.model.system import System
from epistrat.terms import Const, Expr, FiniteDomain, Real, Sort, Value, subterms, whole

MOST_VALUES = 40


def values_of(system: System, place: int) -> list[Value]:
    """Values of a variable: all, or small ones and those near numbers that the model mentions."""
    domain = system.variables[place].domain
    if isinstance(domain, FiniteDomain):
        listed = list(islice(domain, MOST_VALUES + 1))
        if len(listed) <= MOST_VALUES:
            return listed
    near = {number + shift for number in [Fraction(0), *_mentioned(system)] for shift in (-2, -1, 0, 1, 2)}
    if isinstance(domain, Real):
        near |= {number + Fraction(1, 2) for number in near}
    found = [whole(number) for number in sorted(near)]
    return [value for value in found if value in domain][:MOST_VALUES] or [0]


def _mentioned(system: System) -> list[Fraction]:
    """Numbers that occur in the initial condition, in propositions, protocols and guards."""
    parts: list[Expr] = [system.initial, *system.propositions.values()]
    for agent in system.agents:
        parts += [line.condition for line in agent.protocol] + [line.guard for line in agent.evolution]
    found: set[Fraction] = set()
    for part in subterms(*parts):
        if isinstance(part, Const) and part.sort is Sort.NUMBER and isinstance(part.value, (int, Fraction)):
            found.add(Fraction(part.value))
    return [number for number in sorted(found) if abs(number) < 10**6][:8]
