"""What a formula is made of, where an operator in between could hide it."""

from __future__ import annotations

import pytest

from epistrat.logic.formula import (
    Finally,
    ForAll,
    Formula,
    Globally,
    Iff,
    Knows,
    Next,
    Not,
    Once,
    Or,
    Prop,
    Until,
    Xor,
    Yesterday,
    is_state,
)
from epistrat.logic.fragment import history_quantifiers, invariant_body, past_at_path_level
from epistrat.logic.rewrite import negation_normal_form

P, Q = Prop("p"), Prop("q")


@pytest.mark.parametrize(
    ("body", "past"),
    [
        (Finally(Once(P)), True),
        (Until(P, Or((Q, Next(Yesterday(P))))), True),
        (Xor(P, Finally(Once(Q))), True),
        (Finally(ForAll(Once(P), star=True)), False),
        (Finally(Knows("A", Once(P))), False),
        (Globally(P), False),
    ],
)
def test_past_below_other_operators(body: Formula, past: bool) -> None:
    assert past_at_path_level(body) is past


@pytest.mark.parametrize("connective", [Xor, Iff])
def test_a_connective_over_paths_is_no_state_formula(connective: type[Xor] | type[Iff]) -> None:
    assert not is_state(connective(P, Finally(Q)))
    assert is_state(connective(P, ForAll(Finally(Q))))


def test_quantifiers_look_back_only_below_others() -> None:
    inner = ForAll(Finally(Once(P)), star=True)
    assert history_quantifiers(inner) == []
    assert history_quantifiers(Not(inner)) == []
    assert history_quantifiers(ForAll(Globally(inner))) == [inner]


def test_invariants_are_about_single_states() -> None:
    assert invariant_body(ForAll(Globally(P))) == P
    assert invariant_body(ForAll(Globally(Finally(P)), star=True)) is None


def test_normal_forms_of_same_and_different() -> None:
    different = Or((_and(P, Not(Q)), _and(Not(P), Q)))
    assert negation_normal_form(Xor(P, Q)) == different
    assert negation_normal_form(Not(Iff(P, Q))) == different
    assert negation_normal_form(Iff(P, Q)) == Or((_and(P, Q), _and(Not(P), Not(Q))))


def _and(left: Formula, right: Formula) -> Formula:
    from epistrat.logic.formula import And

    return And((left, right))
