"""Shapes drawn by chance: agents at the corners of a graph, each of which reacts to what its neighbours did."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

from benchmarks.families.text import AgentText, ModelText, conj, disj
from benchmarks.zoo.asking import ask

Neighbours = dict[int, list[int]]


def _both(n: int, pairs: set[tuple[int, int]]) -> Neighbours:
    return {i: sorted({b for a, b in pairs if a == i} | {a for a, b in pairs if b == i}) for i in range(n)}


def star(n: int, dice: random.Random) -> Neighbours:
    """Everybody with the first."""
    return _both(n, {(0, i) for i in range(1, n)})


def ring(n: int, dice: random.Random) -> Neighbours:
    """A circle."""
    return _both(n, {(i, (i + 1) % n) for i in range(n)})


def tree(n: int, dice: random.Random) -> Neighbours:
    """A tree drawn by chance."""
    return _both(n, {(dice.randrange(i), i) for i in range(1, n)})


def grid(n: int, dice: random.Random) -> Neighbours:
    """A grid of three rows."""
    return _both(n, {(i, i + 1) for i in range(n - 1) if i % 3 < 2} | {(i, i + 3) for i in range(n - 3)})


def clique(n: int, dice: random.Random) -> Neighbours:
    """Everybody with everybody."""
    return _both(n, {(i, j) for i in range(n) for j in range(i)})


def small_world(n: int, dice: random.Random) -> Neighbours:
    """A circle with a few long chords."""
    chords = {tuple(sorted(dice.sample(range(n), 2))) for _ in range(max(1, n // 3))} if n > 2 else set()
    return _both(n, {(i, (i + 1) % n) for i in range(n)} | {(a, b) for a, b in chords})


GRAPHS: dict[str, Callable[[int, random.Random], Neighbours]] = {
    "star": star,
    "ring": ring,
    "tree": tree,
    "grid": grid,
    "clique": clique,
    "small_world": small_world,
}


def _excited(i: int, near: list[int], needed: int) -> str:
    """At least ``needed`` (one or two) of the neighbours acted."""
    if needed == 1 or len(near) < 2:
        return disj(f"Node{j}.Action = act" for j in near)
    return disj(f"(Node{a}.Action = act and Node{b}.Action = act)" for a, b in pairwise(near))


def _bits(near: str, dice: random.Random) -> tuple[list[str], list[str], str, str]:
    return ["v : boolean;"], [f"v = true if {near};", "v = false if Action = act;"], "v = true", "v = false"


def _counters(near: str, dice: random.Random) -> tuple[list[str], list[str], str, str]:
    top = dice.randint(2, 4)
    return (
        [f"v : 0..{top};"],
        [f"v = v + 1 if ({near}) and v < {top};", "v = 0 if Action = act;"],
        f"v = {top}",
        "v = 0",
    )


def _phases(near: str, dice: random.Random) -> tuple[list[str], list[str], str, str]:
    lines = [f"v = ready if v = calm and ({near});", "v = tired if Action = act;", "v = calm if v = tired;"]
    return (
        ["v : {calm, ready, tired};", "w : 0..2;"],
        [*lines, f"w = w + 1 if ({near}) and w < 2;", "w = 0 if Action = act;"],
        "v = ready",
        "v = calm",
    )


KINDS = {"bits": _bits, "counters": _counters, "phases": _phases}


def drawn(graph: str, kind: str, n: int, dice: random.Random) -> ModelText:
    """n agents of the kind on the graph; who has been excited enough acts, or waits."""
    near = GRAPHS[graph](n, dice)
    agents, ready, calm = [], {}, {}
    for i in range(n):
        declared, lines, full, empty = KINDS[kind](_excited(i, near[i], dice.choice((1, 2))), dice)
        free = dice.random() < 0.3 or i == 0
        ready[i], calm[i] = f"Node{i}.{full}", f"Node{i}.{empty}"
        agents.append(
            AgentText(
                f"Node{i}",
                variables=declared,
                actions=("act", "wait"),
                protocol=(f"{full} : {{act, wait}};", f"Other : {{{'act, wait' if free else 'wait'}}};"),
                evolution=lines,
            )
        )
    group = sorted(dice.sample(range(n), dice.randint(1, max(1, n // 2))))
    far = n - 1
    return ModelText(
        agents=[AgentText("Environment"), *agents],
        propositions={
            "near": ready[0],
            "far": ready[far],
            "quiet": conj(calm.values()),
            "busy": disj(ready.values()),
            "all": conj(ready.values()),
        },
        initial=list(calm.values())
        + (["Node0.w = 0"] + [f"Node{i}.w = 0" for i in range(1, n)] if kind == "phases" else []),
        groups={"some": [f"Node{i}" for i in group], "first": ["Node0"]},
        single=True,
        specs=ask(
            "EF far",
            "EF all",
            "AG EF quiet",
            "<some>F busy",
            "<first>F far",
            "<some>G !far",
            "EF K(Node0, far)",
            f"AG(far -> K(Node{far}, busy))",
        ),
    )
