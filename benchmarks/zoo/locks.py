"""Shapes about taking turns: locks, tickets, forks, readers and writers."""

from __future__ import annotations

import random

from benchmarks.families.text import AgentText, ModelText, conj, disj
from benchmarks.zoo.asking import ask


def pairs(n: int, dice: random.Random) -> ModelText:
    """n equal agents that enter when nobody else does, judged by comparing every pair of wishes."""
    agents = range(1, n + 1)
    clash = disj(f"(Agent{i}.Action = enter and Agent{j}.Action = enter)" for i in agents for j in agents if i < j)
    desk = AgentText(
        "Environment",
        public=[f"in{i} : boolean;" for i in agents],
        evolution=[
            line
            for i in agents
            for line in (
                f"in{i} = true if Agent{i}.Action = enter and !({clash}) and "
                + conj(f"in{j} = false" for j in agents)
                + ";",
                f"in{i} = false if Agent{i}.Action = leave;",
            )
        ],
    )
    people = [
        AgentText(
            f"Agent{i}",
            variables=["tries : 0..2;"],
            actions=("wait", "enter", "leave"),
            protocol=(f"Environment.in{i} = true : {{wait, leave}};", "tries < 2 : {wait, enter};", "Other : {wait};"),
            evolution=("tries = tries + 1 if Action = enter and tries < 2;", "tries = 0 if Action = leave;"),
        )
        for i in agents
    ]
    return ModelText(
        agents=[desk, *people],
        propositions={"in1": "Environment.in1 = true", "in2": "Environment.in2 = true", "tired1": "Agent1.tries = 2"},
        initial=[*(f"Environment.in{i} = false" for i in agents), *(f"Agent{i}.tries = 0" for i in agents)],
        groups={"one": ["Agent1"], "all": [f"Agent{i}" for i in agents]},
        single=True,
        specs=ask(
            "AG !(in1 and in2)",
            "EF in1",
            "AG(in1 -> K(Agent1, !in2))",
            "<one>F in1",
            "<all>F in2",
            "AG EF (in1 or tired1)",
        ),
    )


def bakery(n: int, dice: random.Random) -> ModelText:
    """A bakery lock: take a ticket above all others, the lowest ticket enters, ties by number."""
    people, top = range(1, n + 1), n + 1
    largest = [conj(f"ticket{i} >= ticket{j}" for j in people if j != i) or "true = true" for i in people]
    shop = AgentText(
        "Environment",
        public=[f"ticket{i} : 0..{top};" for i in people],
        evolution=[
            line
            for i in people
            for line in (
                *(
                    f"ticket{i} = ticket{j} + 1 if Client{i}.Action = take and ticket{j} < {top} and {largest[j - 1]};"
                    for j in people
                ),
                f"ticket{i} = 0 if Client{i}.Action = leave;",
            )
        ],
    )

    def first(i: int) -> str:
        return conj(
            f"(Environment.ticket{j} = 0 or Environment.ticket{i} < Environment.ticket{j}"
            + (f" or Environment.ticket{i} = Environment.ticket{j})" if i < j else ")")
            for j in people
            if j != i
        )

    clients = [
        AgentText(
            f"Client{i}",
            variables=["at : {out, queue, inside};"],
            actions=("idle", "take", "enter", "leave"),
            protocol=(
                "at = out : {idle, take};",
                f"at = queue and Environment.ticket{i} > 0 and {first(i)} : {{enter}};",
                "at = inside : {leave, idle};",
                "Other : {idle};",
            ),
            evolution=("at = queue if Action = take;", "at = inside if Action = enter;", "at = out if Action = leave;"),
        )
        for i in people
    ]
    return ModelText(
        agents=[shop, *clients],
        propositions={
            "in1": "Client1.at = inside",
            "in2": "Client2.at = inside",
            "queue1": "Client1.at = queue",
            "last1": conj(f"Environment.ticket1 >= Environment.ticket{j}" for j in people),
        },
        initial=[*(f"Environment.ticket{i} = 0" for i in people), *(f"Client{i}.at = out" for i in people)],
        groups={"one": ["Client1"], "rest": [f"Client{i}" for i in people if i > 1]},
        single=True,
        specs=ask(
            "AG !(in1 and in2)",
            "AG(in1 -> K(Client1, !in2))",
            "EF (queue1 and last1)",
            "<one>F in1",
            "<rest>G !in1",
            "AG(queue1 -> EF in1)",
        ),
    )


