"""Small models for places where an error of the explicit engine could hide: reduction, past, dead ends, unfair states, games.

Every verdict is written down, and asked of the symbolic and the reference engine too.
"""

from __future__ import annotations

import pytest

import epistrat
from epistrat.engines.explicit.reduction.applicability import is_linear, obstacle
from epistrat.engines.explicit.reduction.visibility import eyes


def verdicts(model: str, formulae: list[str]) -> list[tuple[bool, ...]]:
    """What the explicit, the symbolic and the reference engine say."""
    system = epistrat.load(model)
    names = ("explicit", "symbolic", "reference")
    found = [[bool(result) for result in system.check(formulae, engine=name, evidence=False)] for name in names]
    return list(zip(*found, strict=True))


def check(model: str, expected: dict[str, bool]) -> None:
    found = dict(zip(expected, verdicts(model, list(expected)), strict=True))
    assert found == {formula: (verdict,) * 3 for formula, verdict in expected.items()}


# A and B each make one step of their own, in any order; C sees nothing of them and turns red with its step.
THREE = """
Composition = Interleaved;
Agent A
  Vars: x : 0..1; end Vars
  Actions = {a};
  Protocol: x = 0 : {a}; end Protocol
  Evolution: x = 1 if Action = a; end Evolution
end Agent
Agent B
  Vars: y : 0..1; end Vars
  Actions = {b};
  Protocol: y = 0 : {b}; end Protocol
  Evolution: y = 1 if Action = b; end Evolution
end Agent
Agent C
  Vars: z : 0..1; end Vars
  RedStates: z = 1; end RedStates
  Actions = {c};
  Protocol: z = 0 : {c}; end Protocol
  Evolution: z = 1 if Action = c; end Evolution
end Agent
Evaluation
  a if A.x = 1; b if B.y = 1; c if C.z = 1; same if A.x = B.y; less if A.x < B.y;
end Evaluation
InitStates A.x = 0 and B.y = 0 and C.z = 0; end InitStates
Groups ab = {A, B}; bc = {B, C}; end Groups
FAIRNESS
"""
PLAIN = THREE.replace("FAIRNESS", "")
FAIR = THREE.replace("FAIRNESS", "Fairness EF a; end Fairness")


@pytest.mark.parametrize(
    ("formula", "agents"),
    [
        ("AG K(A, a or !a)", {"A"}),
        ("AG GK(ab, c)", {"A", "B"}),
        ("AG DK(ab, c)", {"A", "B"}),
        ("AG GCK(bc, c)", {"B", "C"}),
    ],
)
def test_reduction_sees_the_members_of_every_knowledge_operator(formula: str, agents: set[str]) -> None:
    system = epistrat.load(PLAIN)
    assert eyes(system, [system.formula(formula)]).agents == agents


def test_reduction_sees_red_states_fairness_and_comparisons_across_agents() -> None:
    system = epistrat.load(FAIR)
    red, a = system.agent["C"].red, system.propositions["a"]
    assert eyes(system, [system.formula("AG C.RedStates")]).conditions == {red, a}
    assert eyes(system, [system.formula("O(C, c)")]).conditions == {red, system.propositions["c"], a}


def test_verdicts_on_reduced_spaces() -> None:
    check(
        PLAIN,
        {
            "EF (b and !a and !DK(bc, a))": True,
            "AG (a -> DK(bc, a))": False,
            "EF DK(ab, a and b)": True,
            "EF (a and !b and K(A, a))": True,
            "AG (C.RedStates -> a)": False,
            "EF (C.RedStates and !a and !b)": True,
            "AG same": False,
            "EF less": True,
            "AG !less": False,
            "EF (!same and !a)": True,
            "AG (b -> (same or EF same))": True,
            "LTL G (b -> Y b)": False,
            "LTL G ((b and !a and !c) -> Y !b)": True,
            "LTL G ((a and b and c) -> Y (a and b and c))": False,
            "LTL F Y (!a and !b)": True,
            "LTL X (a or b or c)": True,
            "EX EX EX (a and b and c)": True,
            "AX AX (a and b and c)": False,
        },
    )


