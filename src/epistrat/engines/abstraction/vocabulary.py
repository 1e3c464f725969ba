"""The predicates that an abstraction starts with: those that decide every condition of the model and of the formula."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from epistrat.engines.abstraction.choices import Unit, domains_of
from epistrat.engines.abstraction.cone import Cone
from epistrat.engines.abstraction.enumerate import Rank
from epistrat.engines.abstraction.predicates import (
    Grid,
    Predicate,
    Threshold,
    common_measure,
    decide_form,
    fitting,
    is_numeric,
    predicates_in,
    substituted,
)
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, subformulae
from epistrat.terms import Bounded, Comparison, Expr, Key
from epistrat.terms.linear import Linear, linear_form


def conditions_of(cone: Cone, formulae: Iterable[Formula]) -> Iterator[Expr]:
    """All conditions that the model and the formulae decide anything by."""
    system = cone.system
    yield cone.initial
    for agent in system.agents:
        if agent.name in cone.actors:
            for line in agent.protocol:
                yield line.condition
    for unit in cone.units:
        yield from unit.guards
        for alternative in unit.alternatives:
            yield from (value for _, value in alternative.assignments if not is_numeric(domains_of(system)[_]))
    for part in subformulae(*formulae):
        match part:
            case logic.Prop(name):
                yield system.propositions[name]
            case logic.Test(condition):
                yield condition
            case logic.Colour(agent=name) | logic.Correct(agent=name) if name in system.agent:
                red = system.agent[name].red
                if red is not None:
                    yield red


def first_predicates(cone: Cone, formulae: Iterable[Formula], grid: Grid, exact: int) -> dict[Predicate, None]:
    """The predicates of all conditions and of the domains that values must fit.

    Bounded variables with at most ``exact`` values get a predicate between any two neighbouring values.
    """
    found = predicates_in(conditions_of(cone, formulae), grid)
    domains = domains_of(cone.system)
    for unit in cone.units:
        for alternative in unit.alternatives:
            for key, value in alternative.assignments:
                if is_numeric(domains[key]):
                    for part in fitting(value, domains[key], grid):
                        found.update(dict.fromkeys(part.predicates))
    for key, domain in domains.items():
        if key in cone.keys and isinstance(domain, Bounded) and len(domain) <= exact:
            form = Linear(((key, Fraction(1)),))
            found.update(dict.fromkeys(Threshold(form, Fraction(bound)) for bound in range(domain.low, domain.high)))
    return found


def rank_candidates(predicates: Iterable[Predicate], units: Sequence[Unit]) -> list[Rank]:
    """For every sum that changes: how far it is above its lowest bound, and how far below its highest.

    The unit is the amount by which the sum changes, since a rank has to fall by at least 1.
    """
    changed: set[Key] = {key for unit in units for made in unit.alternatives for key, _ in made.assignments}
    bounds: dict[Linear, list[Fraction]] = {}
    for predicate in predicates:
        if isinstance(predicate, Threshold) and predicate.keys & changed:
            bounds.setdefault(predicate.form, []).append(predicate.bound)
    found: list[Rank] = []
    for form, listed in bounds.items():
        low, high = Linear((), min(listed)), Linear((), max(listed) + 1)
        per_step = 1 / min(Fraction(1), _amount(form, units))
        found += [Rank((form - low).times(per_step)), Rank((high - form).times(per_step))]
    return found


def _amount(form: Linear, units: Sequence[Unit]) -> Fraction:
    """The number of which all changes of a sum by fixed amounts are multiples."""
    changes: list[Fraction] = []
    for unit in units:
        for made in unit.alternatives:
            values = {key: linear_form(value) for key, value in made.assignments}
            difference = substituted(form, {key: value for key, value in values.items() if value is not None}) - form
            if not difference.factors:
                changes.append(difference.constant)
    return common_measure(changes)


def earlier_predicates(predicates: Iterable[Predicate], units: Sequence[Unit], grid: Grid) -> list[Predicate]:
    """What decides, before an assignment, the predicates after it (weakest preconditions), as far as that is not decided yet.

    Predicates about sums that do not occur yet come first, then those with the smallest bounds.
    """
    known = dict.fromkeys(predicates)
    forms = {predicate.form for predicate in known if isinstance(predicate, Threshold)}
    found: dict[Threshold, None] = {}
    for unit in units:
        for made in unit.alternatives:
            values = {key: linear_form(value) for key, value in made.assignments}
            linear = {key: value for key, value in values.items() if value is not None}
            for predicate in known:
                if not isinstance(predicate, Threshold) or not predicate.keys & linear.keys():
                    continue
                before = substituted(predicate.form, linear) - Linear((), predicate.bound)
                op = Comparison.LESS if predicate.strict else Comparison.LESS_EQUAL
                for part in decide_form(op, before, grid).predicates:
                    if isinstance(part, Threshold) and part not in known:
                        found[part] = None
    ordered: list[Threshold] = sorted(found, key=lambda one: (one.form in forms, len(one.form.factors), abs(one.bound)))
    return list(ordered)
