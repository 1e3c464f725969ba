"""Model-based projection: what some variables can be, without the others.

From one solution of a condition, Z3 makes a conjunction over the variables that are kept. It is true in this solution,
and wherever it is true, values for the other variables exist. A few solutions, one after the other, often give all there
are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import z3

from epistrat.encoding.smt.read import Reader, Unreadable
from epistrat.proving.contract import Undecided
from epistrat.proving.unrolling import Unrolling
from epistrat.solvers.budget import Budget
from epistrat.solvers.smt.session import RESOURCES
from epistrat.terms import Compare, Comparison, Expr, Integer, Key, Not, Real, Sort, Terms, children, subterms
from epistrat.terms.linear import linear_form
from epistrat.terms.substitute import rebuilt

LEAP_WORK = 1_500_000  # for one solution of an unrolling
_STATE_WORK = 2_000_000  # for one solution in a single state
_MOST_REGIONS = 24  # solutions that are generalised, one by one
_TRIED = 250_000  # work for another place of a region
_MORE_REGIONS = 5  # for each number of steps


def excluding(
    beside: Unrolling, invariants: Iterable[Expr], keys: Sequence[Key], denied: Expr, budget: Budget
) -> Expr | None:
    """Where no values of the other variables satisfy the invariants and the condition; None if that takes too long to write.

    The system is the one that ``beside`` unrolls.  Z3 cannot always eliminate integers next to reals.  With reals in their place more
    values are possible, so that the condition found describes fewer places, but is still right.
    """
    system = beside.system
    found = exactly_excluding(Unrolling(system, budget, from_start=False, beside=beside), invariants, keys, denied)
    domains = {type(one.domain) for one in system.variables}
    if found is not None or not {Integer, Real} <= domains:
        return found
    whole = {one.key for one in system.variables if not isinstance(one.domain, Real)}
    reals = [replace(one, domain=Real()) if one.domain == Integer() else one for one in system.variables]
    known = [_without_gaps(system.terms, one, whole) for one in invariants]
    denied = _without_gaps(system.terms, denied, whole)
    other = Unrolling(replace(system, variables=tuple(reals)), budget, from_start=False)
    return exactly_excluding(other, known, keys, denied)


def _without_gaps(terms: Terms, condition: Expr, whole: set[Key]) -> Expr:
    """The same for whole numbers, where less means at most one less."""
    done: dict[Expr, Expr] = {}
    for term in subterms(condition):
        match term:
            case Compare(Comparison.LESS, left, right) if _counts(terms, left, right, whole):
                done[term] = terms.compare("<=", terms.arith("+", left, terms.number(1)), right)
            case Not(Compare(Comparison.LESS_EQUAL, left, right)) if _counts(terms, left, right, whole):
                done[term] = terms.compare("<=", terms.arith("+", right, terms.number(1)), left)
            case _:
                done[term] = rebuilt(terms, term, [done[child] for child in children(term)]) if children(term) else term
    return done[condition]


def _counts(terms: Terms, left: Expr, right: Expr, whole: set[Key]) -> bool:
    """Whether the difference is always a whole number."""
    form = linear_form(terms.arith("-", left, right)) if left.sort is Sort.NUMBER else None
    return (
        form is not None
        and form.constant.denominator == 1
        and all(key in whole and factor.denominator == 1 for key, factor in form.factors)
    )


def exactly_excluding(state: Unrolling, invariants: Iterable[Expr], keys: Sequence[Key], denied: Expr) -> Expr | None:
    """Exactly where no values of the other variables satisfy the invariants and the condition; None if that is not found.

    ``state`` is a solver that is asked about single states; afterwards it is of no use for anything else.
    """
    system, budget = state.system, state.budget
    own = {one.key for one in system.variables}
    kept = {constant.get_id() for key in keys if key in own for constant in state.terms.constants(key, 0)}
    inside = [state.terms.within(one.key, 0) for one in system.variables]
    body = [*inside, *[state.at(one) for one in invariants], state.at(denied)]
    state.session.add(*body)
    reader = Reader(state.terms, system.terms)
    possible: list[Expr] = []
    with suppress(Undecided, Unreadable):
        for _ in range(budget.patience.most(_MOST_REGIONS)):
            if not state.solve([], _STATE_WORK, steps=0):
                return system.terms.negate(system.terms.disjunction(possible))
            found = _model_projection(state, body, kept, 0)
            if found is None:
                return None
            possible.append(reader.expression(found))
            state.session.add(z3.Not(found))
    return None


def more_regions(unrolling: Unrolling, end: int, question: Sequence[Expr], known: Expr, keys: Sequence[Key]) -> Expr:
    """The known region, and others that one step more or fewer steps can reach."""
    terms = unrolling.system.terms
    for depth in range(end + 1, -1, -1):
        for _ in range(unrolling.budget.patience.most(_MORE_REGIONS)):
            other = region(unrolling, depth, question, [terms.negate(known)], keys)
            if other is None:
                break
            known = terms.disjunction((known, other))
    return known


def region(
    unrolling: Unrolling, end: int, question: Sequence[Expr], exact: Sequence[Expr], keys: Sequence[Key]
) -> Expr | None:
    """What the variables can be after so many steps where the question holds, around given values."""
    unrolling.extend(end)
    asked = [unrolling.at(condition, end) for condition in question]
    with suppress(Undecided, Unreadable):
        if not unrolling.solve([*asked, *[unrolling.at(one, end) for one in exact]], LEAP_WORK, steps=end):
            return None
        wanted = [constant.get_id() for key in keys for constant in unrolling.terms.constants(key, end)]
        kept = set(wanted)
        if len(kept) < len(wanted):
            return None  # the run is shorter than what is remembered: these values are equal
        found = _model_projection(unrolling, [*_path(unrolling, end), *asked], kept, end)
        if found is not None:
            return Reader(unrolling.terms, unrolling.system.terms, end).expression(found)
    return None


def _model_projection(unrolling: Unrolling, body: list[Any], kept: set[int], end: int) -> Any:
    """A conjunction over the kept constants, true in the last solution, that implies that the others exist; None if it fails."""
    model = unrolling.session.model
    formula = unrolling.terms.all(body)
    system = unrolling.system
    others = {
        constant.get_id(): constant
        for frame in range(end + 1)
        for one in (*system.variables, *system.inputs)
        for constant in unrolling.terms.constants(one.key, frame)
        if constant.get_id() not in kept
    }
    gone = list(others.values())
    array = (z3.Ast * len(gone))(*[one.as_ast() for one in gone])
    context = unrolling.terms.context
    try:
        raw = z3.Z3_qe_model_project(context.ref(), model.model, len(gone), array, formula.as_ast())
    except z3.Z3Exception:
        return None
    region = z3.simplify(z3.BoolRef(raw, context))
    if any(one.get_id() not in kept for one in _constants(region)):
        return None
    return region if _holds_elsewhere(unrolling, formula, region) else None


def _holds_elsewhere(unrolling: Unrolling, formula: Any, region: Any) -> bool:
    """Whether, at another place of the region, values for the other variables exist: what a library eliminated is tried.

    True also where the region has no other place.
    """
    context, model = unrolling.terms.context, unrolling.session.model
    here = [one == model.eval(one, model_completion=True) for one in _constants(region)]
    most = RESOURCES * unrolling.budget.patience.work(_TRIED)
    elsewhere = z3.Solver(ctx=context)
    elsewhere.set("rlimit", most)
    elsewhere.add(region, z3.Not(z3.And(*here)) if here else z3.BoolVal(False, context))
    if elsewhere.check() != z3.sat:
        return True
    found = elsewhere.model()
    place = [one == found.eval(one, model_completion=True) for one in _constants(region)]
    there = z3.Solver(ctx=context)
    there.set("rlimit", most)
    there.add(formula, *place)
    return bool(there.check() != z3.unsat)


def _path(unrolling: Unrolling, end: int) -> list[Any]:
    """The conditions for so many steps from an initial state."""
    terms, system = unrolling.terms, unrolling.system
    path = [terms.condition(condition, 0) for condition in system.initial]
    for frame in range(end + 1):
        path += [terms.within(one.key, frame) for one in system.variables]
    for frame in range(end):
        path += unrolling.step_terms(frame)
    return path


def _constants(term: Any) -> list[Any]:
    found: dict[int, Any] = {}
    seen: set[int] = set()
    stack = [term]
    while stack:
        current = stack.pop()
        if current.get_id() in seen:
            continue
        seen.add(current.get_id())
        if z3.is_const(current) and current.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found[current.get_id()] = current
        stack.extend(current.children())
    return list(found.values())
