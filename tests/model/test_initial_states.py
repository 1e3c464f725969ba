"""Initial states: all solutions of the initial condition, found by propagation."""

from __future__ import annotations

import dataclasses
import random
import time
from fractions import Fraction
from itertools import pairwise, product

import pytest
from tests.generators import random_system
from tests.generators.systems import Wishes, _condition, _Draft

from epistrat.lang.load import load
from epistrat.model.agent import Agent, Variable
from epistrat.model.evaluate import Evaluator
from epistrat.model.initial import (
    InfinitelyManyInitialStates,
    TooManyInitialStates,
    each_initial_state,
    initial_states,
)
from epistrat.model.system import System
from epistrat.terms import FALSE, TRUE, Boolean, Bounded, Domain, Expr, FiniteDomain, Integer, Real, Terms

terms = Terms()


def system(initial: Expr, **domains: Domain) -> System:
    return System((Agent("A", tuple(Variable("A", name, domain) for name, domain in domains.items())),), initial)


def var(name: str, domain: Domain) -> Expr:
    return terms.variable("A", name, domain.sort)


def both(*parts: Expr) -> Expr:
    return terms.conjunction(parts)


def test_random_conditions_have_exactly_their_solutions() -> None:
    for seed in range(300):
        rng = random.Random(seed)
        drawn = random_system(rng)
        draft = _Draft(rng, Wishes(), drawn.composition, drawn.semantics)
        condition = _condition(draft, drawn.variables, 4)
        asked = dataclasses.replace(drawn, initial=condition)
        evaluator = Evaluator(asked)
        domains = [variable.domain for variable in asked.variables]
        everything = product(*(domain for domain in domains if isinstance(domain, FiniteDomain)))
        expected = {state for state in everything if evaluator.holds(condition, state)}
        found = initial_states(asked)
        assert len(found) == len(set(found))
        assert set(found) == expected, seed


def test_a_long_conjunction_of_equalities_is_solved_at_once() -> None:
    names = [f"x{index}" for index in range(1_500)]
    domain = Bounded(0, 1_000_000)
    variables = [var(name, domain) for name in names]
    parts = [terms.compare("=", variables[0], terms.number(7))]
    parts += [terms.compare("=", one, other) for one, other in pairwise(variables)]
    random.Random(0).shuffle(parts)
    started = time.process_time()
    assert initial_states(system(both(*parts), **dict.fromkeys(names, domain))) == [(7,) * 1_500]
    assert time.process_time() - started < 5


def test_limits() -> None:
    free = system(TRUE, x=Boolean(), y=Boolean())
    assert len(initial_states(free, 4)) == 4
    with pytest.raises(TooManyInitialStates, match="more than 3"):
        initial_states(free, 3)
    many = system(TRUE, **{f"x{index}": Boolean() for index in range(200)})
    assert next(each_initial_state(many)) == (False,) * 200


def test_no_solution() -> None:
    assert initial_states(system(FALSE, x=Boolean())) == []
    n = var("n", Bounded(0, 3))
    assert initial_states(system(terms.compare(">", n, terms.number(5)), n=Bounded(0, 3))) == []


def test_ranges_are_cut_without_listing_them() -> None:
    huge = Bounded(0, 10**15)
    n = var("n", huge)
    enclosed = both(terms.compare(">=", n, terms.number(10**14)), terms.compare("<", n, terms.number(10**14 + 3)))
    assert initial_states(system(enclosed, n=huge)) == [(10**14,), (10**14 + 1,), (10**14 + 2,)]


