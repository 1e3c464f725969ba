"""One step with imperfect information: subjective strategies must win from every state that looks the same."""

from __future__ import annotations

import pytest

import epistrat

# A guesses a coin that it does not see; the second initial state is the same coin turned round.
GUESS = """
Agent Environment
  Vars: coin : boolean; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
end Agent
Agent A
  Vars: won : boolean; end Vars
  Actions = {head, tail};
  Protocol: Other : {head, tail}; end Protocol
  Evolution: won = true if Action = head; won = false if Action = tail; end Evolution
end Agent
Evaluation
  right if (Environment.coin = true and A.won = true) or (Environment.coin = false and A.won = false);
  won if A.won = true;
end Evaluation
InitStates A.won = false; end InitStates
Groups a = {A}; all = {A, Environment}; end Groups
"""


@pytest.mark.parametrize("engine", ["symbolic", "reference"])
def test_guessing_a_coin(engine: str) -> None:
    system = epistrat.load(GUESS)
    for strategies, expected in [
        ("objective", {"<a>X right": True, "<a>X won": True, "<all>X right": True}),
        ("subjective", {"<a>X right": False, "<a>X won": True, "<all>X right": True}),
    ]:
        found = system.check(list(expected), engine=engine, strategies=strategies, evidence=False)
        assert dict(zip(expected, map(bool, found), strict=True)) == expected, strategies
