"""Random graphs as systems: every edge is chosen by two agents, some nodes have no successor, and some choices lead nowhere.

Random systems are made of conditions, and their dead ends and values out of range are rare; here they are drawn on purpose.
"""

from __future__ import annotations

import random

from epistrat.lang.load import load
from epistrat.model.system import System

MODEL = """
Agent Environment
  Obsvars: c: 0..1; end Obsvars
  Vars: x: 0..{last}; end Vars
  Actions = {{u, v}};
  Protocol: {protocol} end Protocol
  Evolution:
    {evolution}
  end Evolution
end Agent
Agent A
  Vars: w: boolean; end Vars
  Actions = {{l, r}};
  Protocol: Environment.c = {narrow}: {{l}}; Other: {{l, r}}; end Protocol
  Evolution: w = true if Action = r; end Evolution
end Agent
Evaluation p if {p}; q if {q}; r if A.w = true; end Evaluation
InitStates A.w = false and ({start}); end InitStates
Groups a = {{A}}; e = {{Environment}}; ae = {{A, Environment}}; end Groups
Formulae AG true; end Formulae
"""


def random_graph(rng: random.Random, size: int = 5, leaving: float = 0.15, ends: float = 0.2) -> System:
    """A graph of so many nodes; choices lead nowhere, and nodes have no choice, with these probabilities."""
    colour = [rng.randrange(2) for _ in range(size)]
    lines: list[str] = []
    protocol: list[str] = []
    for node in range(size):
        if node and rng.random() < ends:
            continue
        allowed = rng.sample("uv", rng.randint(1, 2))
        protocol.append(f"x = {node}: {{{', '.join(allowed)}}};")
        for own in allowed:
            for other in "lr":
                to = rng.randrange(size)
                moved = f"x = x + {size}" if rng.random() < leaving else f"x = {to} and c = {colour[to]}"
                lines.append(f"{moved} if x = {node} and Action = {own} and A.Action = {other};")
    starts = rng.sample(range(size), rng.randint(1, 2))
    text = MODEL.format(
        last=size - 1,
        protocol=" ".join(protocol),
        evolution="\n    ".join(lines),
        narrow=rng.choice((0, 1, 2)),
        p=_some(rng, size),
        q=_some(rng, size),
        start=" or ".join(f"(Environment.x = {node} and Environment.c = {colour[node]})" for node in starts),
    ).replace("Environment.c = 2: {l}; ", "")
    found = load(text, "graph")
    assert found.system is not None, (text, found.diagnostics)
    return found.system


def _some(rng: random.Random, size: int) -> str:
    chosen = rng.sample(range(size), rng.randint(1, size - 1))
    return " or ".join(f"Environment.x = {node}" for node in chosen)
