"""What holds in the states that were explored, or on paths that are not fair, shows nothing about the others."""

from __future__ import annotations

import pytest

from epistrat.engines.abstraction.engine import AbstractionEngine
from epistrat.engines.abstraction.tuning import AbstractionTuning
from epistrat.engines.contract import Options, Verdict
from epistrat.lang import load
from epistrat.solvers.budget import Budget

PLAIN = AbstractionTuning(first_look=0, exact_range=0, without="ranks,invariants")


def verdict(text: str, tuning: AbstractionTuning) -> Verdict:
    loaded = load(text)
    assert loaded.system is not None, [str(one) for one in loaded.report.errors]
    session = AbstractionEngine().open(loaded.system, Options(tuning=(tuning,)), Budget(seconds=60))
    return session.check(loaded.system.formulae[0]).verdict


COUNTER = """
Agent A
  Vars: n : integer; end Vars
  RedStates: A.n < 0; end RedStates
  Actions = {up};
  Protocol: Other : {up}; end Protocol
  Evolution: n = n + 1 if true; end Evolution
end Agent
InitStates A.n = 0; end InitStates
Formulae FORMULA; end Formulae
"""


@pytest.mark.parametrize("formula", ["O(A, A.n < 50)", "K(A, A.n < 50) and O(A, A.n < 50)", "AX O(A, A.n < 50)"])
def test_correct_behaviour_is_not_judged_by_the_first_states(formula: str) -> None:
    """Ten states are looked at first, and there the number is small."""
    assert verdict(COUNTER.replace("FORMULA", formula), AbstractionTuning(first_look=10)) is Verdict.FAILS


# From the good place one may fall, and there is no way back; only the good place is visited again and again.
CLIFF = """
Agent A
  Vars: fallen : boolean; n : integer; end Vars
  Actions = {walk, fall};
  Protocol: Other : {walk, fall}; end Protocol
  Evolution: n = n + 1 if Action = walk; fallen = true if Action = fall; end Evolution
end Agent
Evaluation fallen if A.fallen = true; good if A.fallen = false; late if A.n >= 2; end Evaluation
InitStates A.fallen = false and A.n = 0; end InitStates
Fairness good; end Fairness
Formulae FORMULA; end Formulae
"""


@pytest.mark.parametrize("tuning", [PLAIN, AbstractionTuning()], ids=["plain", "default"])
@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("EF fallen", Verdict.FAILS),
        ("E(good U fallen)", Verdict.FAILS),
        ("AG good", Verdict.HOLDS),
        ("EX fallen", Verdict.FAILS),
        ("EF late", Verdict.HOLDS),
    ],
)
def test_a_goal_counts_only_where_a_fair_path_goes_on(
    formula: str, expected: Verdict, tuning: AbstractionTuning
) -> None:
    assert verdict(CLIFF.replace("FORMULA", formula), tuning) is expected


# Whoever has fallen sinks, so that only finitely many visits of what is above the ground are left.
SINKING = "Semantics = SingleAssignment;" + CLIFF.replace("n : integer;", "n : integer; height : integer;").replace(
    "fallen = true if Action = fall;", "fallen = true if Action = fall; height = height - 1 if fallen = true;"
)
SINKING = SINKING.replace("good if A.fallen = false;", "good if A.height >= 0;").replace(
    "A.n = 0", "A.n = 0 and A.height >= 0"
)


@pytest.mark.parametrize("formula", ["EF fallen", "E(good U fallen)", "EX fallen"])
def test_a_goal_from_which_a_fair_path_may_go_on_does_not_count_for_sure(formula: str) -> None:
    """Without ranks nobody sees that the height falls for ever: then nothing is said, and the opposite never."""
    assert verdict(SINKING.replace("FORMULA", formula), PLAIN) is not Verdict.HOLDS
    assert verdict(SINKING.replace("FORMULA", formula), AbstractionTuning()) is Verdict.FAILS
