"""Products of variables on one side of a comparison, or on both: every engine reads them as the definitions do."""

from __future__ import annotations

import pytest

import epistrat

MODEL = """
Agent A
  Vars: x : 0..3; y : 0..3; z : 0..9; end Vars
  Actions = {up, over};
  Protocol: Other : {up, over}; end Protocol
  Evolution:
    x = x + 1 if Action = up and x < 3;
    y = y + 1 if Action = over and y < 3;
    z = x * y if x = y;
  end Evolution
end Agent
InitStates A.x = 0 and A.y = 0 and A.z = 0; end InitStates
Formulae
  EF A.x * A.y = A.z + 5;
  EF A.z + 5 = A.x * A.y;
  EF A.x * A.y = A.y * A.y + 2;
  AG A.x * A.y <= 9;
  AG A.z - 4 < A.x * A.y;
  AG 6 > A.x * A.y;
end Formulae
"""


@pytest.mark.parametrize("engine", ["symbolic", "explicit"])
def test_products_on_one_side_or_both(engine: str) -> None:
    system = epistrat.load(MODEL)
    right = [one.verdict for one in system.check(engine="reference")]
    assert [one.verdict for one in system.check(engine=engine)] == right
    assert len(set(right)) == 2
