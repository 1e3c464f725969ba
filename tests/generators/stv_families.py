"""Families of models in STV2's language, built like those that come with it: how many states these have is published there."""

from __future__ import annotations


def _agent(name: str, start: str, variables: str, lines: list[str], kept: bool = True) -> str:
    names = [one.partition(":=")[0] for one in variables.split()]
    head = [f"Agent {name}:", f"init {start}", f"LOCAL: [{', '.join(names)}]"]
    head += [f"PERSISTENT: [{', '.join(names)}]"] if kept else []
    return "\n".join([*head, f"INITIAL: [{', '.join(variables.split())}]", *lines, ""])


def trains(count: int) -> str:
    """Trains enter and leave a tunnel together with its controller, and come back alone."""
    agents = [
        _agent(
            f"Train{i}",
            "track",
            f"p{i}:=1",
            [
                f"shared[2] in{i}: track [p{i}==1] -> track [p{i}:=2]",
                f"shared[2] out{i}: track [p{i}==2] -> track [p{i}:=3]",
                f"back{i}: track [p{i}==3] -> track [p{i}:=1]",
            ],
            kept=False,
        )
        for i in range(1, count + 1)
    ]
    lights = [
        line
        for i in range(1, count + 1)
        for line in (f"shared[2] in{i}[in]: green -> red", f"shared[2] out{i}[out]: red -> green")
    ]
    return "\n".join([*agents, _agent("Controller", "green", "", lights), "FORMULA: <<Controller>>[](p1 < 4)"])


def bridge(count: int) -> str:
    """Trains that come near a bridge, cross and leave it; a barrier goes down when one comes near, and up when one leaves."""
    agents, lines = [], []
    for i in range(1, count + 1):
        moves = [
            f"shared[2] near{i}: far -> close",
            f"shared[2] on{i}: close -> over",
            f"shared[2] off{i}: over -> far",
        ]
        agents.append(_agent(f"Train{i}", "far", "", moves))
        for place, goal in (("idle", "idle [down:=1]"), ("busy", "busy")):
            lines += [
                f"shared[2] near{i}[near]: {place} -> {goal}",
                f"shared[2] on{i}[on]: {place} [down==1] -> busy",
                f"shared[2] on{i}[on]: {place} [down==0] -> crash [bad:=1]",
            ]
        lines.append(f"shared[2] off{i}[off]: busy -> idle [down:=0]")
    return "\n".join([*agents, _agent("Barrier", "idle", "down:=0", lines), "FORMULA: <<>>[](1==0)"])


def timers(count: int, ticks: int) -> str:
    """A timer counts by itself, each further one when the one before it starts anew; the last cannot start anew, as it needs a partner."""
    agents = []
    for i in range(count):
        last, shared = i == count - 1, "shared[2] " if i < count - 1 else ""
        events = [f"tick{j}: q{j - 1} -> q{j} [t0:={j}]" for j in range(1, ticks + 1)]
        if i:
            events = [f"shared[2] anew{i - 1}[c{i}_{j}]: q{j - 1} -> q{j} [t{i}:={j}]" for j in range(1, ticks + 1)]
            events.append(f"shared[2] anew{i}[reset{i}]: q{ticks} -> q{ticks + 1} [t{i}:=0]")
        end = f"q{ticks + 1} -> q0" if i else f"q{ticks} -> q0 [t0:=0]"
        events.append(f"{shared if not last else ''}anew{i}: {end}")
        agents.append(_agent(f"Timer{i}", "q0", f"t{i}:=0", events))
    return "\n".join([*agents, f"FORMULA: <<Timer0>>[](t0 <= {ticks})"])


def clock(minutes: int, hours: int, days: int = 0) -> str:
    """Minutes, hours and days; with days, an hour of its own passes before the hours start anew."""
    agents = [
        _agent(
            "Minutes",
            "q0",
            "m:=0",
            [f"m{j}: q{j - 1} -> q{j} [m:={j}]" for j in range(1, minutes)]
            + [f"shared[2] full: q{minutes - 1} -> q0 [m:=0]"],
        )
    ]
    passing = [f"shared[2] full[h{j}]: q{j - 1} -> q{j} [h:={j}]" for j in range(1, hours)]
    passing.append(f"shared[2] full[last]: q{hours - 1} -> q{hours if days else 0} [h:=0]")
    agents.append(_agent("Hours", "q0", "h:=0", passing + ([f"shared[2] night: q{hours} -> q0"] if days else [])))
    if days:
        counting = [f"shared[2] night[d{j}]: q{j - 1} -> q{j} [d:={j}]" for j in range(1, days + 1)]
        agents.append(_agent("Days", "q0", "d:=0", [*counting, f"rest: q{days} -> q{days}"]))
    return "\n".join([*agents, "FORMULA: <<Minutes>>[](h <= 10)"])


def quest(count: int, depth: int) -> str:
    """Adventurers walk down binary trees, each its own."""
    agents = [
        _agent(
            f"Hero{i}",
            "q1",
            f"items{i}:=0",
            [
                f"{way}{i}_{node.bit_length()}: q{node} -> q{2 * node + side}"
                for node in range(1, 2**depth)
                for side, way in enumerate(("left", "right"))
            ],
        )
        for i in range(1, count + 1)
    ]
    return "\n".join([*agents, "FORMULA: <<Hero1>><>(items1 == 0)"])


def voting(voters: int, candidates: int, *, honest: bool = True, together: bool = False) -> str:
    """Voters show the coercer how they voted, or do not; then it punishes or spares them, one after the other.

    Unless ``honest`` they may show any vote.  ``together``: all voters cast the same vote at the same time.
    """
    alone = f"shared[{voters}] " if together and voters > 1 else ""
    agents, lines = [], []
    for i in range(1, voters + 1):
        shown = [(j, f"[v{i}=={j}] " if honest else "") for j in range(1, candidates + 1)]
        events = [f"{alone}vote{j}: q0 -> q1 [v{i}:={j}]" for j, _ in shown]
        events += [f"shared[2] show{j}_{i}: q1 {guard}-> q2" for j, guard in shown]
        events.append(f"shared[2] hide{i}: q1 -> q2")
        events += [f"shared[2] {what}{i}[heard{i}]: q2 -> q3" for what in ("punish", "spare")]
        agents.append(_agent(f"Voter{i}", "q0", f"v{i}:=0", [*events, f"rest{i}: q3 -> q3"]))
        lines += [f"shared[2] show{j}_{i}[see{i}]: q{i - 1} -> q{i} [s{i}:={j}, g{i}:=1]" for j, _ in shown]
        lines.append(f"shared[2] hide{i}[see{i}]: q{i - 1} -> q{i} [g{i}:=2]")
        place = voters + i - 1
        lines += [f"shared[2] {w}{i}: q{place} -> q{place + 1} [{w}d{i}:=1]" for w in ("punish", "spare")]
    values = " ".join(f"s{i}:=0 g{i}:=0 punishd{i}:=0 spared{i}:=0" for i in range(1, voters + 1))
    agents.append(_agent("Coercer", "q0", values, lines))
    return "\n".join([*agents, "FORMULA: <<Coercer>>[](v1 == 1 || punishd1 == 1 && spared1 == 0)"])
