"""Steps as conditions: a solver finds exactly the successors that the reference semantics has."""

from __future__ import annotations

from typing import Any

import z3
from hypothesis import given, settings
from tests.generators.strategies import systems

from epistrat.encoding.smt.system import SmtSystem
from epistrat.model.explore import TooManyStates, explore
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System


def found(smt: SmtSystem, fixed: Any, frame: int) -> set[State]:
    """The states that a solver finds in a frame."""
    session = smt.session(work=5_000_000)
    session.add(fixed)
    states: set[State] = set()
    while session.check().sat:
        state = smt.state(session.model, frame)
        assert state not in states
        states.add(state)
        session.add(z3.Not(smt.equals(state, frame)))
    return states


@settings(max_examples=25, deadline=None)
@given(system=systems(unbounded=True, fairness=False))
def test_successors_and_initial_states(system: System) -> None:
    smt, stepper = SmtSystem(system), Stepper(system)
    initial = initial_states(system, 50)
    assert found(smt, smt.initial(0), 0) == set(initial)
    try:
        states = explore(stepper, initial, 60).states
    except TooManyStates as many:
        states = many.seen.states
    for state in states[:: max(1, len(states) // 4)]:
        expected = {step.target for step in stepper.successors(state)}
        assert found(smt, z3.And(smt.equals(state, 0), smt.step(0, 1)), 1) == expected
