"""Verdicts of the abstraction engine against the reference engine, on bounded systems and on unbounded ones with few reachable states.

The abstraction is made coarse on purpose (no bounded variable is kept exactly, nothing is explored beforehand), and its refinements are
switched off one by one: whatever it says must be right.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from tests.generators.strategies import questions

from epistrat.engines.abstraction.engine import AbstractionEngine
from epistrat.engines.abstraction.tuning import AbstractionTuning
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.needs import Constraints
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.logic.formula import Formula
from epistrat.model.system import Composition, System
from epistrat.solvers.budget import Budget

COARSE = AbstractionTuning(first_look=0, exact_range=0)
TUNINGS = {
    "coarse": COARSE,
    "exact ranges": AbstractionTuning(first_look=0),
    "no ranks": AbstractionTuning(first_look=0, exact_range=0, without="ranks"),
    "no invariants": AbstractionTuning(first_look=0, exact_range=0, without="invariants"),
    "short look": AbstractionTuning(first_look=4, exact_range=0),
}
quick = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def agree(system: System, formula: Formula, tuning: AbstractionTuning) -> Verdict:
    expected = ReferenceEngine().open(system, Options(), Budget(states=3000, seconds=20)).check(formula).verdict
    options = Options(tuning=(tuning,))
    found = AbstractionEngine().open(system, options, Budget(seconds=20)).check(formula).verdict
    if expected is not Verdict.UNKNOWN and found is not Verdict.UNKNOWN:
        assert found is expected
    return found


@pytest.mark.parametrize("tuning", TUNINGS.values(), ids=TUNINGS)
@pytest.mark.parametrize("unbounded", [False, True], ids=["bounded", "unbounded"])
def test_strategies_and_knowledge(tuning: AbstractionTuning, unbounded: bool) -> None:
    @quick
    @given(question=questions("ATLK", 3, fairness=False, unbounded=unbounded, composition=Composition.SYNCHRONOUS))
    def check(question: tuple[System, Formula]) -> None:
        agree(*question, tuning)

    check()


@pytest.mark.parametrize("fragment", ["CTLK", "LTL"])
@pytest.mark.parametrize("tuning", ["coarse", "no ranks"])
def test_fairness(fragment: str, tuning: str) -> None:
    @quick
    @given(question=questions(fragment, 3, fairness=True, unbounded=True))
    def check(question: tuple[System, Formula]) -> None:
        if Constraints.of(question[0]) <= AbstractionEngine.accepts.fairness:
            agree(*question, TUNINGS[tuning])

    check()


@pytest.mark.parametrize("fragment", ["CTLK", "LTL", "CTL*"])
def test_time_and_knowledge_of_both_compositions(fragment: str) -> None:
    @quick
    @given(question=questions(fragment, 3, fairness=False, unbounded=True))
    def check(question: tuple[System, Formula]) -> None:
        agree(*question, COARSE)

    check()
