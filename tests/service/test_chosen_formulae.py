"""The formula that is exported as a circuit is the one that was chosen; without a choice it is the first."""

from __future__ import annotations

from epistrat.service import ExchangeRequest, Text, ask

LAMP = """
Agent Lamp
  Vars: on : boolean; end Vars
  Actions = {press, wait};
  Protocol: Other : {press, wait}; end Protocol
  Evolution: on = !on if Action = press; end Evolution
end Agent
InitStates Lamp.on = false; end InitStates
Formulae AG Lamp.on = false; AG (Lamp.on = true or Lamp.on = false); end Formulae
"""


def test_a_circuit_is_made_of_the_chosen_formula() -> None:
    first, second, usual = (
        ask(ExchangeRequest(model=Text(LAMP), form="aiger", only=only))[1] for only in ((1,), (2,), None)
    )
    assert first == usual != second
