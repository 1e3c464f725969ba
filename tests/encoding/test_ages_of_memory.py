"""What is memory, and how old, is seen by what copies what, not by names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from epistrat.encoding.remembered import ages
from epistrat.encoding.transitions import transitions
from epistrat.lang.load import load
from epistrat.model.transform.recall import with_recall

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    "name", ["muddy_children.ispl", "interleaved/mutual_exclusion.ispl", "unbounded/watchdog.ispl"]
)
def test_recall_is_memory(name: str) -> None:
    system = load((EXAMPLES / name).read_text(encoding="utf-8"), name).system
    assert system is not None
    found = ages(transitions(with_recall(system, 3).system))
    assert set(found.values()) == {0, 1, 2, 3}
    for (_, variable), age in found.items():
        named = re.match(r"past(\d+)_", variable)
        assert age == (int(named[1]) if named else 0)


def test_a_name_is_no_memory() -> None:
    text = """
Agent A
  Vars: past3_x : integer; y : integer; z : integer; end Vars
  Actions = {go}; Protocol: Other : {go}; end Protocol
  Evolution: past3_x = past3_x + 1 and y = past3_x and z = y if Action = go; end Evolution
end Agent
InitStates A.past3_x = 0 and A.y = 0 and A.z = 5; end InitStates
Formulae AG A.y >= 0; end Formulae
"""
    system = load(text, "m").system
    assert system is not None
    assert ages(transitions(system)) == {("A", "past3_x"): 0, ("A", "y"): 1, ("A", "z"): 2}
