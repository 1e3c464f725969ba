"""Unbounded models that behave as finite ones: a twin whose counters stop where they no longer matter tells what is right.

Fairness that the abstraction cannot be sure of, knowledge that becomes a condition over ranges, several initial states, and
reals that fall without ever arriving: whatever the abstraction and the lazy engine say must be what the twin says.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from epistrat.engines.abstraction.tuning import AbstractionTuning
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load as engine_of
from epistrat.lang.load import load, parse_formula
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

SECONDS = 2.5
"""For all questions of a session; what is not decided by then is unknown."""
TUNINGS = {
    "coarse": AbstractionTuning(first_look=0, exact_range=0),
    "exact ranges": AbstractionTuning(first_look=0),
    "no ranks": AbstractionTuning(first_look=0, exact_range=0, without="ranks"),
    "usual": AbstractionTuning(),
}

GATES = """
Agent Box
  Vars: x: {{s, trap, good, idle}}; n: {number}; end Vars
  Actions = {{a, b, c}};
  Protocol: Other: {{a, b, c}}; end Protocol
  Evolution:
    x = trap if x = s and Action = a;
    x = good if x = s and Action = b;
    x = s if x = idle and Action = c;
    n = n + 1 if {grow};
  end Evolution
end Agent
Evaluation
  trap if Box.x = trap; good if Box.x = good; late if Box.n >= 3;
  fine if Box.x = good or Box.n <= 2; moving if !(Box.x = idle); stays if Box.x = s or Box.x = idle;
end Evaluation
InitStates Box.n = 0 and {start}; end InitStates
Fairness {fairness} end Fairness
Formulae AG true; end Formulae
"""
FAIRNESS = ("fine;", "stays or good;", "late; !trap;")
STARTS = ("Box.x = s", "!(Box.x = good)")
BRANCHING = [
    shape.format(one, other)
    for shape in (
        "EX {0}",
        "AX {0}",
        "EF {0}",
        "AF {0}",
        "EG {0}",
        "AG {0}",
        "E({0} U {1})",
        "A({0} U {1})",
        "EX EX {0}",
        "AX AX {0}",
    )
    for one, other in (("trap", "good"), ("good", "trap"), ("moving", "late"), ("!trap", "good"))
]

RANGES = """
Agent Environment
  Vars: h: {low}..{high}; end Vars
  Actions = {{go}};
  Protocol: Other: {{go}}; end Protocol
  Evolution: h = h if Action = go; end Evolution
end Agent
Agent A
  Vars: x: {number}; end Vars
  Actions = {{w}};
  Protocol: Other: {{w}}; end Protocol
  Evolution: x = x + 1 if {grow}; end Evolution
end Agent
Agent B Lobsvars = {{h}}; Actions = {{w}}; Protocol: Other: {{w}}; end Protocol end Agent
Evaluation
  q if Environment.h + A.x <= {sum}; never if Environment.h > {high} - 1; early if A.x <= {sum} - {high};
  odd if 2 * Environment.h >= A.x + 1;
end Evaluation
InitStates A.x = 0; end InitStates
Groups ab = {{A, B}}; end Groups
Formulae AG true; end Formulae
"""
KNOWING = [
    shape.format(known)
    for known in ("K(A, q)", "K(A, odd)", "K(B, q)", "DK(ab, q)", "GK(ab, q)", "!K(A, !q)", "K(A, never)")
    for shape in ("AG ({0} <-> early)", "AG (early -> {0})", "AG ({0} -> early)", "{0}")
]


@cache
def _verdicts(text: str, asked: tuple[str, ...], engine: str, tuning: AbstractionTuning | None) -> list[Verdict | None]:
    """All in one session; None where the engine refuses."""
    system = load(text, "twin").system
    assert system is not None
    options = Options(tuning=() if tuning is None else (tuning,))
    session = engine_of(engine).open(system, options, Budget(seconds=SECONDS))
    result: list[Verdict | None] = []
    for one in asked:
        formula = _formula(one, system)
        refused = refusal(engine_of(engine), system, formula, options) is not None
        result.append(None if refused else session.check(formula).verdict)
    session.close()
    return result


def _formula(text: str, system: System):  # type: ignore[no-untyped-def]
    found, problems = parse_formula(text, system)
    assert found is not None, problems
    return found


def _compare(unbounded: str, twin: str, asked: Sequence[str], engine: str, tuning: AbstractionTuning | None) -> None:
    """Whatever is decided is as the twin is."""
    expected = _verdicts(twin, tuple(asked), "reference", None)
    found = _verdicts(unbounded, tuple(asked), engine, tuning)
    for text, one, right in zip(asked, found, expected, strict=True):
        assert one in (None, Verdict.UNKNOWN, right), text


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("fairness", FAIRNESS)
def test_uncertain_fairness(fairness: str, start: str) -> None:
    unbounded = GATES.format(number="integer", grow="n = n", fairness=fairness, start=start)
    twin = GATES.format(number="0..5", grow="n < 5", fairness=fairness, start=start)
    _compare(unbounded, twin, BRANCHING, "abstraction", TUNINGS["coarse"])


@pytest.mark.parametrize("low, high, total", [(0, 4, 7), (-2, 3, 5), (0, 3, 2)])
@pytest.mark.parametrize("engine", ["coarse", "exact ranges", "lazy"])
def test_knowledge_over_ranges(engine: str, low: int, high: int, total: int) -> None:
    unbounded = RANGES.format(number="integer", grow="x = x", low=low, high=high, sum=total)
    end = total - low + 2 * high + 3
    twin = RANGES.format(number=f"0..{end}", grow=f"x < {end}", low=low, high=high, sum=total)
    name, tuning = ("lazy", None) if engine == "lazy" else ("abstraction", TUNINGS[engine])
    _compare(unbounded, twin, KNOWING, name, tuning)


SUMS = """
Agent A
  Vars: h: {low}..{high}; x: integer; n: integer; end Vars
  Actions = {{go}};
  Protocol: Other: {{go}}; end Protocol
  Evolution: x = x + h and n = n + 1 if n < 3; end Evolution
