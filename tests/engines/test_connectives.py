"""The fold over connectives against their truth tables, for every kind of truth that uses it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from epistrat.engines.explicit.label import MASKS
from epistrat.engines.fixpoints.label import booleans
from epistrat.logic.connect import Booleans, connect
from epistrat.logic.formula import And, Connective, Iff, Implies, Not, Or, Prop, Xor
from epistrat.solvers.bdd import open_algebra
from epistrat.terms import Terms

p, q = Prop("p"), Prop("q")
TABLE: list[tuple[Connective, Callable[[bool, bool], bool]]] = [
    (Not(p), lambda a, _: not a),
    (And((p, q)), lambda a, b: a and b),
    (Or((p, q)), lambda a, b: a or b),
    (Implies(p, q), lambda a, b: b or not a),
    (Iff(p, q), lambda a, b: a == b),
    (Xor(p, q), lambda a, b: a != b),
]


@pytest.mark.parametrize(("formula", "meaning"), TABLE)
def test_truth_tables(formula: Connective, meaning: Callable[[bool, bool], bool]) -> None:
    algebra, terms = open_algebra(1), Terms()
    conditions = Booleans(terms.negate, terms.conjunction, terms.disjunction, terms.exclusive)
    for values in product((False, True), repeat=2):
        args = values[:1] if isinstance(formula, Not) else values
        wanted = meaning(*values)
        diagrams = [algebra.true if value else algebra.false for value in args]
        assert (connect(formula, diagrams, booleans(algebra)) == algebra.true) is wanted
        assert connect(formula, [terms.boolean(value) for value in args], conditions) == terms.boolean(wanted)
        assert connect(formula, [np.array([value]) for value in args], MASKS)[0] == wanted
