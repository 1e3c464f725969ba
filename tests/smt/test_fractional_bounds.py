"""Comparisons with bounds between grid points, as conditions for a solver and as predicates of the abstraction.

Every factor, bound and comparison of a small range is tried at every value around the bound, so that rounding to the wrong
side shows whatever the signs are.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
import z3

from epistrat.encoding.smt.system import SmtSystem
from epistrat.engines.abstraction.predicates import Predicate, Shape, decide
from epistrat.model.agent import Agent, Variable
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.terms import Bounded, Compare, Domain, Expr, Integer, Key, Real, Sort, Terms, subterms

DOMAINS: dict[str, Domain] = {"x": Integer(), "y": Bounded(-3, 3), "r": Real()}
SYSTEM = System((Agent("A", tuple(Variable("A", name, domain) for name, domain in DOMAINS.items())),))
STATES: list[State] = [(x, y, r) for x, y, r in product(range(-3, 4), (-1, 2), (Fraction(-1), Fraction(3, 2)))]
TERMS = Terms()
GRIDS: dict[Key, Fraction | None] = {("A", "x"): Fraction(1), ("A", "y"): Fraction(1), ("A", "r"): None}


def _sum(factors: tuple[int, int, int]) -> Expr:
    parts = [
        TERMS.arith("*", TERMS.number(factor), TERMS.variable("A", name, Sort.NUMBER))
        for name, factor in zip(DOMAINS, factors, strict=True)
        if factor
    ]
    if not parts:  # what remains of a difference of equal things
        return TERMS.arith("-", TERMS.variable("A", "x", Sort.NUMBER), TERMS.variable("A", "x", Sort.NUMBER))
    result = parts[0]
    for part in parts[1:]:
        result = TERMS.arith("+", result, part)
    return result


CONDITIONS = [
    TERMS.compare(op, _sum(factors), TERMS.number(Fraction(bound, 2)))
    for factors in (
        (0, 0, 0),
        (2, 0, 0),
        (-2, 0, 0),
        (3, 0, 0),
        (-1, 2, 0),
        (1, -1, 0),
        (0, 0, 2),
        (1, 0, -2),
        (-1, 1, 1),
    )
    for bound in (-4, -3, -1, 0, 1, 2, 5)
    for op in ("<", "<=", "=", ">", ">=", "<>")
]


def test_conditions_for_a_solver() -> None:
    smt, evaluator = SmtSystem(SYSTEM), Evaluator(SYSTEM)
    for condition in CONDITIONS:
        term = smt.terms.condition(condition)
        for state in STATES:
            values = [
                (smt.terms.constant(("A", name)), _value(name, state[place], smt)) for place, name in enumerate(DOMAINS)
            ]
            found = z3.simplify(z3.substitute(term, *values))
            assert z3.is_true(found) == evaluator.holds(condition, state), (condition, state)


def _value(name: str, value: object, smt: SmtSystem) -> object:
    context = smt.terms.context
    if z3.is_int(smt.terms.constant(("A", name))):
        return z3.IntVal(int(str(value)), context)
    return z3.RealVal(str(value), context)


@pytest.mark.parametrize("step", [Fraction(1), Fraction(1, 2)])
def test_predicates_on_a_grid_and_off_it(step: Fraction) -> None:
    """With a grid of halves, x and y take halves too; what lies on no grid may be anything."""
    evaluator = Evaluator(SYSTEM)
    grids = {key: grid if grid is None else step for key, grid in GRIDS.items()}
    states = [(x * step, y * step, r) for x, y, r in STATES]  # type: ignore[operator]
    for condition in CONDITIONS:
        for part in subterms(condition):
            if isinstance(part, Compare):
                decided = decide(part, grids.__getitem__)
                for state in states:
                    truths = [_holds(evaluator, predicate, state) for predicate in decided.predicates]
                    assert _shaped(decided.shape, truths) == evaluator.holds(part, state), (part, state)


def _holds(evaluator: Evaluator, predicate: Predicate, state: State) -> bool:
    return evaluator.holds(predicate.condition(TERMS), state)  # type: ignore[union-attr]


def _shaped(shape: Shape, truths: list[bool]) -> bool:
    match shape:
        case Shape.POSITIVE:
            return truths[0]
        case Shape.NEGATIVE:
            return not truths[0]
        case Shape.BETWEEN:
            return truths[0] and not truths[1]
        case _:
            return shape is Shape.TRUE
