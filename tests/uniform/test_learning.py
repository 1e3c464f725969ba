"""What failed trials teach must be true: hidden games that take many trials, with no patience, against the judge.

A walker sees only the colour of its place.  Places, steps, traps and the goal are random; some steps may end anywhere in a small set, and
some choices have no outcome at all because a counter would leave its range.
"""

from __future__ import annotations

import random

import pytest

import epistrat
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import IMPATIENT, PATIENT

PLACES, COLOURS, ACTIONS = 7, 4, ("left", "right", "on")
FORMULAE = [
    "<g>F goal",
    "<g>G !trap",
    "<g>(!trap U goal)",
    "AG(start -> <g>F goal)",
    "EF <g>X <g>F goal",
    "<g>F <g>G !trap",
]
TEAM = ["<g>F goal", "<team>F goal", "<team>G !trap", "<team>(!trap U goal)"]


def maze(rng: random.Random, overflow: bool, helper: bool) -> str:
    """A random maze; with a ``helper`` a second agent, who sees other colours, must do its part at some places."""
    colour = [rng.randrange(COLOURS) for _ in range(PLACES)]
    other = [rng.randrange(2) for _ in range(PLACES)]
    lines = []
    for place in range(PLACES - 1):
        for action in ACTIONS:
            test = f"A.Action = {action}"
            if helper and rng.random() < 0.4:
                test += f" and B.Action = {rng.choice(('push', 'pull'))}"
            if overflow and rng.random() < 0.15:
                lines.append(f"room = room + 1 if at = {place} and {test};")
                continue
            lines += [
                f"at = {target} and seen = {colour[target]} and hint = {other[target]} if at = {place} and {test};"
                for target in rng.sample(range(PLACES), rng.choice((1, 1, 1, 2)))
            ]
    trap = rng.sample(range(1, PLACES - 1), 2)
    starts = " or ".join(
        f"(Environment.at = {p} and Environment.seen = {colour[p]} and Environment.hint = {other[p]})" for p in (0, 1)
    )
    text = f"""
    Agent Environment
      Vars: at : 0..{PLACES - 1}; seen : 0..{COLOURS - 1}; hint : 0..1; room : 0..0; end Vars
      Actions = {{none}};
      Protocol: Other : {{none}}; end Protocol
      Evolution: {" ".join(lines)} end Evolution
    end Agent
    Agent A
      Lobsvars = {{seen}};
      Vars: idle : boolean; end Vars
      Actions = {{{", ".join(ACTIONS)}}};
      Protocol: Other : {{{", ".join(ACTIONS)}}}; end Protocol
      Evolution: idle = idle if Action = on; end Evolution
    end Agent
    Agent B
      Lobsvars = {{hint}};
      Vars: idle : boolean; end Vars
      Actions = {{push, pull}};
      Protocol: Other : {{push, pull}}; end Protocol
      Evolution: idle = idle if Action = push; end Evolution
    end Agent
    Evaluation
      goal if Environment.at = {PLACES - 1};
      trap if Environment.at = {trap[0]} or Environment.at = {trap[1]};
      start if Environment.at = 0;
    end Evaluation
    InitStates A.idle = false and B.idle = false and ({starts}); end InitStates
    Groups g = {{A}}; team = {{A, B}}; end Groups
    """
    return (
        text
        if helper
        else text.replace("Actions = {push, pull};", "Actions = {push};").replace("{push, pull}", "{push}")
    )


@pytest.mark.parametrize("reading", ["objective", "subjective", "uniform"])
@pytest.mark.parametrize("overflow", [False, True])
def test_many_trials_without_patience(reading: str, overflow: bool) -> None:
    tried = 0
    for seed in range(6 if reading == "uniform" else 24):
        rng = random.Random(f"{seed} {overflow}")
        helper = seed % 3 == 0
        system = epistrat.load(maze(rng, overflow, helper))
        formulae = TEAM if helper else FORMULAE
        right = system.check(
            formulae, engine="reference", strategies=reading, group="team" if helper else "g", evidence=False, time=4.0
        )
        for patience in (IMPATIENT, PATIENT):
            found = system.check(
                formulae,
                engine="symbolic",
                strategies=reading,
                group="team" if helper else "g",
                evidence=False,
                budget=Budget(patience=patience),
            )
            for text, one, other in zip(formulae, found, right, strict=True):
                if other.verdict.value != "unknown":
                    assert one.verdict is other.verdict, (seed, text, patience)
                tried += int(one.statistics.get("strategies tried", 0)) > 1
    assert tried > (4 if reading == "uniform" else 15)
