"""Grids: numbers of which all values that a variable can have are multiples.

Whole numbers are multiples of 1.  A real variable that starts at a known value and changes by known amounts (by halves, say) moves on a
grid too, and then bounds between two points of the grid need not be told apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.engines.abstraction.predicates import Grid, common_measure, whole_variables
from epistrat.model.system import System
from epistrat.terms import And, Compare, Comparison, Key, Real, Sort
from epistrat.terms.linear import Linear, linear_form


def grid_of(system: System) -> Grid:
    """The grid of every number variable; None for reals of which none is known."""
    domains = {variable.key: variable.domain for variable in system.variables}
    whole = whole_variables(domains)
    starts = _starting_values(system)
    changes: dict[Key, list[Linear | None]] = {}
    for agent in system.agents:
        for line in agent.evolution:
            for made in line.assignments:
                changes.setdefault((agent.name, made.target), []).append(linear_form(made.value))
    found = {key for key, domain in domains.items() if isinstance(domain, Real)}
    size = -1
    while size != len(found):
        size = len(found)
        found = _grounded({key: starts.get(key, []) for key in found}, whole)
        found = {key for key in found if all(_on_grid(form, found, whole) for form in changes.get(key, ()))}
    used = [form for key in found for form in [*starts[key], *changes.get(key, ())] if form is not None]
    amounts = [form.constant for form in used]
    amounts += [factor for form in used for key, factor in form.factors if key not in found]
    step = common_measure(amounts)
    return lambda key: step if key in found else whole(key)


def _grounded(starts: dict[Key, list[Linear]], whole: Grid) -> set[Key]:
    """The variables whose starting values follow, one after the other, from constants and whole numbers."""
    found: set[Key] = set()
    while True:
        more = {key for key, forms in starts.items() if any(_on_grid(form, found, whole) for form in forms)}
        if more <= found:
            return found
        found |= more


def _starting_values(system: System) -> dict[Key, list[Linear]]:
    """What the initial condition says variables are equal to."""
    initial = system.initial
    found: dict[Key, list[Linear]] = {}
    for conjunct in initial.args if isinstance(initial, And) else (initial,):
        for key, value in _equal(conjunct) if isinstance(conjunct, Compare) else ():
            found.setdefault(key, []).append(value)
    return found


def _equal(conjunct: Compare) -> Iterator[tuple[Key, Linear]]:
    if conjunct.op is not Comparison.EQUAL or conjunct.left.sort is not Sort.NUMBER:
        return
    left, right = linear_form(conjunct.left), linear_form(conjunct.right)
    if left is None or right is None:
        return
    difference = left - right
    for key, factor in difference.factors:
        rest = difference - Linear(((key, factor),))
        yield key, rest.times(-1 / factor)


def _on_grid(form: Linear | None, found: set[Key], whole: Grid) -> bool:
    """Whether a form is a sum of whole multiples of variables on the grid, multiples of whole variables, and a constant."""
    return form is not None and all(
        factor.denominator == 1 if key in found else whole(key) is not None for key, factor in form.factors
    )
