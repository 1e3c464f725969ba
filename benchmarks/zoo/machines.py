"""Shapes of a certain make: many tiny agents, one huge one, wide numbers, long tables, deep arithmetic."""

from __future__ import annotations

import random
import re

from benchmarks.families.text import AgentText, ModelText, conj, disj
from benchmarks.zoo.asking import ask


def tiny_agents(n: int, dice: random.Random) -> ModelText:
    """Hundreds of agents of one bit, each of which follows the one before it; the first moves by itself."""
    people = range(1, n + 1)

    def agent(i: int) -> AgentText:
        before = f"Agent{i - 1}.Action = up" if i > 1 else "Environment.Action = tick"
        return AgentText(
            f"Agent{i}",
            variables=["on : boolean;"],
            actions=("up", "stay"),
            protocol=("on = true : {up};", "Other : {stay};"),
            evolution=(f"on = true if {before};",),
        )

    clock = AgentText("Environment", actions=("tick", "rest"), protocol=("Other : {tick, rest};",))
    return ModelText(
        agents=[clock, *(agent(i) for i in people)],
        propositions={
            "first": "Agent1.on = true",
            "last": f"Agent{n}.on = true",
            "all": conj(f"Agent{i}.on = true" for i in people),
        },
        initial=[f"Agent{i}.on = false" for i in people],
        groups={"clock": ["Environment"], "last": [f"Agent{n}"]},
        single=True,
        specs=ask(
            "EF all",
            "AG(last -> first)",
            f"AG(last -> K(Agent{n}, first))",
            "<clock>F last",
            "<last>F last",
            "EG !first",
        ),
    )


def monolith(n: int, dice: random.Random) -> ModelText:
    """One agent with n counters, of which one moves at a time, and a watcher who sees the first two."""
    counters = range(1, n + 1)
    top = {i: dice.choice((3, 5, 7)) for i in counters}
    machine = AgentText(
        "Machine",
        variables=[f"c{i} : 0..{top[i]};" for i in counters],
        actions=[f"step{i}" for i in counters] + ["reset"],
        protocol=(f"Other : {{{', '.join(f'step{i}' for i in counters)}, reset}};",),
        evolution=[
            *(
                f"c{i} = c{i} + 1 if Action = step{i} and c{i} < {top[i]}"
                + (f" and c{i - 1} >= c{i}" if i > 1 else "")
                + ";"
                for i in counters
            ),
            *(f"c{i} = 0 if Action = reset;" for i in counters),
        ],
    )
    watcher = AgentText(
        "Watcher",
        variables=["count : 0..7;"],
        actions=("none",),
        evolution=(
            "count = count + 1 if Machine.Action = step1 and count < 7;",
            "count = 0 if Machine.Action = reset;",
        ),
    )
    return ModelText(
        agents=[AgentText("Environment"), machine, watcher],
        propositions={
            "full": conj(f"Machine.c{i} = {top[i]}" for i in counters),
            "some": f"Machine.c{n} > 0",
            "empty": conj(f"Machine.c{i} = 0" for i in counters),
            "seen": "Watcher.count > 0",
            "sum": "+".join(f"Machine.c{i}" for i in counters) + f" > {n}",
        },
        initial=[*(f"Machine.c{i} = 0" for i in counters), "Watcher.count = 0"],
        groups={"machine": ["Machine"]},
        single=True,
        specs=ask(
            "EF full",
            "AG EF empty",
            "AG(some -> K(Watcher, some))",
            "AG(some -> seen)",
            "<machine>F sum",
            "EF K(Watcher, sum)",
        ),
    )


