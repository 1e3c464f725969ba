"""Shapes about places: robots, trains, shelves, guards, lights."""

from __future__ import annotations

import random

from benchmarks.families.text import AgentText, ModelText, conj, disj
from benchmarks.zoo.asking import ask


def robots(n: int, dice: random.Random) -> ModelText:
    """Two robots on a line of n cells that see each other only when next to each other; wind pushes one of them."""
    wind = AgentText(
        "Environment",
        variables=[f"a : 0..{n};", f"b : 0..{n};"],
        public=["near : boolean;"],
        actions=("calm", "blow"),
        protocol=("Other : {calm, blow};",),
        evolution=(
            f"a = a + 1 if A.Action = right and a < {n} and Action = calm;",
            "a = a - 1 if A.Action = left and a > 0;",
            f"b = b + 1 if B.Action = right and b < {n};",
            "b = b - 1 if B.Action = left and b > 0 and Action = calm;",
            "near = true if a = b + 1 or b = a + 1 or a = b;",
            "near = false if a > b + 1 or b > a + 1;",
        ),
    )

    def robot(name: str) -> AgentText:
        return AgentText(
            name,
            variables=[f"moves : 0..{n};"],
            actions=("left", "right", "stay"),
            protocol=(f"moves < {n} : {{left, right, stay}};", "Other : {stay};"),
            evolution=(f"moves = moves + 1 if !(Action = stay) and moves < {n};",),
        )

    return ModelText(
        agents=[wind, robot("A"), robot("B")],
        propositions={
            "meet": "Environment.a = Environment.b",
            "near": "Environment.near = true",
            "edge": f"Environment.a = {n}",
            "lost": f"Environment.a > Environment.b + {n // 2}",
        },
        initial=["Environment.a = 0", f"Environment.b = {n}", "Environment.near = false", "A.moves = 0", "B.moves = 0"],
        groups={"a": ["A"], "both": ["A", "B"]},
        single=True,
        specs=ask(
            "EF meet", "<both>F meet", "<a>F edge", "AG(meet -> K(A, near))", "EF K(A, lost)", "AG(edge -> EF meet)"
        ),
    )


def grid_robots(n: int, dice: random.Random) -> ModelText:
    """Two robots on an n by n grid with walls drawn by chance; each knows its own place only."""
    walls = {(dice.randrange(n), dice.randrange(n)) for _ in range(n)} - {(0, 0), (n - 1, n - 1)}
    hit = disj(f"(x = {x} and y = {y})" for x, y in sorted(walls)) or "x < 0"

    def robot(name: str, start: int) -> AgentText:
        return AgentText(
            name,
            variables=[f"x : 0..{n - 1};", f"y : 0..{n - 1};", "crashed : boolean;"],
            actions=("north", "south", "east", "west", "stay"),
            protocol=("crashed = true : {stay};", "Other : {north, south, east, west, stay};"),
            evolution=(
                f"x = x + 1 if Action = east and x < {n - 1};",
                "x = x - 1 if Action = west and x > 0;",
                f"y = y + 1 if Action = north and y < {n - 1};",
                "y = y - 1 if Action = south and y > 0;",
                f"crashed = true if {hit};",
            ),
        )

    return ModelText(
        agents=[AgentText("Environment"), robot("A", 0), robot("B", n - 1)],
        propositions={
            "meet": "A.x = B.x and A.y = B.y",
            "goal": f"A.x = {n - 1} and A.y = {n - 1}",
            "crashed": "A.crashed = true",
            "left": "A.x < B.x",
        },
        initial=["A.x = 0", "A.y = 0", f"B.x = {n - 1}", f"B.y = {n - 1}", "A.crashed = false", "B.crashed = false"],
        groups={"a": ["A"], "both": ["A", "B"]},
        single=True,
        specs=ask(
            "EF meet",
            "<a>F goal",
            "<both>F meet",
            "A(!goal W crashed)",
            "AG !K(A, meet)",
            "<a>G !crashed",
            "EF K(B, left)",
        ),
    )


