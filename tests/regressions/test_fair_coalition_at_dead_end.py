"""Under fairness an initial state without any run is outside the verdict, strategic formulae included."""

from __future__ import annotations

import pytest

import epistrat

# No action is allowed where lit is true: an initial state that is a dead end, and another one that is not.
MODEL = """
Agent Lamp
  Vars: lit : boolean; end Vars
  Actions = {wait};
  Protocol: lit = false : {wait}; end Protocol
  Evolution: lit = lit if Action = wait; end Evolution
end Agent
Evaluation
  lit if Lamp.lit = true;
  dark if Lamp.lit = false;
end Evaluation
InitStates INITIAL; end InitStates
Groups g = {Lamp}; end Groups
Fairness dark or lit; end Fairness
Formulae <g>X dark; <g>X lit; <g>F lit; <g>G dark; <g>(dark U lit); end Formulae
"""


@pytest.mark.parametrize("engine", ["reference", "symbolic", "explicit"])
@pytest.mark.parametrize(
    ("initial", "expected"),
    [
        ("Lamp.lit = true", [True, True, True, True, True]),
        ("Lamp.lit = true or Lamp.lit = false", [True, False, False, True, False]),
    ],
)
def test_initial_dead_ends_do_not_count(engine: str, initial: str, expected: list[bool]) -> None:
    system = epistrat.load(MODEL.replace("INITIAL", initial))
    assert [bool(result) for result in system.check(engine=engine)] == expected
