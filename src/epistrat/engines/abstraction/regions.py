"""Sets of abstract states as conditions on concrete ones."""

from __future__ import annotations

from epistrat.engines.abstraction.layout import names_of
from epistrat.engines.abstraction.predicates import Threshold
from epistrat.engines.abstraction.space import AbstractSpace
from epistrat.solvers.bdd import Bdd
from epistrat.terms import Expr, Sort, Terms

_MOST_CUBES = 60


def condition_of(space: AbstractSpace, states: Bdd, terms: Terms) -> Expr | None:
    """The condition that holds exactly in the states that a set stands for; None where it would be too long to read."""
    bits = _bits(space, terms)
    if bits is None:
        return None
    cubes: list[Expr] = []
    left = states
    while True:
        picked = space.algebra.pick(left)
        if picked is None:
            return terms.disjunction(cubes)
        if len(cubes) == _MOST_CUBES:
            return None
        cube = space.algebra.true
        for bit, value in picked.items():
            variable = space.algebra.var[bit]
            cube = cube & (variable if value else ~variable)
        literals = [bits[bit] if value else terms.negate(bits[bit]) for bit, value in picked.items() if bit in bits]
        cubes.append(terms.conjunction(literals))
        left = left & ~cube


def _bits(space: AbstractSpace, terms: Terms) -> dict[int, Expr] | None:
    """What each bit of a state says; None if one of them cannot be written as a condition."""
    found: dict[int, Expr] = {}
    for predicate, (bit, _) in space.layout.predicates.items():
        if isinstance(predicate, Threshold):
            found[bit] = predicate.condition(terms)
        elif predicate.domain is None:
            found[bit] = predicate.expr
        else:
            return None
    domains = {variable.key: variable.domain for variable in space.system.variables}
    for key, pairs in space.layout.finite.items():
        values = names_of(domains[key])
        variable = terms.variable(*key, domains[key].sort)
        for place, (bit, _) in enumerate(pairs):
            if domains[key].sort is Sort.BOOLEAN:
                found[bit] = variable
                continue
            names = [str(name) for code, name in enumerate(values) if code >> place & 1]
            found[bit] = terms.disjunction([terms.compare("=", variable, terms.name(name)) for name in names])
    return found