def wide_sensors(n: int, dice: random.Random) -> ModelText:
    """Two sensors with readings up to n that follow each other; few of the many states are reached."""

    def sensor(name: str, other: str) -> AgentText:
        return AgentText(
            name,
            variables=[f"reading : 0..{n};", f"kept : 0..{n};"],
            actions=("up", "down", "hold"),
            protocol=(
                f"reading < {n} and reading <= kept + 2 : {{up, hold}};",
                "reading > 0 : {down, hold};",
                "Other : {hold};",
            ),
            evolution=(
                f"reading = reading + 1 if Action = up and reading < {n};",
                "reading = reading - 1 if Action = down and reading > 0;",
                f"kept = reading if {other}.Action = hold and Action = hold;",
            ),
        )

    return ModelText(
        agents=[AgentText("Environment"), sensor("One", "Two"), sensor("Two", "One")],
        propositions={
            "far": "One.reading > Two.reading + 5",
            "high": f"One.reading > {n // 2}",
            "same": "One.reading = Two.reading",
            "kept": "One.kept = Two.kept",
            "over": f"One.reading + Two.reading > {n}",
        },
        initial=["One.reading = 0", "Two.reading = 0", "One.kept = 0", "Two.kept = 0"],
        groups={"one": ["One"], "both": ["One", "Two"]},
        single=True,
        specs=ask(
            "EF far", "<one>F far", "<both>G same", "AG(high -> EF over)", "AG(same -> K(One, same))", "EF K(One, kept)"
        ),
    )


