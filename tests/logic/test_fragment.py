"""The classifier: the smallest fragment of a formula."""

from __future__ import annotations

import pytest

from epistrat.logic import fragment
from epistrat.logic.formula import (
    And,
    Coalition,
    Common,
    Correct,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Group,
    Historically,
    Implies,
    Knows,
    Next,
    Not,
    Once,
    Prop,
    Until,
    Yesterday,
)
from epistrat.logic.fragment import Feature, history_quantifiers, invariant_body

p, q = Prop("p"), Prop("q")
g = Group(("A", "B"))
SINCE_THEN = Exists(And((Finally(p), Once(q))), star=True)


@pytest.mark.parametrize(
    ("formula", "names"),
    [
        (p, ("CTL", "without next")),
        (ForAll(Next(p)), ("CTL", "KL1")),
        (ForAll(Globally(Knows("A", p))), ("CTLK", "KL1", "InvKL1", "without next")),
        (ForAll(Globally(Correct("A", p))), ("CTLK", "without next")),
        (ForAll(Globally(Common(g, p))), ("CTLK", "without next")),
        (Coalition(g, Finally(p)), ("ATL", "without next")),
        (Knows("A", Coalition(g, Next(p))), ("ATLK",)),
        (ForAll(Globally(Finally(p)), star=True), ("LTL", "KL1", "without next")),
        (ForAll(Globally(Implies(p, Finally(Knows("A", q)))), star=True), ("LTLK", "KL1", "without next")),
        (ForAll(Globally(Knows("A", Next(p))), star=True), ("LTLK", "KL1", "InvKL1")),
        (
            ForAll(Globally(Implies(p, Finally(Knows("A", Once(p))))), star=True),
            ("LTLK with past", "KL1", "without next"),
        ),
        (ForAll(Globally(Knows("A", Knows("B", p)))), ("CTLK", "without next")),
        (ForAll(Globally(Knows("A", ForAll(Next(p), star=True))), star=True), ("CTL*K",)),
        (ForAll(Globally(Once(p)), star=True), ("LTL with past", "KL1", "without next")),
        (ForAll(Globally(Yesterday(p)), star=True), ("LTL with past", "KL1")),
        (Exists(Globally(Finally(p)), star=True), ("CTL*", "without next")),
        (Not(Exists(Globally(Knows("A", p)), star=True)), ("CTL*K", "without next")),
        (Knows("A", Globally(p)), ("CTL*K", "without next")),
        (Finally(p), ("CTL*", "without next")),
        (And((Coalition(g, Finally(p)), ForAll(Globally(Finally(p)), star=True))), ("CTL*", "without next")),
    ],
)
def test_names(formula: Formula, names: tuple[str, ...]) -> None:
    found = fragment(formula)
    assert found.names == names
    assert str(found) == names[0]


def test_quantifiers_look_back_only_below_other_operators() -> None:
    assert history_quantifiers(SINCE_THEN) == []
    assert history_quantifiers(Not(And((SINCE_THEN, p)))) == []
    assert history_quantifiers(ForAll(Globally(SINCE_THEN))) == [SINCE_THEN]
    assert history_quantifiers(Knows("A", SINCE_THEN)) == [SINCE_THEN]
    assert history_quantifiers(And((SINCE_THEN, Coalition(g, Finally(SINCE_THEN))))) == [SINCE_THEN]
    assert Feature.INNER_PAST in fragment(ForAll(Globally(SINCE_THEN))).features
    assert Feature.INNER_PAST not in fragment(SINCE_THEN).features


def test_past_below_a_state_formula_does_not_count_for_the_quantifier_above() -> None:
    outer = Exists(Globally(Knows("A", Historically(p))), star=True)
    assert history_quantifiers(ForAll(Globally(outer))) == []


def test_inner_quantifiers_come_first() -> None:
    outer = Exists(Once(SINCE_THEN), star=True)
    assert history_quantifiers(ForAll(Globally(outer))) == [SINCE_THEN, outer]


def test_invariants() -> None:
    assert invariant_body(ForAll(Globally(p))) == p
    assert invariant_body(ForAll(Globally(p), star=True)) == p
    assert invariant_body(ForAll(Globally(Finally(p)), star=True)) is None
    assert invariant_body(ForAll(Until(p, q))) is None