def test_reduction_is_refused_where_steps_are_counted_and_where_fairness_branches() -> None:
    plain, fair = epistrat.load(PLAIN), epistrat.load(FAIR)
    for text in ("LTL G (b -> Y b)", "LTL X a", "EX a"):
        assert obstacle(plain, plain.formula(text)) is not None
    assert obstacle(plain, plain.formula("LTL G (b -> Once a)")) is None
    assert is_linear(plain, plain.formula("LTL G (b -> Once a)"))
    assert not is_linear(fair, fair.formula("LTL G (b -> Once a)"))
    assert not is_linear(plain, plain.formula("AG (a -> AF b)"))


# n counts 0 1 2 3 4 and goes on at 2.
COUNTER = """
Agent A
  Vars: n : 0..4; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: n = n + 1 if n < 4; n = 2 if n = 4; end Evolution
end Agent
Evaluation
  zero if A.n = 0; one if A.n = 1; low if A.n < 2; two if A.n = 2; three if A.n = 3; four if A.n = 4;
end Evaluation
InitStates A.n = 0; end InitStates
"""


def test_past_operators() -> None:
    check(
        COUNTER,
        {
            "LTL G (two -> (low S zero))": False,
            "LTL G (two -> !(low S zero))": True,
            "LTL G (one -> (low S zero))": True,
            "LTL (low S low)": True,
            "LTL Hist low": True,
            "LTL Once zero": True,
            "LTL Y true": False,
            "LTL G (four -> Once zero)": True,
            "LTL G (one -> Hist low)": True,
            "LTL G (four -> Hist low)": False,
            "LTL G (two -> Y (one or four))": True,
            "LTL K(A, four -> Once zero)": True,
            "LTL K(A, !(two and Once (one and X two)))": True,
            "LTL G K(A, !(two and Once (one and X two)))": False,
            "AG (low -> K(A, !(two and Once (one and X two))))": True,
            "LTL K(A, Once (zero and F one))": True,
            "LTL G K(A, two -> Once (one and X two))": True,
            "LTL G K(A, two -> Y (one and X two))": False,
        },
    )


# From the middle one may go on for ever, or to the end, where nothing can be done.
DEAD_END = """
Agent A
  Vars: n : 0..2; end Vars
  Actions = {stay, leave};
  Protocol: n < 2 : {stay, leave}; end Protocol
  Evolution: n = n + 1 if Action = leave; end Evolution
end Agent
Evaluation zero if A.n = 0; one if A.n = 1; two if A.n = 2; some if A.n > 0; any if A.n >= 0; end Evaluation
InitStates A.n = INITIAL; end InitStates
Groups g = {A}; nobody = {}; end Groups
"""


def test_a_dead_end_ends_no_infinite_path() -> None:
    check(
        DEAD_END.replace("INITIAL", "0"),
        {
            "CTL* E (two R any)": True,  # by staying for ever
            "E(two R any)": True,
            "CTL* E (F two)": False,
            "EF two": True,
            "CTL* E (zero U two)": False,
            "CTL* E (X one)": True,
            "LTL G !two": True,
            "AG !two": False,
            "<g>F two": True,
            "<g>G any": True,
        },
    )
    check(
        DEAD_END.replace("INITIAL", "2"),
        {
            "CTL* E (two R two)": False,
            "E(two R two)": True,
            "CTL* E (F two)": False,
            "CTL* E (any W two)": False,
            "LTL false": True,
            "<g>G any": False,
            "<nobody>G any": False,
            "<g>F two": True,
        },
    )


# P sees whether n is odd, Q whether n is above 1.  In 3 nothing fair can follow.
UNFAIR_LINK = """
Agent Environment
  Obsvars: none : 0..0; end Obsvars
  Vars: n : 0..3; odd : boolean; high : boolean; end Vars
  Actions = {NAMES};
  Protocol: n = 3 : {n3}; Other : {NAMES}; end Protocol
  Evolution:
    n = 0 and odd = false and high = false if Action = n0;
    n = 1 and odd = true and high = false if Action = n1;
    n = 2 and odd = false and high = true if Action = n2;
    n = 3 and odd = true and high = true if Action = n3;
  end Evolution
end Agent
Agent P Lobsvars = {odd}; Actions = {go}; Protocol: Other : {go}; end Protocol end Agent
Agent Q Lobsvars = {high}; Actions = {go}; Protocol: Other : {go}; end Protocol end Agent
Evaluation
  start if Environment.n = 0; one if Environment.n = 1; two if Environment.n = 2; home if Environment.n < 3;
end Evaluation
InitStates Environment.n = 1 and Environment.odd = true and Environment.high = false; end InitStates
Groups pq = {P, Q}; qp = {Q, P}; end Groups
Fairness home; end Fairness
"""


