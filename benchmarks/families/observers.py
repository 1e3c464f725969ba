"""Families about observers of finite and infinite systems: voters, magic boxes, batteries with sensors."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.families.knowledge import dining_cryptographers
from benchmarks.families.text import AgentText, ModelText, conj, disj, fails, holds, spec

_WATCHER = AgentText("Observer", actions=("watch",), protocol=("Other : {watch};",))


def payers(n: int) -> ModelText:
    """The dining cryptographers with the questions of lazy model checking: what one of them knows, on all runs."""
    others = disj(f"paid{i}" for i in range(2, n + 1))
    return replace(
        dining_cryptographers(n),
        specs={
            "payer": spec(holds(f"AG((over and paid1) -> K(Crypto1, !({others})))")),
            "anonymity": spec(holds("AG((over and !paid1) -> !K(Crypto1, paid2))")),
            "linear": spec(fails("LTL (paid1 -> X F K(Crypto1, paid2))")),
        },
    )


def voters(n: int) -> ModelText:
    """n secret votes, whole numbers from 0 on, and a jury that sees their sum and guesses.  Infinitely many states."""
    people = range(1, n + 1)
    ballot = AgentText(
        "Environment",
        public=["voted : boolean;", "result : integer;", "guess : integer;"],
        variables=[f"vote{i} : integer;" for i in people],
        evolution=[f"voted = true and result = {' + '.join(f'vote{i}' for i in people)} if voted = false;"],
    )
    jury = AgentText("Jury", actions=("wait",), protocol=("Other : {wait};",))
    return ModelText(
        agents=[ballot, jury],
        propositions={
            "over": "Environment.voted = true",
            "right": "Environment.vote1 = Environment.guess",
            "somebody": disj(f"Environment.vote{i} > 0" for i in people),
        },
        initial=[
            "Environment.voted = false",
            "Environment.result = 0",
            *(f"Environment.vote{i} >= 0" for i in people),
        ],
        specs={
            "first": spec(fails("AG(over -> !K(Jury, right))")),
            "second": spec(holds("AG((over and somebody) -> !K(Jury, right))")),
        },
    )


def magic_path(n: int) -> list[tuple[int, int]]:
    """The cells that the ball visits, one after the other: rows to and fro, every row shorter than the one before by a cell."""
    cells: list[tuple[int, int]] = []
    for row in range(n):
        columns = list(range(n - row // 2))
        cells += [(row, column) for column in (columns if row % 2 == 0 else reversed(columns))]
    return cells


def magic_box(n: int) -> ModelText:
    """A ball on a known path through n x n cells; at every moment the observer is told either its row or its column."""
    path = magic_path(n)
    lines = []
    for (row, column), (next_row, next_column) in zip(path, [*path[1:], path[0]], strict=True):
        here = f"row = {row} and column = {column}"
        move = f"row = {next_row} and column = {next_column}"
        lines.append(f"{move} and told = by_row and seen = {next_row} if {here} and Action = by_row;")
        lines.append(f"{move} and told = by_column and seen = {next_column} if {here} and Action = by_column;")
    box = AgentText(
        "Environment",
        public=["told : {by_row, by_column};", f"seen : 0..{n - 1};"],
        variables=[f"row : 0..{n - 1};", f"column : 0..{n - 1};"],
        actions=("by_row", "by_column"),
        protocol=("Other : {by_row, by_column};",),
        evolution=lines,
    )
    last_row = conj(("Environment.row = 0", f"Environment.column = {n - 1}"))
    return ModelText(
        agents=[box, _WATCHER],
        propositions={"target": last_row, "corner": "Environment.row = 0"},
        initial=[
            "Environment.row = 0",
            "Environment.column = 0",
            "Environment.told = by_row",
            "Environment.seen = 0",
        ],
        specs={
            "target": spec(fails("AG(target -> K(Observer, target))")),
            "row": spec(holds("AG((corner and Environment.told = by_row) -> K(Observer, corner))")),
        },
        states=2 * len(path),
    )


def battery(n: int) -> ModelText:
    """Two generators, two batteries with real charges of size n, sensors that may fail.  Infinitely many states."""
    full = 10 * n
    public = [
        "on : boolean;",
        "gen1_off : boolean;",
        "gen2_off : boolean;",
        "low1 : boolean;",
        "low2 : boolean;",
        "sensor1 : boolean;",
        "sensor2 : boolean;",
        "sensor3 : boolean;",
        "alarm : boolean;",
        "mode : {primary, secondary, dead};",
        "tick : boolean;",
    ]
    hidden = [
        "charge1 : real;",
        "charge2 : real;",
        "fault1 : boolean;",
        "fault2 : boolean;",
        "sensor_fault : boolean;",
    ]
    fault = ("fault1 = true and gen1_off = true", "fault2 = true and gen2_off = true")
    lines = [
        f"{fault[0]} and tick = !tick if Action = break1 and fault1 = false;",
        f"{fault[1]} and tick = !tick if Action = break2 and fault2 = false;",
        "sensor_fault = true and sensor3 = false and tick = !tick if Action = break3 and sensor_fault = false;",
        "charge1 = charge1 - 1 and tick = !tick if Action = work and fault1 = true and mode = primary and charge1 > 1;",
        "charge1 = charge1 - 1 and low1 = true and mode = secondary and tick = !tick"
        " if Action = work and fault1 = true and mode = primary and charge1 <= 1;",
        f"charge1 = {full} and tick = !tick if Action = work and fault1 = false and mode = primary;",
        "charge2 = charge2 - 1 and tick = !tick if Action = work and fault2 = true and mode = secondary and charge2 > 1;",
        "charge2 = charge2 - 1 and low2 = true and mode = dead and on = false and alarm = true and sensor1 = false"
        " and sensor2 = false and sensor3 = false and tick = !tick"
        " if Action = work and fault2 = true and mode = secondary and charge2 <= 1;",
        f"charge2 = {full} and tick = !tick if Action = work and fault2 = false and mode = secondary;",
        "tick = !tick if Action = work and mode = dead;",
    ]
    plant = AgentText(
        "Environment",
        public=public,
        variables=hidden,
        actions=("work", "break1", "break2", "break3"),
        protocol=(
            "fault1 = false and fault2 = false and sensor_fault = false and !(mode = dead) : {work, break1, break2, break3};",
            "fault1 = false and fault2 = false and !(mode = dead) : {work, break1, break2};",
            "fault1 = false and !(mode = dead) : {work, break1};",
            "fault2 = false and !(mode = dead) : {work, break2};",
            "Other : {work};",
        ),
        evolution=[line.replace("= !tick", "= ~tick") for line in lines],
    )
    return ModelText(
        agents=[plant, _WATCHER],
        propositions={
            "fault1": "Environment.fault1 = true",
            "fault2": "Environment.fault2 = true",
            "sensor_fault": "Environment.sensor_fault = true",
            "off": "Environment.gen1_off = true and Environment.gen2_off = true",
            "on": "Environment.on = true",
            "empty1": "Environment.charge1 <= 1",
            "alarm": "Environment.alarm = true",
            "second": "Environment.mode = secondary",
        },
        initial=[
            "Environment.on = true",
            *(f"Environment.{name} = false" for name in ("gen1_off", "gen2_off", "low1", "low2", "alarm", "tick")),
            *(f"Environment.{name} = true" for name in ("sensor1", "sensor2", "sensor3")),
            *(f"Environment.{name} = false" for name in ("fault1", "fault2", "sensor_fault")),
            "Environment.mode = primary",
            f"Environment.charge1 >= {full - 2}",
            f"Environment.charge1 <= {full}",
            f"Environment.charge2 = {full}",
        ],
        specs={
            "seven": spec(
                holds("AG(fault1 -> K(Observer, fault1))"),
                holds("AG(fault2 -> K(Observer, fault2))"),
                fails("AG(sensor_fault -> K(Observer, sensor_fault))"),
                holds("AG(second -> K(Observer, fault1))"),
                holds("AG(alarm -> K(Observer, fault1 and fault2))"),
                fails("AG(fault1 -> K(Observer, !empty1))"),
                holds("AG(K(Observer, Once fault1) -> fault1)"),
            ),
            "diagnosis": spec(fails("LTL G (sensor_fault -> F K(Observer, Once sensor_fault))")),
            "future": spec(holds("AG(K(Observer, off) -> K(Observer, X X X off))")),
        },
    )
