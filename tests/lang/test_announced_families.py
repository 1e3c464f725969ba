"""``<! f> g`` in families: a quantifier over indices in f ends where what is announced ends."""

from __future__ import annotations

import pytest

from epistrat.lang import load
from epistrat.logic.show import show

MODEL = """
Agent A
  Vars: x[i in 1..2] : boolean; n : 0..3; end Vars
  Actions = {a};
  Protocol: Other : {a}; end Protocol
  Evolution: end Evolution
end Agent
Evaluation p[i in 1..2] if A.x[i] = true; q if A.n = 1; end Evaluation
InitStates A.n = 0; end InitStates
Groups g = {A}; end Groups
Formulae %s; end Formulae
"""


@pytest.mark.parametrize(
    "formula", ["<! q> q", "<! p[1]> p[2]", "<! !q> q", "<! q or p[1]> (q and p[2])", "<! A.n = 1> A.n = 1"]
)
def test_what_follows_an_announcement_may_be_a_name(formula: str) -> None:
    """It is no comparison."""
    found = load(MODEL % formula)
    assert found.system is not None, [str(one) for one in found.diagnostics]
    assert load(MODEL % show(found.system.formulae[0])).system == found.system


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("<! forall i in 1..2: p[i]> q", "<! p[1] and p[2]> q"),
        ("<! exists i in 1..2: p[i]> forall i in 1..2: p[i]", "<! p[1] or p[2]> (p[1] and p[2])"),
        ("<! forall i in 1..2: <! p[i]> q> q", "<! (<! p[1]> q) and (<! p[2]> q)> q"),
        ("<! forall i in 1..2: <g>F p[i]> q", "<! (<g>F p[1]) and (<g>F p[2])> q"),
        ("<! forall i in 1..2: A.n < i> q", "<! A.n < 1 and A.n < 2> q"),
        ("<! forall i in 1..2: [! p[i]] <g>F q> q", "<! ([! p[1]] <g>F q) and ([! p[2]] <g>F q)> q"),
        ("<! forall i in 1..2: (A.n > i)> q", "<! (A.n > 1) and (A.n > 2)> q"),
        ("forall i in 1..2: [! p[i]] <g>F q", "([! p[1]] <g>F q) and ([! p[2]] <g>F q)"),
        (
            "forall i in 1..2: K[clock](A, p[i]) or [! q] p[i]",
            "(K[clock](A, p[1]) or [! q] p[1]) and (K[clock](A, p[2]) or [! q] p[2])",
        ),
        (
            "[! forall i in 1..2: [! p[i]] q] forall i in 1..2: p[i]",
            "[! ([! p[1]] q) and ([! p[2]] q)] (p[1] and p[2])",
        ),
        ("forall i in 1..2: <! p[i]> q", "(<! p[1]> q) and (<! p[2]> q)"),
        ("forall i in 1..2: A.n > i or p[i]", "(A.n > 1 or p[1]) and (A.n > 2 or p[2])"),
    ],
)
def test_a_quantifier_ends_with_what_is_announced(written: str, meant: str) -> None:
    systems = [load(MODEL % text) for text in (written, meant)]
    for one in systems:
        assert one.system is not None, [str(found) for found in one.diagnostics]
    first, second = (one.system.formulae[0] for one in systems)  # type: ignore[union-attr]
    assert first == second
