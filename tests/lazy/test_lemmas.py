"""A lemma, read as a condition on state and placeholder, says what was learnt and not the opposite."""

from __future__ import annotations

import pytest

from epistrat.engines.lazy.atoms import Atom
from epistrat.engines.lazy.lemmas import Lemma
from epistrat.logic import formula as logic
from epistrat.terms import Sort, Terms, Var


@pytest.mark.parametrize("known", [True, False])
def test_what_is_known_is_learnt_as_known(known: bool) -> None:
    terms = Terms()
    body, placeholder = terms.variable("A", "b", Sort.BOOLEAN), terms.variable("?", "known", Sort.BOOLEAN)
    assert isinstance(placeholder, Var)
    seen = terms.variable("A", "seen", Sort.BOOLEAN)
    node = logic.Knows("A", logic.Test(body))
    atom = Atom(node, ("A",), (("A", "seen"),), node.arg, placeholder, body)
    expected = placeholder if known else terms.negate(placeholder)
    assert Lemma(atom, known, seen, "by hand").formula(terms) == terms.disjunction((terms.negate(seen), expected))
