"""Shapes about many bits at once: sensors of which no k may differ, votes that are counted, starts that treat all alike."""

from __future__ import annotations

import random
from itertools import combinations

from benchmarks.families.text import AgentText, ModelText, conj, disj
from benchmarks.zoo.asking import ask


def quorum(n: int, dice: random.Random) -> ModelText:
    """n sensors that show a bit, at the start no three of them on, and a reader who sees some of them and counts alarms."""
    people = range(1, n + 1)
    seen = sorted(dice.sample(people, max(2, n // 3)))
    field = AgentText(
        "Environment",
        variables=[f"s{i} : boolean;" for i in people],
        actions=("read", "wait"),
        protocol=("Other : {read, wait};",),
        evolution=[f"s{i} = false if Action = read and s{i % n + 1} = true;" for i in people],
    )
    reader = AgentText(
        "Reader",
        variables=["told : {none, calm, alarm};"],
        sees=[f"s{i}" for i in seen],
        evolution=(
            f"told = alarm if ({disj(f'Environment.s{i} = true' for i in seen)}) and Environment.Action = read;",
            f"told = calm if {conj(f'Environment.s{i} = false' for i in seen)} and Environment.Action = read;",
        ),
    )
    three = [conj(f"Environment.s{i} = true" for i in some) for some in combinations(people, 3)]
    return ModelText(
        agents=[field, reader],
        propositions={
            "two": disj(conj(f"Environment.s{i} = true" for i in some) for some in combinations(people, 2)),
            "any": disj(f"Environment.s{i} = true" for i in people),
            "alarm": "Reader.told = alarm",
            "first": "Environment.s1 = true",
        },
        initial=[*(f"!({one})" for one in three), "Reader.told = none"],
        groups={"field": ["Environment"]},
        specs=ask(
            "AG(two -> any)",
            "AG(alarm -> AX alarm)",
            "EF(two and K(Reader, two))",
            "AG(any -> EF !any)",
            "AG !K(Reader, first)",
            "<field>F !any",
        ),
    )


def thresholds(n: int, dice: random.Random) -> ModelText:
    """n voters who may change their vote once, no three in favour at the start; sums are compared with constants."""
    voters = range(1, n + 1)
    votes = "+".join(f"V{i}.vote" for i in voters)
    half = n // 2

    def voter(i: int) -> AgentText:
        return AgentText(
            f"V{i}",
            variables=["vote : 0..1;", "done : boolean;"],
            actions=("keep", "change"),
            protocol=("done = false : {keep, change};", "Other : {keep};"),
            evolution=(
                "vote = 1 and done = true if vote = 0 and Action = change;",
                "vote = 0 and done = true if vote = 1 and Action = change;",
            ),
        )

    return ModelText(
        agents=[AgentText("Environment"), *map(voter, voters)],
        propositions={
            "passed": f"{votes} > {half}",
            "all": f"{votes} >= {n}",
            "none": f"{votes} = 0",
            "close": f"{votes} = {half} or {votes} = {half + 1}",
            "mine": "V1.vote = 1",
        },
        initial=[
            *(f"!({conj(f'V{i}.vote = 1' for i in some)})" for some in combinations(voters, 3)),
            *(f"V{i}.done = false" for i in voters),
        ],
        groups={"some": [f"V{i}" for i in voters if i <= half + 1], "one": ["V1"]},
        specs=ask("EF passed", "<some>F passed", "<one>F passed", "AG(all -> K(V1, passed))", "EF close", "AG EF none"),
    )


def alike(n: int, dice: random.Random) -> ModelText:
    """n bits of which no four are on at the start, written out: a text of megabytes, and hardly anything to search for."""
    bits = range(1, n + 1)
    memory = AgentText(
        "Environment",
        variables=[f"b{i} : boolean;" for i in bits],
        actions=("clear", "wait"),
        protocol=("Other : {clear, wait};",),
        evolution=[f"b{i} = false if Action = clear;" for i in bits],
    )
    watcher = AgentText(
        "Watcher",
        variables=["w : boolean;"],
        sees=["b1", "b2", "b3"],
        evolution=("w = true if Environment.Action = clear;",),
    )
    four = [conj(f"Environment.b{i} = true" for i in some) for some in combinations(bits, 4)]
    return ModelText(
        agents=[memory, watcher],
        propositions={
            "three": "Environment.b1 = true and Environment.b2 = true and Environment.b3 = true",
            "last": f"Environment.b{n} = true",
            "clear": conj(f"Environment.b{i} = false" for i in bits),
        },
        initial=[*(f"!({one})" for one in four), "Watcher.w = false"],
        specs=ask("AG(three -> K(Watcher, !last))", "AG EF clear", "EF(three and last)", "EF last"),
    )
