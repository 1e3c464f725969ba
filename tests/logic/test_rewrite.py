"""Normal forms: their shape.  That they preserve verdicts is tested with the judge."""

from __future__ import annotations

import random

import pytest
from tests.generators import random_formula, random_system

from epistrat.logic import core, dual, negation, negation_normal_form, show, simplify, subformulae
from epistrat.logic.formula import (
    ATOMS,
    KNOWLEDGE,
    And,
    Coalition,
    Correct,
    Everybody,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Group,
    Historically,
    Iff,
    Implies,
    Knows,
    Next,
    Not,
    Once,
    Or,
    Prop,
    Release,
    Since,
    Truth,
    Until,
    WeakUntil,
    Xor,
    Yesterday,
)
from epistrat.logic.rewrite import conjunction, disjunction

p, q = Prop("p"), Prop("q")
TRUE, FALSE = Truth(True), Truth(False)


@pytest.mark.parametrize(
    ("formula", "negated"),
    [
        (p, "!p"),
        (Not(p), "p"),
        (Implies(p, q), "p and !q"),
        (Iff(p, q), "(p and !q) or (!p and q)"),
        (Xor(p, q), "(p and q) or (!p and !q)"),
        (ForAll(Globally(p)), "EF !p"),
        (Exists(Until(p, q)), "A((!q) W (!p and !q))"),
        (ForAll(WeakUntil(p, q)), "E((!q) U (!p and !q))"),
        (ForAll(Release(p, q)), "E((!p) U (!q))"),
        (Exists(Next(p)), "AX !p"),
        (Knows("A", Not(Not(p))), "!K(A, p)"),
        (Coalition(Group(("A",)), Finally(p)), "!(<{A}>F p)"),
        (Exists(Globally(Once(p)), star=True), "LTL F Hist !p"),
        (Exists(Finally(Yesterday(p)), star=True), "LTL G ((Y !p) or !(Y true))"),
        (Exists(Finally(Since(p, q)), star=True), "LTL G ((Hist !q) or ((!q) S (!p and !q)))"),
        (Exists(Finally(Historically(p)), star=True), "LTL G Once !p"),
    ],
)
def test_duals(formula: Formula, negated: str) -> None:
    assert show(dual(formula)) == negated


@pytest.mark.parametrize(
    ("formula", "simple"),
    [
        (And((p, TRUE, And((q, p)))), And((p, q))),
        (And((p, FALSE)), FALSE),
        (Or((p, TRUE)), TRUE),
        (Or((FALSE, p)), p),
        (Not(Not(p)), p),
        (Not(TRUE), FALSE),
        (Implies(TRUE, p), p),
        (Implies(p, q), Implies(p, q)),
        (Iff(p, FALSE), Not(p)),
        (Xor(TRUE, p), Not(p)),
        (Xor(p, FALSE), p),
        (Exists(Next(Or((p, TRUE)))), Exists(Next(TRUE))),
    ],
)
def test_simplification(formula: Formula, simple: Formula) -> None:
    assert simplify(formula) == simple


def test_empty_joins() -> None:
    assert conjunction(()) == TRUE
    assert disjunction(()) == FALSE
    assert negation(FALSE) == TRUE


def test_knowledge_of_a_path_formula_stays_about_runs() -> None:
    assert simplify(Knows("A", And((Next(p), FALSE)))) == Knows("A", ForAll(FALSE, star=True))


def test_the_core_of_everybody_and_of_weak_operators() -> None:
    assert show(core(Everybody(Group(("A", "B")), p))) == "K(A, p) and K(B, p)"
    assert show(core(Exists(WeakUntil(p, q)))) == "!(!(E(p U q)) and !(EG p))"
    assert show(core(ForAll(Finally(p)))) == "!(EG !p)"
    both = And((Exists(Globally(p)), ForAll(Finally(Globally(p)), star=True)))
    assert "EG p" in show(core(both))
    assert "F" not in show(core(both))


CORE_PATH = (Next, Until, Yesterday, Since)


@pytest.mark.parametrize("name", ["CTLK", "ATLK", "LTLK", "CTL*K"])
def test_normal_forms_use_only_the_operators_they_promise(name: str) -> None:
    for seed in range(150):
        rng = random.Random(seed)
        formula = random_formula(rng, random_system(rng), name, past=True)
        for part in subformulae(negation_normal_form(formula)):
            assert not isinstance(part, (Implies, Iff, Xor))
            if isinstance(part, Not):
                assert isinstance(part.arg, (*ATOMS, *KNOWLEDGE, Correct, Coalition)) or part.arg == Yesterday(TRUE)
        for part in subformulae(core(formula)):
            assert not isinstance(part, (Or, Implies, Iff, Xor, ForAll, Everybody, Once, Historically))
            if isinstance(part, Exists) and not part.star:
                assert isinstance(part.arg, (Next, Until, Globally))
