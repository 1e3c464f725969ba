"""Families about what agents can bring about: one hundred prisoners, Tian Ji's race, a card game."""

from __future__ import annotations

import math
from collections.abc import Callable

from benchmarks.families.text import AgentText, ModelText, conj, disj, fails, holds, spec


def prisoners(n: int) -> ModelText:
    """Prisoner 1 counts, the others light the bulb once each, the warden picks freely and (for some questions) fairly."""
    everybody = range(1, n + 1)
    rest = range(2, n + 1)
    picks = [f"pick{i}" for i in everybody]
    warden = AgentText(
        "Environment",
        variables=["light : boolean;", "free : boolean;"],
        actions=picks,
        protocol=(f"Other : {{{', '.join(picks)}}};",),
        evolution=(
            f"light = true if {disj(f'Prisoner{i}.Action = on' for i in rest)};",
            "light = false if Prisoner1.Action = off;",
            "free = true if Prisoner1.Action = claim;",
        ),
    )

    def visits(i: int) -> list[str]:
        return [
            f"inside = true if Environment.Action = pick{i};",
            f"inside = false if !(Environment.Action = pick{i});",
            f"visited = true if Environment.Action = pick{i};",
        ]

    counter = AgentText(
        "Prisoner1",
        sees=["light"],
        variables=["inside : boolean;", "visited : boolean;", "claimed : boolean;", f"count : 0..{n - 1};"],
        actions=("off", "claim", "none"),
        protocol=(
            f"inside = true and count = {n - 1} : {{claim}};",
            f"inside = true and Environment.light = true and count < {n - 1} : {{off}};",
            "Other : {none};",
        ),
        evolution=[*visits(1), "claimed = true if Action = claim;", "count = count + 1 if Action = off;"],
    )
    others = [
        AgentText(
            f"Prisoner{i}",
            sees=["light"],
            variables=["inside : boolean;", "visited : boolean;", "lit : boolean;"],
            actions=("on", "none"),
            protocol=("inside = true and lit = false and Environment.light = false : {on};", "Other : {none};"),
            evolution=[*visits(i), "lit = true if Action = on;"],
        )
        for i in rest
    ]
    fairness = [f"inside{i}" for i in everybody]
    unaware = fails if n >= 3 else holds  # with one other prisoner, whoever is not called knows who is
    return ModelText(
        agents=[warden, counter, *others],
        propositions={
            "released": "Environment.free = true",
            "everyone": conj(f"Prisoner{i}.visited = true" for i in everybody),
        }
        | {f"inside{i}": f"Prisoner{i}.inside = true" for i in everybody},
        initial=[
            "Environment.light = false",
            "Environment.free = false",
            "Prisoner1.count = 0",
            "Prisoner1.claimed = false",
            *(f"Prisoner{i}.{name} = false" for i in everybody for name in ("inside", "visited")),
            *(f"Prisoner{i}.lit = false" for i in rest),
        ],
        groups={"all": [f"Prisoner{i}" for i in everybody]},
        single=True,
        specs={
            "strategy": spec(holds("<all>F released"), fairness=fairness),
            "live": spec(holds("AF released"), fairness=fairness),
            "safe": spec(holds("AG(released -> everyone)")),
            "know": spec(holds("AG(released -> K(Prisoner1, everyone))")),
            "mixed": spec(
                holds("AG(released -> K(Prisoner1, everyone))"),
                fails("AF released"),
                fails("<all>F released"),
                unaware("AG(everyone -> K(Prisoner1, everyone))"),
            ),
        },
    )