def peterson(n: int, dice: random.Random) -> ModelText:
    """A filter lock: n processes climb n - 1 levels, and the last to arrive at a level waits."""
    people, levels = range(1, n + 1), range(1, n)
    memory = AgentText(
        "Environment",
        public=[*(f"level{i} : 0..{n};" for i in people), *(f"last{k} : 1..{n};" for k in levels)],
        variables=[f"turn : 1..{n};"],
        actions=[f"run{i}" for i in people],
        protocol=[f"turn = {i} : {{{', '.join(f'run{j}' for j in people)}}};" for i in people],
        evolution=[
            *(f"level{i} = level{i} + 1 if Process{i}.Action = climb and Action = run{i};" for i in people),
            *(f"level{i} = 0 if Process{i}.Action = leave and Action = run{i};" for i in people),
            *(
                f"last{k} = {i} if Process{i}.Action = climb and Action = run{i} and level{i} = {k - 1};"
                for i in people
                for k in levels
            ),
        ],
    )

    def may_climb(i: int, k: int) -> str:
        empty = conj(f"Environment.level{j} < {k}" for j in people if j != i)
        return f"Environment.level{i} = {k} and (!(Environment.last{k} = {i}) or ({empty}))"

    processes = [
        AgentText(
            f"Process{i}",
            variables=["seen : boolean;"],
            actions=("idle", "climb", "leave"),
            protocol=(
                f"Environment.level{i} = 0 : {{idle, climb}};",
                *(f"{may_climb(i, k)} : {{climb}};" for k in levels),
                f"Environment.level{i} = {n} : {{leave}};",
                "Other : {idle};",
            ),
            evolution=(f"seen = true if Environment.level{i} = {n};",),
        )
        for i in people
    ]
    return ModelText(
        agents=[memory, *processes],
        propositions={
            "in1": f"Environment.level1 = {n}",
            "in2": f"Environment.level2 = {n}",
            "wants1": "Environment.level1 > 0",
            "seen1": "Process1.seen = true",
        },
        initial=[
            "Environment.turn = 1",
            *(f"Environment.level{i} = 0" for i in people),
            *(f"Environment.last{k} = 1" for k in levels),
            *(f"Process{i}.seen = false" for i in people),
        ],
        groups={"one": ["Process1"], "memory": ["Environment"]},
        single=True,
        specs=ask(
            "AG !(in1 and in2)",
            "AG(wants1 -> EF in1)",
            "EF K(Process2, seen1)",
            "<memory>G !in1",
            "<one>F in1",
            "AG(in1 -> K(Process1, !in2))",
        ),
    )


