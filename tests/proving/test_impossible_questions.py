"""A question with a condition that is false in itself has a core, too, although no solver was asked."""

from __future__ import annotations

from epistrat.encoding.gates import NO
from epistrat.encoding.transitions import transitions
from epistrat.lang import load
from epistrat.proving.bits import Bits
from epistrat.proving.unrolled import Unrolled

_LAMP = """
Agent Lamp
  Vars:
    on : boolean;
  end Vars
  Actions = {switch};
  Protocol:
    Other : {switch};
  end Protocol
  Evolution:
    on = true if on = false;
    on = false if on = true;
  end Evolution
end Agent
InitStates
  Lamp.on = false;
end InitStates
"""


def test_the_false_assumption_is_the_core() -> None:
    system = load(_LAMP, "lamp").system
    assert system is not None
    bits = Bits(transitions(system), lambda: None)
    assert bits.solve([bits.initial])
    assert not bits.solve([bits.initial, NO])
    assert bits.core() == {NO}
    unrolled = Unrolled(bits, lambda: None)
    unrolled.extend(1)
    assert unrolled.solve([unrolled.initial], steps=1)
    assert not unrolled.solve([unrolled.initial, NO], steps=1)
    assert unrolled.core() == {NO}