def tian_ji(n: int) -> ModelText:
    """n horses each, horse 1 the fastest; the king runs them in order; equal horses may finish either way."""
    horses = range(1, n + 1)

    def races(wins: Callable[[int, int], bool]) -> str:
        rows = []
        for i in horses:
            beaten = [f"King.Action = run{j}" for j in horses if wins(i, j)]
            if beaten:
                rows.append(f"(TianJi.Action = run{i} and ({disj(beaten)}))")
        return disj(rows)

    actions = [*(f"run{i}" for i in horses), "rest"]
    stable = [f"horse{i} : boolean;" for i in horses]
    used = [f"horse{i} = false if Action = run{i};" for i in horses]
    track = AgentText(
        "Environment",
        public=[f"ours : 0..{n};", f"theirs : 0..{n};"],
        evolution=(
            f"ours = ours + 1 if {races(lambda i, j: i <= j)};",
            f"theirs = theirs + 1 if {races(lambda i, j: i >= j)};",
        ),
    )
    tian = AgentText(
        "TianJi",
        variables=stable,
        actions=actions,
        protocol=[*(f"horse{i} = true : {{run{i}}};" for i in horses), "Other : {rest};"],
        evolution=used,
    )
    in_order = [
        conj([*(f"horse{j} = false" for j in range(1, i)), f"horse{i} = true"]) + f" : {{run{i}}};" for i in horses
    ]
    king = AgentText("King", variables=stable, actions=actions, protocol=[*in_order, "Other : {rest};"], evolution=used)
    finished = f"Environment.ours + Environment.theirs = {n}"
    trick = holds if n >= 3 else fails
    return ModelText(
        agents=[track, tian, king],
        propositions={
            "win": f"Environment.ours > Environment.theirs and {finished}",
            "lose": f"Environment.ours < Environment.theirs and {finished}",
        },
        initial=[
            "Environment.ours = 0",
            "Environment.theirs = 0",
            *(f"{player}.horse{i} = true" for player in ("TianJi", "King") for i in horses),
        ],
        groups={"tian": ["TianJi"], "king": ["King"]},
        specs={
            "strategy": spec(trick("<tian>F win")),
            "king": spec(fails("<king>F lose")),
            "can": spec(holds("EF win"), fails("AF win")),
            "mixed": spec(
                trick("<tian>F win"), fails("<king>F lose"), holds("EF win"), holds("AG(win -> K(King, win))")
            ),
        },
    )


def cards(n: int) -> ModelText:
    """n different cards dealt to two players; in each round both show one, the higher takes the trick.  n is even."""
    if n % 2:
        raise ValueError("the card game needs an even number of cards")
    half = n // 2
    rounds = range(1, half + 1)
    slots = [f"left{i}" for i in rounds] + [f"right{i}" for i in rounds]
    table = AgentText(
        "Environment",
        public=[f"round : 0..{half};", f"score : 0..{half};"],
        variables=[f"{slot} : 0..{n - 1};" for slot in slots],
        evolution=[
            line
            for i in rounds
            for line in (
                f"round = {i} and score = score + 1 if round = {i - 1} and left{i} > right{i};",
                f"round = {i} if round = {i - 1} and left{i} < right{i};",
            )
        ],
    )
    players = [
        AgentText(
            name,
            sees=[f"{hand}{i}" for i in rounds],
            variables=["busy : boolean;"],
            actions=("play",),
            protocol=("Other : {play};",),
            evolution=(f"busy = false if Environment.round = {half};",),
        )
        for name, hand in (("Left", "left"), ("Right", "right"))
    ]
    return ModelText(
        agents=[table, *players],
        propositions={
            "all_red": conj(f"Environment.left{i} >= {half}" for i in rounds),
            "left_wins": f"Environment.round = {half} and Environment.score * 2 > {half}",
        },
        initial=[
            "Environment.round = 0",
            "Environment.score = 0",
            "Left.busy = true",
            "Right.busy = true",
            *(f"!(Environment.{one} = Environment.{two})" for k, one in enumerate(slots) for two in slots[k + 1 :]),
        ],
        states=(half + 2) * math.factorial(n),
        specs={
            "ctl": spec(holds("AG(all_red -> AF left_wins)")),
            "know": spec(holds("AG(all_red -> K(Left, AF left_wins))")),
            "mixed": spec(
                holds("AG(all_red -> K(Left, AF left_wins))"),
                fails("AF left_wins"),
                holds("AG(all_red -> K(Right, all_red))"),
            ),
        },
    )
