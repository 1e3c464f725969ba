"""Small games: pennies and heaps."""

from __future__ import annotations

import random

from benchmarks.families.text import AgentText, ModelText, conj
from benchmarks.zoo.asking import ask


def pennies(n: int, dice: random.Random) -> ModelText:
    """Matching pennies over n rounds with scores; a referee cheats at most twice."""
    desk = AgentText(
        "Environment",
        public=[f"round : 0..{n};", f"score : 0..{n};"],
        variables=["cheats : 0..2;"],
        actions=("honest", "cheat"),
        protocol=("cheats < 2 : {honest, cheat};", "Other : {honest};"),
        evolution=(
            f"round = round + 1 if round < {n};",
            f"score = score + 1 if round < {n} and Action = honest and "
            "((Even.Action = head and Odd.Action = head) or (Even.Action = tail and Odd.Action = tail));",
            f"score = score + 1 if round < {n} and Action = cheat and "
            "((Even.Action = head and Odd.Action = tail) or (Even.Action = tail and Odd.Action = head));",
            "cheats = cheats + 1 if Action = cheat;",
        ),
    )

    def player(name: str) -> AgentText:
        return AgentText(
            name,
            variables=["last : {none, head, tail};"],
            actions=("head", "tail"),
            protocol=("Other : {head, tail};",),
            evolution=("last = head if Action = head;", "last = tail if Action = tail;"),
        )

    return ModelText(
        agents=[desk, player("Even"), player("Odd")],
        propositions={
            "over": f"Environment.round = {n}",
            "ahead": f"Environment.score > {n // 2}",
            "clean": "Environment.cheats = 0",
            "perfect": f"Environment.score = {n}",
        },
        initial=[
            "Environment.round = 0",
            "Environment.score = 0",
            "Environment.cheats = 0",
            "Even.last = none",
            "Odd.last = none",
        ],
        groups={"even": ["Even"], "both": ["Even", "Odd"], "house": ["Environment", "Even"]},
        single=True,
        specs=ask(
            "AF over",
            "<even>F ahead",
            "<both>F perfect",
            "<house>F (over and ahead)",
            "AG(perfect -> K(Even, clean))",
            "EF (perfect and !clean)",
            "AG(over -> !K(Odd, clean))",
        ),
    )


def nim(n: int, dice: random.Random) -> ModelText:
    """Nim with three heaps drawn up to n; two players in turn, who takes the last stone wins."""
    heaps = [dice.randint(max(1, n // 2), n) for _ in range(3)]
    moves = [f"take{h}_{k}" for h in range(3) for k in range(1, n + 1)]
    board = AgentText(
        "Environment",
        public=["turn : 1..2;", *(f"h{h} : 0..{n};" for h in range(3))],
        evolution=[
            *(
                f"h{h} = h{h} - {k} if h{h} >= {k} and "
                f"((turn = 1 and One.Action = take{h}_{k}) or (turn = 2 and Two.Action = take{h}_{k}));"
                for h in range(3)
                for k in range(1, n + 1)
            ),
            "turn = 2 if turn = 1 and !(One.Action = rest);",
            "turn = 1 if turn = 2 and !(Two.Action = rest);",
        ],
    )

    def player(name: str, number: int) -> AgentText:
        return AgentText(
            name,
            actions=["rest", *moves],
            protocol=(
                *(
                    f"Environment.turn = {number} and Environment.h{h} >= {k} : {{take{h}_{k}}};"
                    for h in range(3)
                    for k in range(1, n + 1)
                ),
                "Other : {rest};",
            ),
            variables=["moved : boolean;"],
            evolution=("moved = true if !(Action = rest);",),
        )

    empty = conj(f"Environment.h{h} = 0" for h in range(3))
    return ModelText(
        agents=[board, player("One", 1), player("Two", 2)],
        propositions={
            "over": empty,
            "one": f"{empty} and Environment.turn = 2",
            "two": f"{empty} and Environment.turn = 1",
            "big": "Environment.h0 > Environment.h1 + Environment.h2",
        },
        initial=[
            "Environment.turn = 1",
            *(f"Environment.h{h} = {heaps[h]}" for h in range(3)),
            "One.moved = false",
            "Two.moved = false",
        ],
        groups={"one": ["One"], "two": ["Two"]},
        single=True,
        specs=ask("AF over", "<one>F one", "<two>F two", "EF big", "AG(over -> K(One, over))", "AG(big -> EF one)"),
    )
