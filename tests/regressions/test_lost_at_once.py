"""What a group cannot enforce is explained by what is so: no answers of others where none are needed."""

from __future__ import annotations

import pytest

import epistrat

MODEL = """
Agent Lamp
  Vars: lit : boolean; end Vars
  Actions = {press};
  Protocol: PROTOCOL end Protocol
  Evolution: lit = ~lit if Action = press; end Evolution
end Agent
Evaluation lit if Lamp.lit = true; end Evaluation
InitStates Lamp.lit = false; end InitStates
"""


def explained(formula: str, protocol: str = "Other : {press};") -> str:
    (result,) = epistrat.load(MODEL.replace("PROTOCOL", protocol)).check(formula, evidence=True)
    return " ".join(result.explain().split())


@pytest.mark.parametrize(
    ("formula", "reason"),
    [("<Lamp>G lit", "`lit` is false already"), ("<Lamp>(lit U false)", "neither `lit` nor `false` is true")],
)
def test_the_first_state_may_be_the_reason(formula: str, reason: str) -> None:
    text = explained(formula)
    assert reason in text
    assert "can act" not in text
    assert "the others" not in text


def test_nobody_can_act_where_nobody_can() -> None:
    assert "Nobody can act there at all" in explained("<Lamp>X true", "lit = true : {press};")


def test_the_empty_group() -> None:
    assert explained("<>X lit").startswith("Whatever anybody does, `lit` is true after the next step.")
    assert "It is not certain that `!lit` stays true for ever." in explained("<>G !lit")


def test_the_only_action_there_is_happens_all_the_same() -> None:
    text = explained("AX !lit")
    assert "Lamp: press" in text
    assert "nobody" not in text