x, y = var("x", Integer()), var("y", Integer())
r = var("r", Real())
two = terms.number(2)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (terms.compare("=", x, two), [2]),
        (terms.compare("=", terms.arith("+", terms.arith("*", two, x), two), terms.number(8)), [3]),
        (terms.compare("=", terms.arith("*", two, x), terms.number(3)), []),
        (both(terms.compare(">", x, two), terms.compare("<=", x, terms.number(5))), [3, 4, 5]),
        (both(terms.negate(terms.compare("<", x, two)), terms.negate(terms.compare("<=", terms.number(4), x))), [2, 3]),
        (both(terms.compare("<", terms.arith("-", two, x), two), terms.compare("<", x, two)), [1]),
        (both(terms.compare(">", x, two), terms.compare("<", x, two)), []),
        (terms.disjunction((terms.compare("=", x, two), terms.compare("=", x, terms.number(9)))), [2, 9]),
        (terms.disjunction((terms.compare("=", x, two), terms.compare("=", two, x))), [2]),
        (
            both(
                terms.compare("<", x, terms.number(4)),
                terms.compare("<>", x, two),
                terms.compare(">", x, terms.number(0)),
            ),
            [1, 3],
        ),
        (
            terms.negate(both(terms.compare("<>", x, two), terms.compare("<>", x, terms.number(3)))),
            [2, 3],
        ),
        (
            both(
                terms.exclusive(terms.compare("=", x, two), terms.compare("<", x, terms.number(0))),
                terms.compare(">", x, terms.number(-3)),
            ),
            [-2, -1, 2],
        ),
        (
            both(
                terms.compare("=", terms.compare("=", x, two), terms.compare("<", x, terms.number(3))),
                terms.compare("<=", x, terms.number(4)),
                terms.compare(">", x, terms.number(1)),
            ),
            [2, 3, 4],
        ),
    ],
)
def test_unbounded_variables_that_are_fixed_or_enclosed(condition: Expr, expected: list[int]) -> None:
    assert sorted(initial_states(system(condition, x=Integer()))) == [(value,) for value in expected]


def test_one_unbounded_variable_fixes_another() -> None:
    chain = both(
        terms.compare("=", y, terms.arith("+", x, terms.number(1))), terms.compare("=", x, terms.arith("/", two, two))
    )
    assert initial_states(system(chain, x=Integer(), y=Integer())) == [(1, 2)]


def test_a_finite_choice_fixes_an_unbounded_variable() -> None:
    b = var("b", Boolean())
    cases = terms.disjunction(
        (
            both(b, terms.compare("=", x, terms.number(5))),
            both(terms.negate(b), terms.compare("=", x, terms.number(6))),
        )
    )
    assert initial_states(system(cases, b=Boolean(), x=Integer())) == [(False, 6), (True, 5)]


def test_reals_are_exact() -> None:
    third = terms.compare("=", terms.arith("*", terms.number(3), r), terms.number(1))
    assert initial_states(system(third, r=Real())) == [(Fraction(1, 3),)]
    point = both(terms.compare("<=", r, two), terms.compare("<=", two, r))
    assert initial_states(system(point, r=Real())) == [(2,)]
    assert initial_states(system(both(terms.compare("<", r, two), terms.compare("<=", two, r)), r=Real())) == []


@pytest.mark.parametrize(
    "condition",
    [
        TRUE,
        terms.compare("<", x, two),
        terms.compare("<>", x, two),
        terms.compare("=", terms.arith("*", x, x), terms.number(4)),
        terms.compare("=", terms.arith("/", terms.number(4), x), two),
        terms.compare("=", terms.arith("-", x, x), terms.number(0)),
        both(terms.compare("<", x, terms.number(10**9)), terms.compare(">", x, terms.number(0))),
        terms.disjunction((terms.compare("=", x, two), terms.compare(">", x, two))),
    ],
)
def test_a_variable_left_open_is_named(condition: Expr) -> None:
    with pytest.raises(InfinitelyManyInitialStates, match=r"A\.x \(of type integer\)"):
        initial_states(system(condition, x=Integer()))


def test_an_open_real_is_named() -> None:
    between = both(terms.compare("<", r, two), terms.compare(">", r, terms.number(0)))
    with pytest.raises(InfinitelyManyInitialStates, match=r"A\.r \(of type real\)"):
        initial_states(system(between, r=Real()))


def test_a_condition_that_is_written_twice_is_met_once() -> None:
    text = """
Agent Environment
    Vars: x : integer; y : integer; end Vars
    Actions = {none};
    Protocol: Other : {none}; end Protocol
    Evolution: x = x if x = 0; end Evolution
end Agent
Evaluation p if Environment.x = 0; end Evaluation
InitStates
    !(1 <= Environment.x) and !(1 <= Environment.x) and 0 <= Environment.x and Environment.y = Environment.x;
end InitStates
Formulae AG p; end Formulae
"""
    system = load(text).system
    assert system is not None and initial_states(system, 10) == [(0, 0)]