def long_tables(n: int, dice: random.Random) -> ModelText:
    """An automaton of n states with a table of about 4n lines drawn by chance, and an observer of its outputs."""
    table = [(s, a, dice.randrange(n)) for s in range(n) for a in range(4)]
    marked = sorted(dice.sample(range(n), max(1, n // 5)))
    machine = AgentText(
        "Machine",
        variables=[f"s : 0..{n - 1};"],
        actions=["low", "high"],
        protocol=(disj(f"s = {s}" for s in marked) + " : {high};", "Other : {low};"),
        evolution=[f"s = {t} if s = {s} and User.Action = a{a};" for s, a, t in table],
    )
    user = AgentText(
        "User",
        variables=["heard : 0..3;"],
        actions=[f"a{a}" for a in range(4)],
        protocol=("Other : {a0, a1, a2, a3};",),
        evolution=("heard = heard + 1 if Machine.Action = high and heard < 3;", "heard = 0 if Machine.Action = low;"),
    )
    return ModelText(
        agents=[AgentText("Environment"), machine, user],
        propositions={
            "zero": "Machine.s = 0",
            "marked": disj(f"Machine.s = {s}" for s in marked),
            "upper": f"Machine.s > {n // 2}",
            "three": "User.heard = 3",
        },
        initial=["Machine.s = 0", "User.heard = 0"],
        groups={"user": ["User"], "machine": ["Machine"]},
        single=True,
        specs=ask(
            "AG EF zero",
            "<user>F three",
            "<machine>F three",
            "AG(three -> K(User, marked))",
            "EF K(User, upper)",
            "<user>G !upper",
        ),
    )


def deep_arithmetic(n: int, dice: random.Random) -> ModelText:
    """Three registers up to 15, updated by sums, products and differences nested n deep."""

    def term(depth: int) -> str:
        if depth == 0:
            return dice.choice(("a", "b", "c", str(dice.randint(1, 5))))
        return f"({term(depth - 1)} {dice.choice(('+', '-', '*') if depth < 3 else ('+', '-'))} {term(dice.randrange(depth))})"

    tests = [f"{term(n)} > {dice.randint(0, 20)}" for _ in range(3)]
    machine = AgentText(
        "Machine",
        variables=["a : 0..15;", "b : 0..15;", "c : 0..15;"],
        actions=("x", "y", "z"),
        protocol=(f"{tests[0]} : {{x, y}};", f"{tests[1]} : {{y, z}};", "Other : {x, y, z};"),
        evolution=(
            "a = a + 1 if Action = x and a < 15;",
            "a = 0 if Action = z;",
            f"b = b + 1 if Action = y and b < 15 and {tests[2]};",
            "b = a if Action = z;",
            "c = c + 1 if a > b and c < 15;",
            "c = b if c = 15;",
        ),
    )
    viewer = AgentText(
        "Viewer",
        variables=["zs : 0..3;"],
        actions=("none",),
        evolution=("zs = zs + 1 if Machine.Action = z and zs < 3;",),
    )
    return ModelText(
        agents=[AgentText("Environment"), machine, viewer],
        propositions={
            "top": "Machine.a = 15",
            "order": "Machine.a > Machine.b",
            "test": re.sub(r"\b([abc])\b", r"Machine.\1", tests[2]),
            "zs": "Viewer.zs = 3",
            "sum": "Machine.a + Machine.b > Machine.c + 10",
        },
        initial=["Machine.a = 0", "Machine.b = 0", "Machine.c = 0", "Viewer.zs = 0"],
        groups={"machine": ["Machine"]},
        single=True,
        specs=ask(
            "EF top",
            "AG EF test",
            "<machine>F (zs and order)",
            "AG(zs -> K(Viewer, test))",
            "EF K(Viewer, sum)",
            "EG !sum",
        ),
    )


def ledger(n: int, dice: random.Random) -> ModelText:
    """Three accounts with up to n coins, payments of one or several coins, an auditor who sees the total."""
    accounts = ("a", "b", "c")
    moves = [f"{x}{y}{k}" for x in accounts for y in accounts if x != y for k in (1, 3)]
    bank = AgentText(
        "Bank",
        variables=[f"{x} : 0..{n};" for x in accounts],
        actions=["rest", *moves],
        protocol=(*(f"{m[0]} >= {m[2]} and {m[1]} <= {n} - {m[2]} : {{{m}, rest}};" for m in moves), "Other : {rest};"),
        evolution=[
            line
            for m in moves
            for line in (f"{m[0]} = {m[0]} - {m[2]} if Action = {m};", f"{m[1]} = {m[1]} + {m[2]} if Action = {m};")
        ],
    )
    auditor = AgentText(
        "Auditor",
        variables=["seen : 0..5;"],
        actions=("none",),
        evolution=("seen = seen + 1 if !(Bank.Action = rest) and seen < 5;",),
    )
    return ModelText(
        agents=[AgentText("Environment"), bank, auditor],
        propositions={
            "kept": f"Bank.a + Bank.b + Bank.c = {n}",
            "rich": "Bank.a > Bank.b + Bank.c",
            "even": "Bank.a = Bank.b",
            "moved": "Auditor.seen > 0",
            "broke": "Bank.a = 0",
        },
        initial=[f"Bank.a = {n}", "Bank.b = 0", "Bank.c = 0", "Auditor.seen = 0"],
        groups={"bank": ["Bank"]},
        single=True,
        specs=ask(
            "AG kept",
            "EF even",
            "<bank>F broke",
            "AG(moved -> K(Auditor, moved))",
            "EF K(Auditor, rich)",
            "AG(broke -> EF rich)",
        ),
    )


def shift_register(n: int, dice: random.Random) -> ModelText:
    """A shift register of n bits with feedback from places drawn by chance, and a reader of one end."""
    bits = range(n)
    taps = sorted(dice.sample(range(n), min(n, 3)))
    feed = " xor ".join(f"(b{t} = true)" for t in taps)
    register = AgentText(
        "Register",
        variables=[f"b{i} : boolean;" for i in bits],
        actions=("shift", "hold"),
        protocol=("Other : {shift, hold};",),
        evolution=[
            line
            for i in bits
            for line in (
                (
                    f"b{i} = true if Action = shift and b{i + 1} = true;",
                    f"b{i} = false if Action = shift and b{i + 1} = false;",
                )
                if i < n - 1
                else (f"b{i} = true if Action = shift and ({feed});", f"b{i} = false if Action = shift and !({feed});")
            )
        ],
    )
    reader = AgentText(
        "Reader",
        variables=["ones : 0..3;"],
        actions=("none",),
        evolution=("ones = ones + 1 if Register.Action = shift and ones < 3;",),
    )
    return ModelText(
        agents=[AgentText("Environment"), register, reader],
        propositions={
            "zero": conj(f"Register.b{i} = false" for i in bits),
            "ones": conj(f"Register.b{i} = true" for i in bits),
            "tail": "Register.b0 = true",
            "far": f"Register.b{n - 1} = true",
            "read": "Reader.ones > 0",
        },
        initial=["Register.b0 = true", *(f"Register.b{i} = false" for i in bits if 1 < i < n - 1), "Reader.ones = 0"],
        groups={"register": ["Register"]},
        single=True,
        specs=ask(
            "AG !zero", "EF ones", "AG EF tail", "<register>F far", "AG(read -> !K(Reader, tail))", "EF K(Reader, far)"
        ),
    )


def deadlines(n: int, dice: random.Random) -> ModelText:
    """n tasks with periods and lengths drawn by chance on one processor; a scheduler chooses whom to run."""
    tasks = range(1, n + 1)
    period = {i: dice.randint(n, n + 3) for i in tasks}
    scheduler = AgentText(
        "Environment",
        actions=[f"run{i}" for i in tasks],
        protocol=(f"Other : {{{', '.join(f'run{i}' for i in tasks)}}};",),
    )
    jobs = [
        AgentText(
            f"Task{i}",
            variables=[f"left : 0..{period[i]};", "work : 0..1;", "missed : boolean;"],
            actions=("none",),
            evolution=(
                "left = left - 1 if left > 0;",
                f"left = {period[i]} if left = 0;",
                f"work = 0 if Environment.Action = run{i} and left > 0;",
                "work = 1 if left = 0;",
                "missed = true if left = 0 and work = 1;",
            ),
        )
        for i in tasks
    ]
    return ModelText(
        agents=[scheduler, *jobs],
        propositions={
            "missed": disj(f"Task{i}.missed = true" for i in tasks),
            "missed1": "Task1.missed = true",
            "idle": conj(f"Task{i}.work = 0" for i in tasks),
            "late2": "Task2.left = 0 and Task2.work = 1",
        },
        initial=[f"Task{i}.left = {period[i]} and Task{i}.work = 1 and Task{i}.missed = false" for i in tasks],
        groups={"scheduler": ["Environment"], "one": ["Task1"]},
        single=True,
        specs=ask(
            "EF missed",
            "<scheduler>G !missed",
            "<one>G !missed1",
            "EF idle",
            "AG(late2 -> K(Task2, late2))",
            "EF K(Task1, late2)",
        ),
    )


def rooms(n: int, dice: random.Random) -> ModelText:
    """n rooms in a circle with heaters; a room's temperature follows its heater and its neighbours' doors."""
    places = range(1, n + 1)
    flats = [
        AgentText(
            f"Room{i}",
            variables=["heat : 0..4;"],
            actions=("on", "off", "door"),
            protocol=("heat = 0 : {on, door};", "heat = 4 : {off, door};", "Other : {on, off, door};"),
            evolution=(
                "heat = heat + 1 if Action = on and heat < 4;",
                "heat = heat - 1 if Action = off and heat > 0;",
                f"heat = heat + 1 if Action = door and Room{i % n + 1}.Action = on and heat < 4;",
                f"heat = heat - 1 if Action = door and Room{i % n + 1}.Action = off and heat > 0;",
            ),
        )
        for i in places
    ]
    return ModelText(
        agents=[AgentText("Environment"), *flats],
        propositions={
            "warm1": "Room1.heat >= 2",
            "cold": conj(f"Room{i}.heat = 0" for i in places),
            "hot": conj(f"Room{i}.heat = 4" for i in places),
            "diff": "Room1.heat > Room2.heat + 2",
            "warm2": "Room2.heat >= 2",
        },
        initial=[f"Room{i}.heat = {dice.randint(0, 2)}" for i in places],
        groups={"one": ["Room1"], "pair": ["Room1", "Room2"], "all": [f"Room{i}" for i in places]},
        single=True,
        specs=ask(
            "EF hot",
            "AG EF cold",
            "<one>F warm1",
            "<pair>F diff",
            "<all>F hot",
            "EF K(Room1, warm2)",
            "AG(diff -> warm1)",
        ),
    )