def railway(n: int, dice: random.Random) -> ModelText:
    """n junctions in a row, three trains that go back and forth, a signaller who sets points and signals."""
    junctions, trains = range(1, n + 1), range(1, 4)
    signaller = AgentText(
        "Environment",
        public=[f"open{j} : boolean;" for j in junctions],
        variables=[f"at{t} : 0..{n};" for t in trains],
        actions=["rest", *(f"flip{j}" for j in junctions)],
        protocol=(f"Other : {{rest, {', '.join(f'flip{j}' for j in junctions)}}};",),
        evolution=[
            *(f"open{j} = true if Action = flip{j} and open{j} = false;" for j in junctions),
            *(f"open{j} = false if Action = flip{j} and open{j} = true;" for j in junctions),
            *(
                f"at{t} = {j} if Train{t}.Action = ahead and at{t} = {j - 1} and open{j} = true;"
                for t in trains
                for j in junctions
            ),
            *(
                f"at{t} = {j - 1} if Train{t}.Action = back and at{t} = {j} and open{j} = true;"
                for t in trains
                for j in junctions
            ),
        ],
    )
    drivers = [
        AgentText(
            f"Train{t}",
            sees=[f"at{t}"],
            variables=[f"fuel : 0..{2 * n + 1};"],
            actions=("ahead", "back", "stop"),
            protocol=("fuel > 0 : {ahead, back, stop};", "Other : {stop};"),
            evolution=("fuel = fuel - 1 if !(Action = stop) and fuel > 0;",),
        )
        for t in trains
    ]
    return ModelText(
        agents=[signaller, *drivers],
        propositions={
            "crash": "Environment.at1 = Environment.at2 and Environment.at1 > 0",
            "home1": f"Environment.at1 = {n}",
            "out1": "Environment.at1 = 0",
            "dry1": "Train1.fuel = 0",
        },
        initial=[
            *(f"Environment.open{j} = false" for j in junctions),
            *(f"Environment.at{t} = 0" for t in trains),
            *(f"Train{t}.fuel = {2 * n + 1}" for t in trains),
        ],
        groups={"signals": ["Environment"], "one": ["Train1"], "pair": ["Environment", "Train1"]},
        single=True,
        specs=ask(
            "EF crash",
            "<signals>G !crash",
            "<pair>F home1",
            "<one>F home1",
            "AG(home1 -> K(Train1, home1))",
            "AG(out1 -> EF crash)",
            "EF (dry1 and !home1)",
        ),
    )


