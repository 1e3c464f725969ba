"""Hidden games: a walker sees only the colour of its place, so that strategies are found by trial and error.

Places, steps, traps and the goal are random; some steps may end anywhere in a small set, and some choices have no outcome at all
because a counter would leave its range.
"""

from __future__ import annotations

import random

ACTIONS = ("left", "right", "on")


def maze(rng: random.Random, overflow: bool, helper: bool, places: int = 7, colours: int = 4) -> str:
    """A random maze; with a ``helper`` a second agent, who sees other colours, must do its part at some places."""
    colour = [rng.randrange(colours) for _ in range(places)]
    other = [rng.randrange(2) for _ in range(places)]
    lines = []
    for place in range(places - 1):
        for action in ACTIONS:
            test = f"A.Action = {action}"
            if helper and rng.random() < 0.4:
                test += f" and B.Action = {rng.choice(('push', 'pull'))}"
            if overflow and rng.random() < 0.15:
                lines.append(f"room = room + 1 if at = {place} and {test};")
                continue
            lines += [
                f"at = {target} and seen = {colour[target]} and hint = {other[target]} if at = {place} and {test};"
                for target in rng.sample(range(places), rng.choice((1, 1, 1, 2)))
            ]
    trap = rng.sample(range(1, places - 1), 2)
    starts = " or ".join(
        f"(Environment.at = {p} and Environment.seen = {colour[p]} and Environment.hint = {other[p]})" for p in (0, 1)
    )
    text = f"""
    Agent Environment
      Vars: at : 0..{places - 1}; seen : 0..{colours - 1}; hint : 0..1; room : 0..0; end Vars
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
      goal if Environment.at = {places - 1};
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
