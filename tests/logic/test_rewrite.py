"""Normal forms: their shape.  That they preserve verdicts is tested with the judge."""

from __future__ import annotations

import random

import pytest
from tests.generators import random_formula, random_system

from epistrat.logic import negation, negation_normal_form, show, subformulae
from epistrat.logic.formula import (
    ATOMS,
    KNOWLEDGE,
    And,
    Coalition,
    Correct,
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
    Prop,
    Release,
    Since,
    Truth,
    Until,
    WeakUntil,
    Xor,
    Yesterday,
)
from epistrat.logic.rewrite import conjunction, disjunction, opposite, with_operands

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
    assert show(negation_normal_form(negation(formula))) == negated


@pytest.mark.parametrize(
    ("formula", "simple"),
    [
        (conjunction((p, TRUE, And((q, p)))), And((p, q))),
        (conjunction((p, FALSE)), FALSE),
        (disjunction((p, TRUE)), TRUE),
        (disjunction((FALSE, p)), p),
        (negation(Not(p)), p),
        (negation(TRUE), FALSE),
    ],
)
def test_constants_and_repetitions_are_dropped(formula: Formula, simple: Formula) -> None:
    assert formula == simple


@pytest.mark.parametrize("path", [Next(p), Finally(p), Globally(p), Until(p, q), WeakUntil(p, q), Release(p, q)])
def test_opposites(path: Formula) -> None:
    assert not isinstance(opposite(path), Not)
    assert negation_normal_form(opposite(path)) == negation_normal_form(Not(path))


def test_empty_joins() -> None:
    assert conjunction(()) == TRUE
    assert disjunction(()) == FALSE
    assert negation(FALSE) == TRUE


def test_knowledge_of_a_path_formula_stays_about_runs() -> None:
    assert with_operands(Knows("A", Next(p)), (FALSE,)) == Knows("A", ForAll(FALSE, star=True))


@pytest.mark.parametrize("name", ["CTLK", "ATLK", "LTLK", "CTL*K"])
def test_normal_forms_use_only_the_operators_they_promise(name: str) -> None:
    for seed in range(150):
        rng = random.Random(seed)
        formula = random_formula(rng, random_system(rng), name, past=True)
        for part in subformulae(negation_normal_form(formula)):
            assert not isinstance(part, (Implies, Iff, Xor))
            if isinstance(part, Not):
                assert isinstance(part.arg, (*ATOMS, *KNOWLEDGE, Correct, Coalition)) or part.arg == Yesterday(TRUE)
