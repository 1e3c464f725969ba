"""Invariants that proof search finds are evidence, and are proved again."""

from __future__ import annotations

import epistrat
from epistrat.evidence import Invariant, Stated

TICKETS = """
Agent Clerk
  Vars: given : integer; served : integer; end Vars
  Actions = {give, serve, wait};
  Protocol: served < given : {give, serve, wait}; Other : {give, wait}; end Protocol
  Evolution: given = given + 1 if Action = give; served = served + 1 if Action = serve; end Evolution
end Agent
Evaluation sound if Clerk.served <= Clerk.given; early if Clerk.served >= 0; end Evaluation
InitStates Clerk.given = 0 and Clerk.served = 0; end InitStates
Formulae AG sound; AG early; AG K(Clerk, early); end Formulae
"""


def test_an_invariant_is_evidence_and_is_proved_again() -> None:
    results = epistrat.load(TICKETS).check(engine="lazy")
    for result in results[:2]:
        assert result
        assert result.evidence is not None
        assert isinstance(result.evidence.because[0], Invariant)
        assert result.replay is not None and result.replay.complete and result.replay.proved
        assert "proved it again" in result.explain()
    knowing = results[2]
    assert knowing.evidence is not None and knowing.evidence.because == (Stated(),)
    assert knowing.replay is not None and knowing.replay.ok and not knowing.replay.complete
    assert "Not re-checked independently: `AG K(Clerk, early) holds`" in knowing.explain()