end Agent
Evaluation
  large if A.n = 2 and A.x > 2 * {high}; small if A.n = 2 and A.x < 2 * {low}; full if A.n = 3 and A.x >= 3 * {high};
  over if A.h > {high};
end Evaluation
InitStates A.x = 0 and A.n = 0; end InitStates
Formulae AG true; end Formulae
"""


@pytest.mark.parametrize("low, high", [(0, 4), (-2, 1), (3, 3)])
@pytest.mark.parametrize("engine", ["coarse", "usual", "lazy"])
def test_values_stay_in_their_ranges(engine: str, low: int, high: int) -> None:
    """A constant of a range is added up: what only a value out of it would give never happens, and what its ends give does."""
    asked = ("AG !large", "AG !small", "AG !full", "EF full", "AG !over", "AG (full -> K(A, full))")
    name, tuning = ("lazy", None) if engine == "lazy" else ("abstraction", TUNINGS[engine])
    found = _verdicts(SUMS.format(low=low, high=high), asked, name, tuning)
    all_starts = Verdict.HOLDS if low == high else Verdict.FAILS
    expected = (Verdict.HOLDS, Verdict.HOLDS, Verdict.FAILS, all_starts, Verdict.HOLDS, Verdict.HOLDS)
    for text, verdict, right in zip(asked, found, expected, strict=True):
        assert verdict in (None, Verdict.UNKNOWN, right), text


FALLING = """
Agent A
  Vars: x: real; y: real; end Vars
  Actions = {{go}};
  Protocol: Other: {{go}}; end Protocol
  Evolution: {step} if {guard}; end Evolution
end Agent
Evaluation done if A.x <= {goal}; end Evaluation
InitStates A.x = {start} and A.y = 1; end InitStates
Formulae AF done; EF done; AG !done; LTL F done; end Formulae
"""


@pytest.mark.parametrize(
    "step, guard, start, goal, arrives",
    [
        ("x = x - y and y = y / 2", "y > 0", "2", "0", False),
        ("x = x - y and y = y / 2", "y > 0", "3 / 2", "0", True),
        ("x = x - y and y = y / 2", "y > 0", "2", "1 / 4", True),
        ("x = x / 2", "x > 0", "1", "0", False),
        ("x = x / 2", "x > 0", "1", "1 / 8", True),
        ("x = x - y", "y > 0", "5 / 2", "0", True),
        ("x = x - y / 2 and y = y / 3", "y > 0", "1", "1 / 4", False),
        ("x = x - y / 2 and y = y / 3", "y > 0", "1", "1 / 3", True),
    ],
)
@pytest.mark.parametrize("engine", ["coarse", "usual", "lazy"])
def test_reals_that_fall_need_not_arrive(
    engine: str, step: str, guard: str, start: str, goal: str, arrives: bool
) -> None:
    text = FALLING.format(step=step, guard=guard, start=start, goal=goal)
    name, tuning = ("lazy", None) if engine == "lazy" else ("abstraction", TUNINGS[engine])
    found = _verdicts(text, ("AF done", "EF done", "AG !done", "LTL F done"), name, tuning)
    yes, no = (Verdict.HOLDS, Verdict.FAILS) if arrives else (Verdict.FAILS, Verdict.HOLDS)
    for verdict, right in zip(found, (yes, yes, no, yes), strict=True):
        assert verdict in (None, Verdict.UNKNOWN, right)
