"""Real variables that are whole numbers on every run are declared as integers, so that solvers can count on it.

A variable is one of them if an initial equation and every assignment give it a sum of whole multiples of integers, of other such
variables, and of a whole constant.
"""

from __future__ import annotations

from dataclasses import replace

from epistrat.encoding.transitions import Transitions
from epistrat.terms import And, Bounded, Compare, Comparison, Expr, Integer, Key, Real, Var
from epistrat.terms.linear import linear_form


def with_integers(system: Transitions) -> Transitions:
    """The same system; whole-numbered real variables have the domain of integers."""
    reals = {one.key for one in system.variables if isinstance(one.domain, Real)}
    if not reals:
        return system
    whole = {one.key for one in system.variables if isinstance(one.domain, (Integer, Bounded))}
    values: dict[Key, list[Expr]] = {key: [] for key in reals}
    started = _start_values(system)
    open_keys = {key for key in reals if key not in started}
    for key, value in started.items():
        if key in reals:
            values[key].append(value)
    for part in system.parts:
        for key in reals.intersection(part.defines):
            if part.writes is None:
                open_keys.add(key)
            else:
                values[key] += [value for _, value in part.writes]
    hopeful = reals - open_keys
    while True:
        kept = {key for key in hopeful if all(_is_whole(value, whole | hopeful) for value in values[key])}
        if kept == hopeful:
            break
        hopeful = kept
    changed = [replace(one, domain=Integer()) if one.key in hopeful else one for one in system.variables]
    return replace(system, variables=tuple(changed))


def _start_values(system: Transitions) -> dict[Key, Expr]:
    """Variables that the initial condition equates with something."""
    found: dict[Key, Expr] = {}
    pending = list(system.initial)
    while pending:
        match pending.pop():
            case And(args):
                pending.extend(args)
            case Compare(Comparison.EQUAL, Var() as variable, value):
                found.setdefault(variable.key, value)
            case Compare(Comparison.EQUAL, value, Var() as variable):
                found.setdefault(variable.key, value)
    return found


def _is_whole(value: Expr, whole: set[Key]) -> bool:
    form = linear_form(value)
    return (
        form is not None
        and form.constant.denominator == 1
        and all(key in whole and factor.denominator == 1 for key, factor in form.factors)
    )
