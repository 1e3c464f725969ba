"""What is said of a run that decides a linear formula is true of that run."""

from __future__ import annotations

import pytest

import epistrat

# n goes 0 1 2 3 3 3 ...
COUNTER = """
Agent A
  Vars: n : 0..3; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: n = n + 1 if n < 3; end Evolution
end Agent
Evaluation
  zero if A.n = 0; low if A.n < 2; two if A.n = 2; three if A.n = 3; four if A.n > 3; any if A.n >= 0;
end Evaluation
InitStates A.n = 0; end InitStates
"""


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("LTL (zero U two)", "At moment 1 `zero` is false, and `two` has not been true until then."),
        ("LTL (zero W two)", "At moment 1 `zero` is false, and `two` has not been true until then."),
        ("LTL (any U four)", "`four` never becomes true."),
        ("LTL (zero U four)", "`four` never becomes true."),
        ("LTL (low W four)", "At moment 2 `low` is false, and `four` has not been true until then."),
        ("CTL* E (low W two)", "`two` is true at moment 2, and `low` until then."),
        ("CTL* E (low W zero)", "`zero` is true at moment 0."),
        ("CTL* E (any W four)", "`any` is true all the time."),
        ("CTL* E (two R any)", "`any` is true up to moment 2, where `two` is true too."),
        ("CTL* E (four R any)", "`any` is true all the time."),
        ("LTL (zero U K(A, two))", "At moment 1 `zero` is false, and `K(A, two)` has not been true until then."),
        ("A(any U four)", "`four` never becomes true."),
        ("E(any W four)", "`any` is true all the time."),
        ("LTL F four", "`four` never becomes true."),
    ],
)
def test_the_sentence_about_the_run(formula: str, said: str) -> None:
    (result,) = epistrat.load(COUNTER).check(formula)
    assert said in result.explain().splitlines()
    assert said[1:-1] in result.summary()


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("LTL G low", "At moment 2 `low` is false."),
        ("CTL* E (F two)", "At moment 2 `two` is true."),
        ("LTL G F low", "`low` is never true from moment 2 on."),
        ("LTL F G low", "Again and again `low` is false."),
        ("LTL G (zero -> F four)", "At moment 0 `zero` is true, and `four` is never true from then on."),
        ("LTL G (two -> X low)", "At moment 2 `two` is true, and at moment 3 `low` is false."),
        ("LTL (F two -> G low)", "At moment 2 `two` is true and `low` is false."),
        ("LTL G (low or (any U four))", "At moment 2 `low` is false, and `four` is never true from then on."),
        ("LTL G (three -> Y low)", "At moment 3 `three` is true, and at moment 2 `low` is false."),
        ("LTL G (two -> Hist low)", "At moment 2 `two` is true and `low` is false."),
        ("LTL G (zero <-> F three)", "At moment 1 `zero` is false, and at moment 3 `three` is true."),
        ("LTL G (two -> Hist zero)", "At moment 2 `two` is true and `zero` is false."),
        ("LTL G (Once two -> Once four)", "At moment 2 `two` is true, and `four` has not been true up to moment 2."),
        ("CTL* E (G F three)", "Again and again `three` is true."),
        ("CTL* E (F G any)", "`any` is true all the time."),
    ],
)
def test_the_moment_that_decides(formula: str, said: str) -> None:
    (result,) = epistrat.load(COUNTER).check(formula)
    assert said in result.explain().splitlines()


def test_steps_are_counted_from_the_start() -> None:
    (result,) = epistrat.load(COUNTER).check("AX AX AX !three")
    assert "fter 3 steps" in result.summary()


# n goes 0 1 2 3 4 5 6 3 4 5 6 ...
ROUND = """
Agent A
  Vars: n : 0..6; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: n = n + 1 if n < 6; n = 3 if n = 6; end Evolution
end Agent
Evaluation
  zero if A.n = 0; low if A.n <= 3; three if A.n = 3; five if A.n = 5; six if A.n = 6;
end Evaluation
InitStates A.n = 0; end InitStates
"""


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("LTL X X (low U zero)", "At moment 4 `low` is false, and `zero` has not been true from moment 2 until then."),
        ("LTL X X X X (low U zero)", "At moment 4 `low` is false and `zero` is false."),
        ("LTL !(X (low U !low))", "At moment 4 `low` is false, and from moment 1 until then `low`."),
        (
            "LTL G (five -> X X X (low or zero))",
            "At moment 5 `five` is true, and at moment 4, when it comes again, `low` is false and `zero` is false.",
        ),
        (
            "LTL G (five -> X X (low U six))",
            "At moment 5 `five` is true, and at moment 4, when it comes again, `low` is false, and `six` has not been true "
            "from moment 3, when it comes again, until then.",
        ),
    ],
)
def test_an_until_counts_from_its_own_moment(formula: str, said: str) -> None:
    """`zero` is true at moment 0: that it has not been true until moment 4 would be false."""
    (result,) = epistrat.load(ROUND).check(formula)
    text = " ".join(result.explain().split())
    assert said in text


def test_the_past_of_a_later_round_is_not_told_as_that_of_the_first() -> None:
    """When five comes for the second time, low has been false in the round before; the first time it had not."""
    (result,) = epistrat.load(ROUND).check("LTL G (five -> Y Y Hist low)")
    assert "On this run `G (five -> (Y Y Hist low))` is false." in " ".join(result.explain().split())
