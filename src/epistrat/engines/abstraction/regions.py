"""Sets of abstract states as conditions on concrete ones, as short as they can easily be."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from epistrat.engines.abstraction.layout import values_of
from epistrat.engines.abstraction.predicates import Opaque, Threshold
from epistrat.engines.abstraction.space import AbstractSpace
from epistrat.solvers.bdd import Bdd
from epistrat.terms import Domain, Expr, Key, Terms
from epistrat.terms.linear import Linear

_MOST_CUBES = 60  # disjuncts of a condition that is shown


def condition_of(space: AbstractSpace, states: Bdd, terms: Terms, care: Bdd | None = None) -> Expr | None:
    """The condition that holds exactly in the states that a set stands for; None where it would be too long to read.

    With ``care`` it may be anything outside of that set.
    """
    if any(isinstance(predicate, Opaque) and predicate.domain is not None for predicate in space.layout.predicates):
        return None
    possible = _possible(space)
    wrong = possible & ~states if care is None else possible & care & ~states
    cubes: list[Expr] = []
    left = states & possible
    while (picked := space.algebra.pick(left)) is not None:
        if len(cubes) == space.budget.patience.most(_MOST_CUBES):
            return None
        cube = _widened(space, picked, wrong)
        cubes.append(_conjunction(space, terms, cube))
        left = left & ~space.cube(cube)
    return terms.disjunction(cubes)


def _possible(space: AbstractSpace) -> Bdd:
    """No sum is below a lower bound and above a higher one: other combinations stand for no state."""
    chains: dict[Linear, list[Threshold]] = {}
    for predicate in space.layout.predicates:
        if isinstance(predicate, Threshold):
            chains.setdefault(predicate.form, []).append(predicate)
    result = space.algebra.true
    for chain in chains.values():
        chain.sort(key=lambda one: (one.bound, not one.strict))
        bits = [space.algebra.var[space.layout.predicates[one][0]] for one in chain]
        for lower, higher in pairwise(bits):
            result = result & (~lower | higher)
    return result


def _widened(space: AbstractSpace, picked: Mapping[int, bool], wrong: Bdd) -> dict[int, bool]:
    """The cube without the bits that it needs not to stay away from what is wrong."""
    kept = dict(picked)
    for bit in list(picked):
        without = {other: value for other, value in kept.items() if other != bit}
        if (space.cube(without) & wrong) == space.algebra.false:
            kept = without
    return kept


def _conjunction(space: AbstractSpace, terms: Terms, cube: Mapping[int, bool]) -> Expr:
    """What a cube says: the values of finite variables, then bounds."""
    parts: list[Expr] = []
    domains = {variable.key: variable.domain for variable in space.system.variables}
    for key, pairs in space.layout.finite.items():
        fixed = {place: cube[bit] for place, (bit, _) in enumerate(pairs) if bit in cube}
        if fixed:
            parts.append(_has(terms, key, domains[key], fixed))
    bounds: dict[Linear, dict[Threshold, bool]] = {}
    for predicate, (bit, _) in space.layout.predicates.items():
        if bit not in cube:
            continue
        if isinstance(predicate, Threshold):
            bounds.setdefault(predicate.form, {})[predicate] = cube[bit]
        else:
            parts.append(predicate.expr if cube[bit] else terms.negate(predicate.expr))
    for form, values in bounds.items():
        parts += _between(space, terms, form, values)
    return terms.conjunction(parts)


def _has(terms: Terms, key: Key, domain: Domain, fixed: Mapping[int, bool]) -> Expr:
    variable = terms.variable(*key, domain.sort)
    return terms.disjunction(
        terms.equals(variable, value)
        for code, value in enumerate(values_of(domain))
        if all(bool(code >> place & 1) is wanted for place, wanted in fixed.items())
    )


def _between(space: AbstractSpace, terms: Terms, form: Linear, values: Mapping[Threshold, bool]) -> list[Expr]:
    """The bounds of one sum: at most the smallest upper one and above the largest lower one."""
    expression = form.expression(terms)
    whole = all(space.grid(key) == 1 for key, _ in form.factors)
    upper = min(
        (one for one, value in values.items() if value), key=lambda one: (one.bound, not one.strict), default=None
    )
    lower = max(
        (one for one, value in values.items() if not value), key=lambda one: (one.bound, not one.strict), default=None
    )
    if whole and upper is not None and lower is not None and lower.bound + 1 == upper.bound:
        return [terms.compare("=", expression, terms.number(upper.bound))]
    found: list[Expr] = []
    if lower is not None:
        above = "<=" if whole or lower.strict else "<"
        found.append(terms.compare(above, terms.number(lower.bound + (Fraction(1) if whole else 0)), expression))
    if upper is not None:
        found.append(upper.condition(terms))
    return found
