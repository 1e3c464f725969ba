"""Properties of verdicts on systems that Hypothesis draws, and shrinks when one fails."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from tests.generators.strategies import questions, systems

from epistrat.engines.contract import Options, Verdict
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.lang import parse_formula
from epistrat.logic import negation, negation_normal_form, show
from epistrat.logic.formula import Formula, Not
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.model.system import Composition, System
from epistrat.solvers.budget import Budget

quick = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def verdict(system: System, formula: Formula) -> bool:
    found = ReferenceEngine().open(system, Options(), Budget(seconds=60)).check(formula).verdict
    assert found is not Verdict.UNKNOWN
    return found is Verdict.HOLDS


@quick
@given(questions("CTL*K", past=True))
def test_printing_and_normal_forms_keep_the_verdict(question: tuple[System, Formula]) -> None:
    system, formula = question
    read, _ = parse_formula(show(formula), system)
    assert read == formula
    assert verdict(system, negation_normal_form(formula)) == verdict(system, formula)
    assert verdict(system, negation_normal_form(negation(formula))) == verdict(system, Not(formula))


@quick
@given(questions("ATLK", composition=Composition.SYNCHRONOUS, fairness=False))
def test_a_formula_and_its_negation_both_hold_only_where_nothing_starts(question: tuple[System, Formula]) -> None:
    system, formula = question
    both = verdict(system, formula) and verdict(system, Not(formula))
    assert both == (not initial_states(system))


@quick
@given(systems())
def test_every_step_is_one_of_the_outcomes_of_its_joint_action(system: System) -> None:
    stepper = Stepper(system)
    for state in initial_states(system):
        steps = list(stepper.steps(state))
        defined = [(j, t) for j in stepper.joint_actions(state) for t in stepper.outcomes(state, j)]
        assert steps == defined
        for _, target in steps:
            assert all(value in variable.domain for value, variable in zip(target, system.variables, strict=True))
