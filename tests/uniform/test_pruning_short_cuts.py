"""Short cuts of the search for prunings where they must not be taken."""

from __future__ import annotations

import pytest

import epistrat

ENGINES = ("reference", "symbolic")

# Left and right are two initial states that A tells apart; in each it can keep its side or cross over to the middle.
SIDES = """
Agent A
  Vars: side : {left, right, middle}; end Vars
  Actions = {stay, cross};
  Protocol: Other : {stay, cross}; end Protocol
  Evolution: side = middle if Action = cross; end Evolution
end Agent
Evaluation
  left if A.side = left;
  right if A.side = right;
  middle if A.side = middle;
end Evaluation
InitStates INITIAL; end InitStates
Groups g = {A}; end Groups
"""
TWO, ONE = "A.side = left or A.side = right", "A.side = left"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("formula", "initial", "expected"),
    [
        ("AG left or AG right", TWO, "holds"),
        ("AG left or AG right", ONE, "holds"),
        ("AG left or AF middle", TWO, "holds"),
        ("<g>G left or <g>G right", TWO, "holds"),
        ("AG left or AX AX false", TWO, "fails"),
        ("AG right or AX AX false", ONE, "fails"),
    ],
)
def test_a_disjunction_is_decided_state_by_state(engine: str, formula: str, initial: str, expected: str) -> None:
    """With several initial states the first operand may hold in some of them and the second in the others."""
    system = epistrat.load(SIDES.replace("INITIAL", initial))
    (result,) = system.check(formula, engine=engine, strategies="uniform")
    assert result.verdict.value == expected