def warehouse(n: int, dice: random.Random) -> ModelText:
    """Two carriers bring n boxes from shelves to the gate; a box is lifted by one, or by both if it is heavy."""
    boxes = range(1, n + 1)
    heavy = {b: dice.random() < 0.4 for b in boxes}
    floor = AgentText(
        "Environment",
        public=[f"box{b} : {{shelf, gate}};" for b in boxes],
        evolution=[
            f"box{b} = gate if L.Action = lift{b} {'and' if heavy[b] else 'or'} R.Action = lift{b};" for b in boxes
        ],
    )

    def carrier(name: str) -> AgentText:
        return AgentText(
            name,
            variables=[f"tired : 0..{n};"],
            actions=["rest", *(f"lift{b}" for b in boxes)],
            protocol=(
                *(f"tired < {n} and Environment.box{b} = shelf : {{lift{b}, rest}};" for b in boxes),
                "Other : {rest};",
            ),
            evolution=(
                f"tired = tired + 1 if !(Action = rest) and tired < {n};",
                "tired = tired - 1 if Action = rest and tired > 0;",
            ),
        )

    return ModelText(
        agents=[floor, carrier("L"), carrier("R")],
        propositions={
            "done": conj(f"Environment.box{b} = gate" for b in boxes),
            "one": "Environment.box1 = gate",
            "beat": f"R.tired > {n // 2}",
            "half": conj(f"Environment.box{b} = gate" for b in boxes if b <= n // 2) or "L.tired >= 0",
        },
        initial=[*(f"Environment.box{b} = shelf" for b in boxes), "L.tired = 0", "R.tired = 0"],
        groups={"l": ["L"], "both": ["L", "R"]},
        single=True,
        specs=ask(
            "<both>F done",
            "<l>F done",
            "<l>F one",
            "EF (done and beat)",
            "AG(half -> EF done)",
            "EF K(L, beat)",
            "AG(done -> K(L, done))",
        ),
    )


def patrol(n: int, dice: random.Random) -> ModelText:
    """A guard and a thief on a random graph of n rooms; the thief wins by taking the treasure and getting back."""
    rooms = range(n)
    edges = {(i, (i + 1) % n) for i in rooms} | {tuple(sorted(dice.sample(range(n), 2))) for _ in range(n // 2)}
    doors = sorted({(a, b) for x, y in edges for a, b in ((x, y), (y, x))})
    treasure = n // 2

    def walker(name: str, start: int, extra: list[str], lines: list[str]) -> AgentText:
        return AgentText(
            name,
            variables=[f"room : 0..{n - 1};", *extra],
            actions=["stay", *(f"to{r}" for r in rooms)],
            protocol=(*(f"room = {a} : {{stay, {', '.join(f'to{y}' for x, y in doors if x == a)}}};" for a in rooms),),
            evolution=[*(f"room = {r} if Action = to{r};" for r in rooms), *lines],
        )

    guard = walker("Guard", 0, [], [])
    thief = walker("Thief", 1, ["loot : boolean;"], [f"loot = true if room = {treasure};"])
    return ModelText(
        agents=[AgentText("Environment"), guard, thief],
        propositions={
            "caught": "Guard.room = Thief.room",
            "loot": "Thief.loot = true",
            "escaped": "Thief.loot = true and Thief.room = 1",
            "same_side": f"Guard.room < {treasure}",
        },
        initial=["Guard.room = 0", "Thief.room = 1", "Thief.loot = false"],
        groups={"guard": ["Guard"], "thief": ["Thief"]},
        single=True,
        specs=ask(
            "EF caught",
            "<guard>F caught",
            "<guard>G !escaped",
            "<thief>(!caught U escaped)",
            "AG(caught -> K(Guard, caught))",
            "EF K(Thief, same_side)",
            "<thief>F loot",
        ),
    )


def traffic(n: int, dice: random.Random) -> ModelText:
    """n crossings with lights in a row, queues of cars with random room that move on green."""
    places = range(1, n + 1)
    room = {i: dice.choice((2, 3, 3)) for i in places}
    lights = [
        AgentText(
            f"Light{i}",
            variables=["green : boolean;", f"queue : 0..{room[i]};", "age : 0..2;"],
            actions=("switch", "hold"),
            protocol=("age = 2 : {switch};", "age > 0 : {switch, hold};", "Other : {hold};"),
            evolution=(
                "green = true if Action = switch and green = false;",
                "green = false if Action = switch and green = true;",
                "age = 0 if Action = switch;",
                "age = age + 1 if Action = hold and age < 2;",
                f"queue = queue + 1 if green = false and queue < {room[i]} and "
                + ("Environment.Action = arrive" if i == 1 else f"Light{i - 1}.Action = hold")
                + ";",
                "queue = queue - 1 if green = true and queue > 0;",
            ),
        )
        for i in places
    ]
    road = AgentText("Environment", actions=("arrive", "calm"), protocol=("Other : {arrive, calm};",))
    return ModelText(
        agents=[road, *lights],
        propositions={
            "jam": conj(f"Light{i}.queue = {room[i]}" for i in places),
            "jam1": f"Light1.queue = {room[1]}",
            "free": conj(f"Light{i}.queue = 0" for i in places),
            "wave": conj(f"Light{i}.green = true" for i in places),
            "green2": "Light2.green = true",
        },
        initial=[f"Light{i}.green = false and Light{i}.queue = 0 and Light{i}.age = 0" for i in places],
        groups={"first": ["Light1"], "all": [f"Light{i}" for i in places], "road": ["Environment"]},
        single=True,
        specs=ask(
            "EF jam",
            "AG EF free",
            "<all>G !jam",
            "<first>G !jam1",
            "<all>F wave",
            "EF K(Light1, green2)",
            "AG(jam -> !wave)",
        ),
    )


def drones(n: int, dice: random.Random) -> ModelText:
    """n drones with batteries share one charger; each returns before its battery is empty, or falls."""
    people, top = range(1, n + 1), 6
    station = AgentText(
        "Environment",
        public=[f"user : 0..{n};"],
        evolution=[
            *(
                f"user = {i} if user = 0 and Drone{i}.Action = dock"
                + "".join(f" and !(Drone{j}.Action = dock)" for j in people if j < i)
                + ";"
                for i in people
            ),
            *(f"user = 0 if user = {i} and Drone{i}.Action = fly;" for i in people),
        ],
    )
    drones_ = [
        AgentText(
            f"Drone{i}",
            variables=[f"charge : 0..{top};"],
            actions=("fly", "dock", "load"),
            protocol=(
                f"Environment.user = {i} and charge < {top} : {{load, fly}};",
                f"Environment.user = {i} : {{fly}};",
                "charge > 0 : {fly, dock};",
                "Other : {dock};",
            ),
            evolution=(
                "charge = charge - 1 if Action = fly and charge > 0;",
                f"charge = charge + {dice.choice((1, 2))} if Action = load and charge < {top - 1};",
            ),
        )
        for i in people
    ]
    return ModelText(
        agents=[station, *drones_],
        propositions={
            "down": disj(f"(Drone{i}.charge = 0 and !(Environment.user = {i}))" for i in people),
            "down1": "Drone1.charge = 0 and !(Environment.user = 1)",
            "full1": f"Drone1.charge >= {top - 1}",
            "mine": "Environment.user = 1",
            "low2": "Drone2.charge < 2",
        },
        initial=["Environment.user = 0", *(f"Drone{i}.charge = {top}" for i in people)],
        groups={"one": ["Drone1"], "all": [f"Drone{i}" for i in people]},
        single=True,
        specs=ask(
            "EF down",
            "<all>G !down",
            "<one>G !down1",
            "AG(mine -> K(Drone2, mine))",
            "EF K(Drone1, low2)",
            "AG EF full1",
        ),
    )
