"""Shapes about data: large enumerations, registers, stacks, arrays that shift, cash, counters that are long."""

from __future__ import annotations

import random

from benchmarks.families.text import AgentText, ModelText, conj, disj
from benchmarks.zoo.asking import ask


def dial(n: int, dice: random.Random) -> ModelText:
    """A dial of n positions with an action for each, and a lock that opens after three positions drawn by chance."""
    places = range(n)
    code = [dice.randrange(n) for _ in range(3)]
    turner = AgentText(
        "Turner",
        variables=[f"at : {{{', '.join(f'p{i}' for i in places)}}};"],
        actions=[*(f"turn{i}" for i in places), "rest"],
        protocol=[f"at = p{i} : {{rest, {', '.join(f'turn{j}' for j in places if j != i)}}};" for i in places],
        evolution=[f"at = p{i} if Action = turn{i};" for i in places],
    )
    lock = AgentText(
        "Environment",
        variables=["stage : 0..3;"],
        evolution=[f"stage = {k + 1} if stage = {k} and Turner.Action = turn{place};" for k, place in enumerate(code)],
    )
    return ModelText(
        agents=[lock, turner],
        propositions={
            "open": "Environment.stage = 3",
            "begun": "Environment.stage > 0",
            "start": "Turner.at = p0",
            "half": disj(f"Turner.at = p{i}" for i in range(n // 2)),
        },
        initial=["Environment.stage = 0", "Turner.at = p0"],
        groups={"turner": ["Turner"]},
        single=True,
        specs=ask("EF open", "AG EF start", "<turner>F open", "AG(open -> begun)", "EF K(Turner, open)", "AG EF half"),
    )


def shifted_array(n: int, dice: random.Random) -> ModelText:
    """Values move through n cells; what comes in is chosen, and fairness asks for each value again and again."""
    cells = range(1, n + 1)
    pipe = AgentText(
        "Environment",
        variables=[f"c{i} : 0..3;" for i in cells],
        actions=("put0", "put1", "put2", "put3", "hold"),
        protocol=("Other : {put0, put1, put2, put3, hold};",),
        evolution=[
            *(f"c1 = {v} if Action = put{v};" for v in range(4)),
            *(f"c{i} = c{i - 1} if !(Action = hold);" for i in cells if i > 1),
        ],
    )
    end = AgentText(
        "End",
        variables=["seen : 0..3;"],
        sees=[f"c{n}"],
        evolution=(f"seen = Environment.c{n} if !(Environment.Action = hold);",),
    )
    return ModelText(
        agents=[pipe, end],
        propositions={
            "zero": f"Environment.c{n} = 0",
            "three": f"Environment.c{n} = 3",
            "in3": "Environment.c1 = 3",
            "told": "End.seen = 3",
            "flat": conj(f"Environment.c{i} = Environment.c{i - 1}" for i in cells if i > 1),
        },
        initial=[*(f"Environment.c{i} = 0" for i in cells), "End.seen = 0"],
        specs=ask(
            "AF three",
            "AG(in3 -> AF three)",
            "AG(told -> EF zero)",
            "EG !flat",
            "AG EF flat",
            "AG(told -> K(End, told))",
            fairness=("zero", "three"),
        ),
    )


def overlapping(n: int, dice: random.Random) -> ModelText:
    """n workers whose lines overlap: several may apply at once, and each gives another next state."""
    people = range(1, n + 1)

    def worker(i: int) -> AgentText:
        other = i % n + 1
        return AgentText(
            f"W{i}",
            variables=["load : 0..7;", "mood : {calm, busy, tired};"],
            actions=("work", "rest", "help"),
            protocol=("load > 0 : {work, rest, help};", "Other : {rest, help};"),
            evolution=(
                "load = load - 1 if load > 0 and Action = work;",
                "load = load - 2 if load > 1 and Action = work and mood = calm;",
                f"load = load + 1 if load < 7 and W{other}.Action = help;",
                f"load = load + 2 and mood = busy if load < 6 and W{other}.Action = help;",
                "mood = tired if Action = work;",
                "mood = calm if Action = rest;",
                "mood = busy if load > 3;",
            ),
        )

    return ModelText(
        agents=[AgentText("Environment"), *map(worker, people)],
        propositions={
            "done": conj(f"W{i}.load = 0" for i in people),
            "full": "W1.load = 7",
            "tired": conj(f"W{i}.mood = tired" for i in people),
            "calm1": "W1.mood = calm",
        },
        initial=[f"W{i}.load = {dice.randint(0, 3)} and W{i}.mood = calm" for i in people],
        groups={"one": ["W1"], "all": [f"W{i}" for i in people]},
        specs=ask(
            "EF full", "AG EF done", "<all>F done", "<one>X calm1", "EF(tired and K(W1, tired))", "AG(full -> EX !full)"
        ),
    )


def modulo(n: int, dice: random.Random) -> ModelText:
    """Three registers modulo n that are added to one another, as a program of few instructions would."""
    names = ("x", "y", "z")
    start = [dice.randrange(1, n) for _ in names]

    def add(one: str, other: str) -> list[str]:
        act = f"Action = add_{one}{other}"
        return [
            f"{one} = {one} + {other} if {act} and {one} + {other} < {n};",
            f"{one} = {one} + {other} - {n} if {act} and {one} + {other} >= {n};",
        ]

    pairs = [("x", "y"), ("y", "z"), ("z", "x")]
    machine = AgentText(
        "Machine",
        variables=[f"{name} : 0..{n - 1};" for name in names],
        actions=[*(f"add_{a}{b}" for a, b in pairs), "idle"],
        protocol=(f"Other : {{{', '.join(f'add_{a}{b}' for a, b in pairs)}, idle}};",),
        evolution=[line for a, b in pairs for line in add(a, b)],
    )
    watcher = AgentText("Watcher", variables=["ticks : 0..3;"], sees=[], evolution=("ticks = ticks + 1 if ticks < 3;",))
    return ModelText(
        agents=[AgentText("Environment"), machine, watcher],
        propositions={
            "zero": "Machine.x = 0",
            "same": "Machine.x = Machine.y and Machine.y = Machine.z",
            "home": conj(f"Machine.{name} = {value}" for name, value in zip(names, start, strict=True)),
            "big": f"Machine.x + Machine.y > {n}",
        },
        initial=[*(f"Machine.{name} = {value}" for name, value in zip(names, start, strict=True)), "Watcher.ticks = 0"],
        groups={"machine": ["Machine"]},
        single=True,
        specs=ask(
            "EF same", "AG EF home", "<machine>F zero", "EF K(Watcher, zero)", "AG(big -> K(Machine, big))", "EG !zero"
        ),
    )


def stack(n: int, dice: random.Random) -> ModelText:
    """A stack of n cells in an array, with a pointer; a client pushes and pops what it likes."""
    cells = range(1, n + 1)
    store = AgentText(
        "Environment",
        variables=[f"top : 0..{n};", "last : 0..3;", *(f"m{i} : 0..3;" for i in cells)],
        evolution=[
            *(
                f"m{i} = {v} and top = {i} if top = {i - 1} and Client.Action = push{v};"
                for i in cells
                for v in range(4)
            ),
            *(f"last = m{i} and m{i} = 0 and top = {i - 1} if top = {i} and Client.Action = pop;" for i in cells),
        ],
    )
    client = AgentText(
        "Client",
        variables=["tired : boolean;"],
        sees=["last"],
        actions=("push0", "push1", "push2", "push3", "pop"),
        protocol=("tired = false : {push0, push1, push2, push3, pop};", "Other : {pop};"),
        evolution=("tired = true if Action = push3;", "tired = false if Action = pop;"),
    )
    return ModelText(
        agents=[store, client],
        propositions={
            "empty": "Environment.top = 0",
            "full": f"Environment.top = {n}",
            "three": "Environment.last = 3",
            "under": "Environment.m1 = 3",
            "sorted": conj(f"Environment.m{i} >= Environment.m{i - 1}" for i in cells if i > 1),
        },
        initial=[
            "Environment.top = 0",
            *(f"Environment.m{i} = 0" for i in cells),
            "Environment.last = 0",
            "Client.tired = false",
        ],
        groups={"client": ["Client"]},
        specs=ask(
            "EF full",
            "AG EF empty",
            "<client>F three",
            "AG(three -> K(Client, !empty))",
            "EF(full and sorted)",
            "EG !under",
        ),
    )


def cash(n: int, dice: random.Random) -> ModelText:
    """Two buyers with money up to n and prices that move; what they could pay is a product in propositions."""
    shop = AgentText(
        "Environment",
        public=["price : 1..9;"],
        actions=("up", "down", "keep"),
        protocol=("Other : {up, down, keep};",),
        evolution=(
            "price = price + 1 if Action = up and price < 9;",
            "price = price - 1 if Action = down and price > 1;",
        ),
    )

    def buyer(name: str, money: int) -> AgentText:
        return AgentText(
            name,
            variables=[f"cash : 0..{n};", "goods : 0..5;"],
            actions=("buy", "sell", "wait"),
            protocol=("cash > 9 and goods < 5 : {buy, wait};", "goods > 0 : {sell, wait};", "Other : {wait};"),
            evolution=(
                "cash = cash - Environment.price and goods = goods + 1 if Action = buy and goods < 5;",
                f"cash = cash + Environment.price and goods = goods - 1 if Action = sell and cash + Environment.price <= {n};",
            ),
        )

    start = dice.randint(n // 2, n - 1)
    return ModelText(
        agents=[shop, buyer("Ann", start), buyer("Bob", n // 2)],
        propositions={
            "rich": f"Ann.cash + Ann.goods * Environment.price > {n}",
            "even": "Ann.cash + Ann.goods * Environment.price = Bob.cash + Bob.goods * Environment.price",
            "poor": "Ann.cash < 10",
            "loaded": "Bob.goods = 5",
        },
        initial=[
            "Environment.price = 5",
            f"Ann.cash = {start}",
            "Ann.goods = 0",
            f"Bob.cash = {n // 2}",
            "Bob.goods = 0",
        ],
        groups={"ann": ["Ann"], "shop": ["Environment"]},
        specs=ask(
            "EF rich", "AG EF even", "<ann>G !poor", "<shop>G !rich", "EF K(Ann, loaded)", "AG(rich -> K(Ann, rich))"
        ),
    )


def long_counters(n: int, dice: random.Random) -> ModelText:
    """Two counters up to n, one of which follows the other; greatest fixpoints take as many rounds as the counters have values."""
    low = dice.randint(n // 4, n // 2)
    leader = AgentText(
        "Environment",
        variables=[f"count : 0..{n};"],
        actions=("up", "down", "stay"),
        protocol=(f"count < {n} : {{up, stay}};", "count > 0 : {down, stay};"),
        evolution=("count = count + 1 if Action = up;", "count = count - 1 if Action = down;"),
    )
    follower = AgentText(
        "Follower",
        variables=[f"mine : 0..{n};"],
        sees=["count"],
        actions=("go", "wait"),
        protocol=("Other : {go, wait};",),
        evolution=(
            "mine = mine + 1 if mine < Environment.count and Action = go;",
            "mine = mine - 1 if mine > Environment.count and Action = go;",
        ),
    )
    return ModelText(
        agents=[leader, follower],
        propositions={
            "high": f"Environment.count > {low}",
            "met": "Follower.mine = Environment.count",
            "top": f"Follower.mine = {n}",
            "behind": f"Environment.count > Follower.mine + {low // 2}",
        },
        initial=["Environment.count = 0", "Follower.mine = 0"],
        groups={"both": ["Environment", "Follower"], "follower": ["Follower"]},
        specs=ask("AF high", "EG !high", "EF top", "AG EF met", "<both>F top", "EF(behind and K(Follower, high))"),
    )