def test_states_without_a_fair_run_are_no_links_and_no_doubts() -> None:
    """Without 0, only a chain through 3 leads from 1 to 2: P sees the same in 1 and 3, Q in 2 and 3."""
    without_0 = UNFAIR_LINK.replace("NAMES", "n1, n2, n3").replace(
        "    n = 0 and odd = false and high = false if Action = n0;\n", ""
    )
    check(
        without_0,
        {
            "GCK(pq, one)": True,
            "GCK(qp, one)": True,
            "K(P, one)": True,
            "AG (one -> GCK(pq, !two))": True,
            "AG (two -> K(Q, two))": True,
            "AG home": True,
        },
    )
    linked = ["GCK(pq, one)", "GCK(qp, one)", "AG (one -> GCK(pq, !two))"]
    assert all(epistrat.load(without_0).check(linked, engine="symbolic"))
    check(
        UNFAIR_LINK.replace("NAMES", "n0, n1, n2, n3"),
        {
            "GCK(pq, one)": False,
            "GCK(pq, home)": True,
            "GCK(pq, !two)": False,
            "GCK(pq, one or start)": False,
            "K(P, one)": True,
            "K(Q, one)": False,
            "AX K(P, home)": True,
            "AG (start -> DK(pq, start))": True,
            "AG (start -> K(P, start))": False,
            "AG (two -> K(Q, two))": True,
            "AG (two -> GK(pq, two))": False,
            "AG (two -> DK(qp, two))": True,
        },
    )


# A fair run goes round by 1 and by 2, again and again.
CIRCLES = """
Agent A
  Vars: n : 0..3; end Vars
  Actions = {left, right, out};
  Protocol: n = 0 : {left, right, out}; n = 3 : {out}; Other : {left}; end Protocol
  Evolution:
    n = 1 if n = 0 and Action = left; n = 2 if n = 0 and Action = right; n = 3 if Action = out;
    n = 0 if n = 1 or n = 2;
  end Evolution
end Agent
Evaluation zero if A.n = 0; one if A.n = 1; two if A.n = 2; three if A.n = 3; end Evaluation
InitStates A.n = 0; end InitStates
Groups g = {A}; end Groups
Fairness one; two; end Fairness
"""


def test_every_fairness_constraint_counts() -> None:
    check(
        CIRCLES,
        {
            "EG !two": False,
            "EG !one": False,
            "EF three": False,
            "AG AF two": True,
            "LTL G F (one and X X two)": True,
            "AG !three": True,
            "<g>G !two": True,
            "<g>F two": True,
            "<g>(zero U (one and two))": True,
            "<g>(one U two)": True,
        },
    )


def test_a_goal_reached_from_one_of_several_initial_states_is_not_enough() -> None:
    several = COUNTER.replace("InitStates A.n = 0;", "InitStates A.n = 0 or A.n = 3;")
    check(several, {"EF zero": False, "EF one": False, "EF four": True, "AG (zero or !zero)": True})


# The first choice leaves its range: it has no outcome.  B decides where the others lead.
GAME = """
Agent A
  Vars: n : 0..2; end Vars
  Actions = {far, near};
  Protocol: Other : {far, near}; end Protocol
  Evolution:
    n = n + 3 if Action = far and n < 2;
    n = 1 if Action = near and B.Action = one;
    n = 2 if Action = near and B.Action = two;
  end Evolution
end Agent
Agent B
  Vars: m : 0..0; end Vars
  Actions = {one, two};
  Protocol: Other : {one, two}; end Protocol
end Agent
Evaluation zero if A.n = 0; one if A.n = 1; two if A.n = 2; end Evaluation
InitStates A.n = 0; end InitStates
Groups a = {A}; b = {B}; ab = {A, B}; ba = {B, A}; none = {}; end Groups
"""


def test_choices_without_outcome_and_of_others() -> None:
    check(
        GAME,
        {
            "<a>X false": True,
            "<a>F false": True,
            "<a>F two": True,
            "<b>F two": True,
            "<b>X two": True,
            "<b>X zero": False,
            "<ab>X two": True,
            "<ba>X two": True,
            "<none>X two": False,
            "AX !zero": True,
        },
    )
