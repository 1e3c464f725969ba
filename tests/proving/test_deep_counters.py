"""IC3 on counters that climb, reset and lead one another: proofs need many frames, and what is learnt must be pushed through them.

Random systems have states a few steps away; here some are fourteen steps away and others never, by a relation of two counters.
"""

from __future__ import annotations

import random

import pytest

from epistrat.encoding.transitions import transitions
from epistrat.lang.load import load
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.proving.bits import Bits
from epistrat.proving.ic3.search import Search
from epistrat.terms import Expr

MODEL = """
Agent Box
  Vars: x: 0..7; y: 0..7; on: boolean; end Vars
  Actions = {{a, b, c}};
  Protocol: Other: {{a, b, c}}; end Protocol
  Evolution:
    {lines}
  end Evolution
end Agent
Evaluation
  {propositions}
end Evaluation
InitStates Box.x = 0 and Box.y = 0 and Box.on = false; end InitStates
Formulae AG true; end Formulae
"""
GUARDS = (
    "x < 7",
    "y < 7 and x > y",
    "x = y and x > 0",
    "y < 7 and x + y <= 9",
    "x >= y + 2 and y < 6",
    "x = 7 and on = false",
)
UPDATES = ("x = x + 1", "y = y + 1", "x = 0 and y = 0", "x = x - 1", "on = true", "y = y + 2", "y = 0")
FITTING = {
    "x = x + 1": "x < 7",
    "y = y + 1": "y < 7",
    "y = y + 2": "y < 6",
    "x = x - 1": "x > 0",
    "x = 0 and y = 0": "true",
    "on = true": "true",
    "y = 0": "true",
}
FIXED = (  # climbs by turns; the second counter never leads
    ("x = x + 1", "x < 7"),
    ("y = y + 1", "y < 7 and x > y"),
    ("x = 0 and y = 0", "x = y and x > 0"),
)


def _system(seed: int) -> System:
    rng = random.Random(seed)
    chosen = list(FIXED) if seed == 0 else [(rng.choice(UPDATES), rng.choice(GUARDS)) for _ in range(4)]
    actions = ["a", "b", "b", "c"]
    lines = [
        f"{update} if Action = {action} and {guard} and {FITTING[update].replace('true', 'on = on')};"
        for action, (update, guard) in zip(actions, chosen, strict=False)
    ]
    points = [(rng.randrange(8), rng.randrange(8)) for _ in range(12)]
    propositions = [f"p{number} if Box.x = {x} and Box.y = {y};" for number, (x, y) in enumerate(points)]
    propositions += [
        "lead if Box.y > Box.x;",
        "far if Box.x = 7 and Box.y = 7;",
        "wide if Box.x >= Box.y + 6;",
        "lit if Box.on = true and Box.x = 3;",
    ]
    found = load(MODEL.format(lines="\n    ".join(lines), propositions="\n  ".join(propositions)), "counters").system
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(24))
def test_ic3_agrees_with_exploration(seed: int) -> None:
    system = _system(seed)
    stepper = Stepper(system)
    states = explore(stepper, initial_states(system), 2000).states
    bits = Bits(transitions(system), lambda: None)
    together = Search(bits)
    for name, condition in system.propositions.items():
        expected = any(stepper.evaluator.holds(condition, state) for state in states)
        assert (together.reaches([bits.literal(condition)]) is not None) == expected, name
        if name in ("lead", "far"):
            assert _alone(system, condition) == expected, name


def _alone(system: System, condition: Expr) -> bool:
    bits = Bits(transitions(system), lambda: None)
    return Search(bits).reaches([bits.literal(condition)]) is not None
