"""Steps and values, where a short cut could be taken too far."""

from __future__ import annotations

from fractions import Fraction

import pytest

from epistrat.lang import load, parse_formula
from epistrat.logic import show
from epistrat.logic.formula import ForAll, Globally, Test
from epistrat.model.evaluate import Evaluator
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.terms import Boolean, Bounded, Expr, Sort, Terms

SYNCHRONOUS = """
Agent A
  Vars: x : 0..2; end Vars
  Actions = {l, r};
  Protocol: x = 2 : {l}; Other : {l, r}; end Protocol
  Evolution: x = 1 if B.Action = go and x = 0; x = 2 if Action = r and x = 1; end Evolution
end Agent
Agent B
  Vars: y : boolean; end Vars
  Actions = {go, wait};
  Protocol: Other : {go, wait}; end Protocol
  Evolution: y = true if A.Action = r; end Evolution
end Agent
Evaluation p if A.x = 0; end Evaluation
InitStates A.x = 0; end InitStates
"""
INTERLEAVED = """
Composition = Interleaved;
Agent A
  Vars: x : 0..2; end Vars
  Actions = {a, s};
  Protocol: x = 0 : {a}; x = 1 : {s}; end Protocol
  Evolution: x = 1 if x = 0; x = 2 if x = 1; end Evolution
end Agent
Agent B
  Vars: y : 0..2; end Vars
  Actions = {b, s};
  Protocol: y = 0 : {b}; y = 1 : {s}; end Protocol
  Evolution: y = 1 if y = 0; y = 2 if y = 1; end Evolution
end Agent
Evaluation p if A.x = 0; end Evaluation
InitStates A.x = 0 and B.y = 0; end InitStates
"""


def system_of(text: str) -> System:
    system = load(text).system
    assert system is not None
    return system


@pytest.mark.parametrize("text", [SYNCHRONOUS, INTERLEAVED])
def test_all_steps_are_the_outcomes_of_all_joint_actions_whatever_was_asked_before(text: str) -> None:
    """One stepper for all states, and a fresh one for each question."""
    system = system_of(text)
    old = Stepper(system)
    states = [(x, y) for x in range(3) for y in ((False, True) if text is SYNCHRONOUS else range(3))]
    for state in states * 2:
        fresh = Stepper(system)
        expected = {
            (joint, target) for joint in fresh.joint_actions(state) for target in Stepper(system).outcomes(state, joint)
        }
        assert set(old.steps(state)) == expected, state
        assert {
            (joint, target) for joint in old.joint_actions(state) for target in old.outcomes(state, joint)
        } == expected


def test_moves_depend_on_what_others_do() -> None:
    stepper = Stepper(system_of(SYNCHRONOUS))
    assert set(stepper.steps((0, False))) == {
        (("l", "go"), (1, False)),
        (("l", "wait"), (0, False)),
        (("r", "go"), (1, True)),
        (("r", "wait"), (0, True)),
    }


def test_who_takes_no_part_stays_although_a_line_would_apply() -> None:
    stepper = Stepper(system_of(INTERLEAVED))
    assert set(stepper.steps((0, 0))) == {(("a", None), (1, 0)), ((None, "b"), (0, 1))}
    assert set(stepper.steps((1, 1))) == {(("s", "s"), (2, 2))}
    assert list(stepper.steps((1, 0))) == [((None, "b"), (1, 1))]
    assert [step.target for step in stepper.successors((2, 2))] == [(2, 2)]


@pytest.mark.parametrize("kind", ["and", "or", "xor", "+", "="])
def test_deep_expressions_have_the_value_of_shallow_ones(kind: str) -> None:
    """A chain of 200 operators, nested to one side."""
    system, terms = system_of(SYNCHRONOUS), Terms()
    x = terms.variable("A", "x", Sort.NUMBER)
    y = terms.variable("B", "y", Sort.BOOLEAN)
    for state in [(0, False), (1, True), (2, False), (2, True)]:
        deep: Expr = x if kind == "+" else y
        value: int | bool = state[0] if kind == "+" else state[1]
        for step in range(200):
            other = terms.compare("=", x, terms.number(step % 4))
            truth = state[0] == step % 4
            match kind:
                case "and":
                    deep, value = terms.negate(terms.conjunction((deep, other))), not (value and truth)
                case "or":
                    deep, value = terms.negate(terms.disjunction((deep, other))), not (value or truth)
                case "xor":
                    deep, value = terms.exclusive(deep, other), bool(value) != truth
                case "=":
                    deep, value = terms.compare("=", deep, other), bool(value) == truth
                case _:
                    deep, value = terms.arith("+", deep, terms.number(step)), value + step
        assert Evaluator(system).value(deep, state) == value, (kind, state)


def test_conditions_with_connectives_inside_formulae_are_read_back() -> None:
    system, terms = system_of(SYNCHRONOUS), Terms()
    one = terms.compare("=", terms.variable("A", "x", Sort.NUMBER), terms.number(1))
    y = terms.variable("B", "y", Sort.BOOLEAN)
    for condition in (terms.exclusive(y, one), terms.conjunction((y, one)), terms.negate(terms.exclusive(y, one))):
        formula = ForAll(Globally(Test(condition)))
        assert parse_formula(show(formula), system)[0] == formula


def test_the_factory_folds_constants() -> None:
    terms = Terms()
    y, z = (terms.variable("B", name, Sort.BOOLEAN) for name in "yz")
    true, false = terms.boolean(True), terms.boolean(False)
    assert terms.conjunction((y, false, z)) == false
    assert terms.conjunction((y, true)) == y
    assert terms.conjunction(()) == true
    assert terms.disjunction(()) == false
    assert terms.disjunction((y, true)) == true
    assert terms.exclusive(y, true) == terms.exclusive(true, y) == terms.negate(y)
    assert terms.exclusive(y, false) == y
    assert terms.compare("=", y, false) == terms.negate(y)


def test_truth_values_are_no_numbers() -> None:
    assert True not in Bounded(0, 1)
    assert [value for value in (-1, 0, 1, 2, Fraction(1, 2)) if value in Bounded(0, 1)] == [0, 1]
    assert 1 not in Boolean()
