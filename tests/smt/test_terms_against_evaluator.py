"""Expressions as solver terms, against the evaluator: all arithmetic, division by zero included, and comparisons of every sort."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

from epistrat.encoding.smt.read import Reader
from epistrat.encoding.smt.system import SmtSystem
from epistrat.model.agent import Agent, Variable
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.terms import Boolean, Bounded, Domain, Enumeration, Expr, Integer, Real, Terms, Value

DOMAINS: dict[str, Domain] = {
    "n": Integer(),
    "b": Bounded(-2, 3),
    "r": Real(),
    "p": Boolean(),
    "c": Enumeration(("red", "green", "blue")),
    "d": Enumeration(("blue", "grey")),
}
VALUES: dict[str, tuple[Value, ...]] = {
    "n": (-2, 0, 3),
    "b": (-2, 0, 1),
    "r": (Fraction(1, 2), 0, -1),
    "p": (False, True),
    "c": ("red", "blue"),
    "d": ("blue", "grey"),
}
SYSTEM = System((Agent("A", tuple(Variable("A", name, domain) for name, domain in DOMAINS.items())),))
STATES: list[State] = list(product(*VALUES.values()))


def number(rng: random.Random, terms: Terms, depth: int) -> Expr:
    if depth == 0 or rng.random() < 0.2:
        name = rng.choice(("n", "b", "r"))
        constant = terms.number(rng.choice((0, 1, 2, Fraction(1, 3))))
        return rng.choice((terms.variable("A", name, DOMAINS[name].sort), constant))
    return terms.arith(rng.choice("+-*//"), number(rng, terms, depth - 1), number(rng, terms, depth - 1))


def condition(rng: random.Random, terms: Terms, depth: int) -> Expr:
    kind = rng.randrange(7)
    if depth == 0 or kind < 4:
        if kind == 0:
            return terms.variable("A", "p", DOMAINS["p"].sort)
        if kind == 1:
            c, d = (terms.variable("A", name, DOMAINS[name].sort) for name in "cd")
            return terms.compare("=", c, rng.choice((d, terms.name("green"), terms.name("grey"))))
        return terms.compare(rng.choice(("=", "<", "<=", "<>")), number(rng, terms, 3), number(rng, terms, 2))
    parts = [condition(rng, terms, depth - 1) for _ in range(2)]
    if kind == 4:
        return terms.exclusive(*parts)
    return terms.conjunction(parts) if kind == 5 else terms.compare("=", *parts)


@pytest.mark.parametrize("seed", range(25))
def test_conditions_mean_what_the_evaluator_says(seed: int) -> None:
    rng, terms = random.Random(seed), Terms()
    smt = SmtSystem(SYSTEM)
    session = smt.session(work=2_500_000)
    evaluator = Evaluator(SYSTEM)
    asked = [condition(rng, terms, 2) for _ in range(3)]
    for state in rng.sample(STATES, 6):
        with session.scope():
            session.add(smt.equals(state))
            for expr in asked:
                true = evaluator.holds(expr, state)
                assert session.check(expr if true else terms.negate(expr)).sat, (expr, state, true)
                assert session.check(terms.negate(expr) if true else expr).unsat, (expr, state, true)


@pytest.mark.parametrize("seed", range(8))
def test_linear_conditions_come_back(seed: int) -> None:
    """A condition translated, read back and translated again is equivalent to itself."""
    rng, terms = random.Random(seed), Terms()
    smt = SmtSystem(SYSTEM)
    n, b = (terms.variable("A", name, DOMAINS[name].sort) for name in "nb")
    c = terms.variable("A", "c", DOMAINS["c"].sort)
    parts = [
        terms.compare(
            "<=", terms.arith("+", n, terms.arith("*", terms.number(rng.randint(-3, 3)), b)), terms.number(2)
        ),
        terms.compare("=", c, terms.name(rng.choice(("red", "green", "blue")))),
        terms.compare("=", terms.arith("/", n, terms.number(2)), b),
    ]
    expr = terms.disjunction((terms.conjunction(parts[:2]), terms.exclusive(parts[1], parts[2])))
    back = Reader(smt.terms, terms).expression(smt.terms.condition(expr))
    session = smt.session()
    session.add(smt.domains(0))
    assert session.check(terms.exclusive(expr, back)).unsat