def semaphore(n: int, dice: random.Random) -> ModelText:
    """A counting semaphore with room for a third of n agents; a guard decides whom to let in."""
    people, room = range(1, n + 1), max(1, n // 3)
    grants = [f"grant{i}" for i in people]
    guard = AgentText(
        "Environment",
        public=[f"free : 0..{room};"],
        actions=["rest", *grants],
        protocol=(f"free > 0 : {{rest, {', '.join(grants)}}};", "Other : {rest};"),
        evolution=[
            *(f"free = free - 1 if Action = grant{i} and Agent{i}.Action = ask;" for i in people),
            f"free = free + 1 if free < {room} and Action = rest and ({disj(f'Agent{i}.Action = leave' for i in people)});",
        ],
    )
    agents = [
        AgentText(
            f"Agent{i}",
            variables=["inside : boolean;"],
            actions=("ask", "leave", "idle"),
            protocol=("inside = true : {leave, idle};", "Other : {ask, idle};"),
            evolution=(
                f"inside = true if Action = ask and Environment.Action = grant{i};",
                "inside = false if Action = leave;",
            ),
        )
        for i in people
    ]
    return ModelText(
        agents=[guard, *agents],
        propositions={
            "in1": "Agent1.inside = true",
            "all_in": conj(f"Agent{i}.inside = true" for i in people),
            "full": "Environment.free = 0",
        },
        initial=[f"Environment.free = {room}", *(f"Agent{i}.inside = false" for i in people)],
        groups={"guard": ["Environment"], "one": ["Agent1"], "pair": ["Environment", "Agent1"]},
        single=True,
        specs=ask(
            "EF all_in", "AG EF in1", "<guard>G !in1", "<pair>F in1", "<one>F in1", "AG(full -> K(Agent1, full))"
        ),
    )


def readers_writers(n: int, dice: random.Random) -> ModelText:
    """n readers and two writers share a book kept by a librarian who does not see who asks."""
    readers, writers = range(1, n + 1), range(1, 3)
    book = AgentText(
        "Environment",
        variables=[
            "version : 0..3;",
            *(f"reading{i} : boolean;" for i in readers),
            *(f"writing{i} : boolean;" for i in writers),
        ],
        actions=("open", "shut"),
        protocol=("Other : {open, shut};",),
        evolution=[
            *(
                f"reading{i} = true if Action = open and Reader{i}.Action = begin and "
                + conj(f"writing{w} = false" for w in writers)
                + ";"
                for i in readers
            ),
            *(f"reading{i} = false if Reader{i}.Action = finish;" for i in readers),
            *(
                f"writing{w} = true if Action = shut and Writer{w}.Action = begin and Writer{3 - w}.Action = idle and "
                + conj([*(f"reading{i} = false" for i in readers), *(f"writing{v} = false" for v in writers)])
                + ";"
                for w in writers
            ),
            *(f"writing{w} = false if Writer{w}.Action = finish;" for w in writers),
            *(
                f"version = version + 1 if version < 3 and writing{w} = true and Writer{w}.Action = finish;"
                for w in writers
            ),
        ],
    )

    def person(name: str, flag: str) -> AgentText:
        return AgentText(
            name,
            sees=[flag],
            actions=("idle", "begin", "finish"),
            protocol=(f"Environment.{flag} = true : {{idle, finish}};", "Other : {idle, begin};"),
            variables=["done : boolean;"],
            evolution=("done = true if Action = finish;",),
        )

    return ModelText(
        agents=[
            book,
            *(person(f"Reader{i}", f"reading{i}") for i in readers),
            *(person(f"Writer{w}", f"writing{w}") for w in writers),
        ],
        propositions={
            "read1": "Environment.reading1 = true",
            "write1": "Environment.writing1 = true",
            "write2": "Environment.writing2 = true",
            "fresh": "Environment.version = 3",
            "crowd": conj(f"Environment.reading{i} = true" for i in readers),
        },
        initial=[
            "Environment.version = 0",
            *(f"Environment.reading{i} = false" for i in readers),
            *(f"Environment.writing{w} = false" for w in writers),
            *(f"Reader{i}.done = false" for i in readers),
            *(f"Writer{w}.done = false" for w in writers),
        ],
        groups={"book": ["Environment"], "writers": ["Writer1", "Writer2"]},
        single=True,
        specs=ask(
            "AG !(read1 and write1)",
            "AG !(write1 and write2)",
            "AG(read1 -> K(Reader1, !write1))",
            "EF crowd",
            "<book>G !fresh",
            "<writers>F fresh",
            "EF K(Reader1, fresh)",
        ),
    )


def philosophers(n: int, dice: random.Random) -> ModelText:
    """n philosophers who each need some of n resources, drawn by chance, and take them one at a time."""
    people = range(1, n + 1)
    needs = {i: sorted(dice.sample(range(1, n + 1), min(n, dice.choice((2, 2, 3))))) for i in people}
    table = AgentText(
        "Environment",
        public=[f"owner{r} : 0..{n};" for r in people],
        evolution=[
            line
            for r in people
            for line in (
                *(
                    f"owner{r} = {i} if owner{r} = 0 and Person{i}.Action = take{r}"
                    + "".join(f" and !(Person{j}.Action = take{r})" for j in people if j < i and r in needs[j])
                    + ";"
                    for i in people
                    if r in needs[i]
                ),
                *(f"owner{r} = 0 if owner{r} = {i} and Person{i}.Action = drop;" for i in people if r in needs[i]),
            )
        ],
    )
    diners = [
        AgentText(
            f"Person{i}",
            variables=["meals : 0..1;"],
            actions=["think", "drop", *(f"take{r}" for r in needs[i])],
            protocol=(
                conj(f"Environment.owner{r} = {i}" for r in needs[i]) + " : {drop, think};",
                *(f"Environment.owner{r} = 0 : {{take{r}, think}};" for r in needs[i]),
                "Other : {think};",
            ),
            evolution=("meals = 1 if Action = drop;",),
        )
        for i in people
    ]
    holding = {i: conj(f"Environment.owner{r} = {i}" for r in needs[i]) for i in people}
    return ModelText(
        agents=[table, *diners],
        propositions={
            "eats1": holding[1],
            "eats2": holding[2],
            "fed1": "Person1.meals = 1",
            "fed2": "Person2.meals = 1",
        },
        initial=[*(f"Environment.owner{r} = 0" for r in people), *(f"Person{i}.meals = 0" for i in people)],
        groups={"one": ["Person1"], "rest": [f"Person{i}" for i in people if i > 1]},
        single=True,
        specs=ask(
            "AG EF eats1",
            "EF (fed1 and fed2)",
            "<one>F fed1",
            "<rest>G !fed1",
            "EF K(Person2, fed1)",
            "AG(eats1 -> !eats2)",
        ),
    )
