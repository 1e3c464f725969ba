"""Exploring states, and looking at them through predicates, is counted: else who takes turns with it hardly gets one."""

from __future__ import annotations

import epistrat
from epistrat.engines.abstraction.prefix import Prefix
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.solvers.budget import Budget

WALK = """
Agent Walker
  Vars: x : integer; y : real; end Vars
  Actions = {left, right};
  Protocol: Other : {left, right}; end Protocol
  Evolution: x = x + 1 and y = y + 1/2 if Action = right; x = x - 1 if Action = left; end Evolution
end Agent
Evaluation far if Walker.x > 1000; half if Walker.y = 3/2; end Evaluation
InitStates Walker.x = 0 and Walker.y = 0; end InitStates
Formulae EF half; AG(half -> Walker.y < 8/5); EF(2 * Walker.y >= 3 and Walker.x < 3); end Formulae
"""


def test_exploring_states_is_work() -> None:
    system = epistrat.load(WALK)
    budget = Budget()
    prefix = Prefix(stepper=Stepper(system), budget=budget)
    prefix.start(initial_states(system), complete=True)
    prefix.expand(500)
    assert len(prefix.moves) == 500
    assert budget.meter.work > 50_000  # about as many microseconds


def test_predicates_with_fractions_are_true_where_they_should_be() -> None:
    assert [bool(result) for result in epistrat.load(WALK).check(engine="abstraction")] == [True, True, True]
