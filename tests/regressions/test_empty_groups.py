"""The empty group knows nothing of its own: `GK` asks nobody, `GCK` is the fact itself, `DK` looks at all states."""

from __future__ import annotations

import pytest

import epistrat

MODEL = """
Agent Lamp
  Vars: lit : boolean; end Vars
  Actions = {press};
  Protocol: Other : {press}; end Protocol
  Evolution: lit = ~lit if Action = press; end Evolution
end Agent
Evaluation lit if Lamp.lit = true; end Evaluation
InitStates Lamp.lit = false; end InitStates
Groups nobody = {}; end Groups
"""

EXPECTED = {
    "GK({}, false)": True,
    "LTL GK(nobody, X false)": True,
    "GCK({}, !lit)": True,
    "GCK(nobody, lit)": False,
    "AG GCK({}, !lit)": False,
    "LTL GCK({}, X lit)": True,
    "DK({}, !lit)": False,
    "DK(nobody, lit or !lit)": True,
    "<>X lit": True,
    "<>X !lit": False,
}


@pytest.mark.parametrize("engine", ["reference", "symbolic", "explicit"])
def test_every_engine_knows_nobody(engine: str) -> None:
    system = epistrat.load(MODEL)
    results = system.check(list(EXPECTED), engine=engine)
    assert {text: bool(result) for text, result in zip(EXPECTED, results, strict=True)} == EXPECTED
