"""Real variables that are whole numbers on every run are declared as integers, so that solvers can count on it.

A variable is one of them if every assignment gives it a sum of whole multiples of integers, of other such variables, and of a whole
constant, and if it starts whole: an initial equation gives it such a sum of integers and of variables *of which that was shown before*.
Steps may refer to each other in circles, since the values before a step are whole by induction; initial equations may not:
``x = 1 - y and y = x`` has the solution 1/2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from epistrat.encoding.transitions import Transitions
from epistrat.terms import Bounded, Compare, Comparison, Expr, Integer, Key, Real, Var
from epistrat.terms.linear import linear_form


def with_integers(system: Transitions) -> Transitions:
    """The same system; whole-numbered real variables have the domain of integers."""
    reals = {one.key for one in system.variables if isinstance(one.domain, Real)}
    if not reals:
        return system
    whole = {one.key for one in system.variables if isinstance(one.domain, (Integer, Bounded))}
    values: dict[Key, list[Expr]] = {key: [] for key in reals}
    hopeful = _whole_initially(system, whole) & reals
    for part in system.parts:
        for key in reals.intersection(part.defines):
            if part.writes is None:
                hopeful.discard(key)
            else:
                values[key] += [value for _, value in part.writes]
    while True:
        kept = {key for key in hopeful if all(_is_whole(value, whole | hopeful) for value in values[key])}
        if kept == hopeful:
            break
        hopeful = kept
    changed = [replace(one, domain=Integer()) if one.key in hopeful else one for one in system.variables]
    return replace(system, variables=tuple(changed))


def _whole_initially(system: Transitions, whole: set[Key]) -> set[Key]:
    """Variables that are whole in every initial state, by equations that rest on integers and on variables found before."""
    equations = list(_start_equations(system))
    found = set(whole)
    while True:
        more = {key for key, value in equations if key not in found and _is_whole(value, found)}
        if not more:
            return found
        found |= more


def _start_equations(system: Transitions) -> Iterator[tuple[Key, Expr]]:
    """Variables with what the initial condition equates them with."""
    for condition in system.initial:
        match condition:
            case Compare(Comparison.EQUAL, left, right):
                for one, value in ((left, right), (right, left)):
                    if isinstance(one, Var):
                        yield one.key, value


def _is_whole(value: Expr, whole: set[Key]) -> bool:
    form = linear_form(value)
    return (
        form is not None
        and form.constant.denominator == 1
        and all(key in whole and factor.denominator == 1 for key, factor in form.factors)
    )
