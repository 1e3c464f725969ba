"""Sums of infinities: opposite ones are no number, in either order, for every engine and however the sum is written."""

from __future__ import annotations

from itertools import product

import pytest

import epistrat

MODEL = """
Agent A
  Vars: up : real; down : real; zero : real; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: zero = zero if true; end Evolution
end Agent
InitStates A.up = 1 and A.down = -1 and A.zero = 0; end InitStates
Formulae AG !(FORMULA <= 1 or FORMULA >= 1); end Formulae
"""
PLUS, MINUS = "A.up / A.zero", "A.down / A.zero"
SUMS = {f"{one} + {other}": one != other for one, other in product((PLUS, MINUS), repeat=2)}
SUMS |= {f"{one} - {other}": one == other for one, other in product((PLUS, MINUS), repeat=2)}


@pytest.mark.parametrize("engine", ["reference", "lazy", "abstraction"])
def test_only_opposite_infinities_cancel(engine: str) -> None:
    for text, nothing in SUMS.items():
        (found,) = epistrat.load(MODEL.replace("FORMULA", f"({text})")).check(engine=engine)
        assert found.verdict.value == ("holds" if nothing else "fails"), text
