"""A proof is shortened only where the prover says yes: not where it cannot tell, and not when the trials are used up."""

from __future__ import annotations

from typing import Any

import pytest

import epistrat
from epistrat.evidence import Region, Tree, shorten
from epistrat.terms import Expr, Terms

MODEL = """
Agent A
  Vars: x : integer; y : integer; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: x = x + 1 if Action = go; end Evolution
end Agent
Evaluation p if A.x >= 0; end Evaluation
InitStates A.x = 0 and A.y = 0; end InitStates
"""
SYSTEM = epistrat.load(MODEL)
TERMS = Terms()


class Says:
    """In the place of proofs: says one thing of the condition that was found, another of all others."""

    def __init__(self, found: Expr, others: bool | None) -> None:
        self._found, self._others = found, others

    def shows(self, _tree: Tree, reason: Region) -> bool | None:
        return True if reason.condition == self._found else self._others


class Yes:
    """In the place of a prover: everything is entailed."""

    def entails(self, *_: object) -> bool:
        return True

    def every_step(self, *_: object) -> bool:
        return True


def condition(*cases: tuple[str, ...]) -> Expr:
    def literal(text: str) -> Expr:
        formula: Any = SYSTEM.formula(text)
        return formula.condition  # type: ignore[no-any-return]

    return TERMS.disjunction(TERMS.conjunction(map(literal, case)) for case in cases)


@pytest.mark.parametrize("others", [None, False])
@pytest.mark.parametrize("trials", [0, 1, 60])
def test_what_is_not_proved_is_not_left_out(others: bool | None, trials: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shorten, "_MOST_TRIALS", trials)
    found = condition(("A.x >= 0", "A.y >= 0"), ("A.x >= 5", "A.y <= 7"))
    tree = Tree((0, 0), SYSTEM.formula("AG p"), True, (Region(found),))
    proofs: Any = Says(found, others)
    prover: Any = Yes()
    (reason,) = shorten.Shortener(SYSTEM, proofs, prover).tree(tree).because
    assert isinstance(reason, Region)
    assert reason.condition == found
