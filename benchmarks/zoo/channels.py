"""Shapes about messages: channels that lose, windows, buffers in a row, keys and an intruder."""

from __future__ import annotations

import random

from benchmarks.families.text import AgentText, ModelText, conj, disj
from benchmarks.zoo.asking import ask


def alternating_bit(n: int, dice: random.Random) -> ModelText:
    """The alternating bit protocol: n messages of one of n values over two channels that lose."""
    channel = AgentText(
        "Environment",
        actions=("deliver", "lose_down", "lose_up", "lose_both"),
        protocol=("Other : {deliver, lose_down, lose_up, lose_both};",),
    )
    down = "(Environment.Action = deliver or Environment.Action = lose_up)"
    up = "(Environment.Action = deliver or Environment.Action = lose_down)"
    sends = [f"send{v}_{b}" for v in range(n) for b in (0, 1)]
    sender = AgentText(
        "Sender",
        variables=["bit : 0..1;", f"value : 0..{n - 1};", f"done : 0..{n};"],
        actions=[*sends, "rest"],
        protocol=(
            *(f"done < {n} and value = {v} and bit = {b} : {{send{v}_{b}}};" for v in range(n) for b in (0, 1)),
            "Other : {rest};",
        ),
        evolution=[
            line
            for b in (0, 1)
            for line in (
                f"bit = {1 - b} if bit = {b} and Receiver.Action = ack{b} and {up} and done < {n};",
                f"done = done + 1 if bit = {b} and Receiver.Action = ack{b} and {up} and done < {n};",
            )
        ],
    )
    receiver = AgentText(
        "Receiver",
        variables=["expected : 0..1;", f"got : 0..{n};", f"last : 0..{n - 1};"],
        actions=("ack0", "ack1"),
        protocol=("expected = 1 : {ack0};", "expected = 0 : {ack1};"),
        evolution=[
            line
            for b in (0, 1)
            for line in (
                f"expected = {1 - b} if expected = {b} and {down} and "
                + "("
                + disj(f"Sender.Action = send{v}_{b}" for v in range(n))
                + ");",
                f"got = got + 1 if got < {n} and expected = {b} and {down} and "
                + "("
                + disj(f"Sender.Action = send{v}_{b}" for v in range(n))
                + ");",
                *(f"last = {v} if expected = {b} and {down} and Sender.Action = send{v}_{b};" for v in range(n)),
            )
        ],
    )
    return ModelText(
        agents=[channel, sender, receiver],
        propositions={
            "sent": f"Sender.done = {n}",
            "got": f"Receiver.got = {n}",
            "ahead": "Receiver.got > Sender.done + 1",
            "same": "Receiver.last = Sender.value",
            "some": "Receiver.got > 0",
        },
        initial=["Sender.bit = 0", "Sender.done = 0", "Receiver.expected = 0", "Receiver.got = 0", "Receiver.last = 0"],
        groups={"channel": ["Environment"], "ends": ["Sender", "Receiver"]},
        single=True,
        specs=ask(
            "AG !ahead",
            "AG(sent -> K(Sender, got))",
            "EF (got and !sent)",
            "<channel>F sent",
            "<ends>F sent",
            "AG(some -> K(Receiver, same))",
        ),
    )


def window(n: int, dice: random.Random) -> ModelText:
    """A window protocol: up to three packets under way, numbers from 0 to n, a channel that keeps or drops the whole window."""
    wire = AgentText("Environment", actions=("keep", "drop"), protocol=("Other : {keep, drop};",))
    sender = AgentText(
        "Sender",
        variables=[f"base : 0..{n};", f"next : 0..{n};"],
        actions=("push", "back", "wait"),
        protocol=(f"next < {n} and next < base + 3 : {{push, wait}};", "Other : {back, wait};"),
        evolution=(
            f"next = next + 1 if Action = push and next < {n};",
            "next = base if Action = back;",
            f"base = base + 1 if Receiver.Action = confirm and Environment.Action = keep and base < next and base < {n};",
        ),
    )
    receiver = AgentText(
        "Receiver",
        variables=[f"got : 0..{n};", "owed : 0..3;"],
        actions=("confirm", "quiet"),
        protocol=("owed > 0 : {confirm, quiet};", "Other : {quiet};"),
        evolution=(
            f"got = got + 1 if Sender.Action = push and Environment.Action = keep and got < {n};",
            "owed = owed + 1 if Sender.Action = push and Environment.Action = keep and owed < 3 and !(Action = confirm);",
            "owed = owed - 1 if Action = confirm and owed > 0 and !(Sender.Action = push);",
        ),
    )
    return ModelText(
        agents=[wire, sender, receiver],
        propositions={
            "all": f"Receiver.got = {n}",
            "sure": f"Sender.base = {n}",
            "early": "Sender.base > Receiver.got",
            "half": f"Receiver.got >= {n // 2}",
        },
        initial=["Sender.base = 0", "Sender.next = 0", "Receiver.got = 0", "Receiver.owed = 0"],
        groups={"wire": ["Environment"], "ends": ["Sender", "Receiver"], "sender": ["Sender"]},
        single=True,
        specs=ask(
            "AG !early",
            "EF sure",
            "AG(sure -> K(Sender, half))",
            "<wire>G !all",
            "<ends>F all",
            "<sender>F half",
            "AG(half -> EF all)",
        ),
    )


def chain(n: int, dice: random.Random) -> ModelText:
    """A producer, n buffers in a row with room for two or three items, and a consumer."""
    cells = range(1, n + 1)
    room = {i: dice.choice((2, 3)) for i in cells}
    stations = []
    for i in cells:
        before = "Producer.Action = give" if i == 1 else f"Cell{i - 1}.Action = pass"
        stations.append(
            AgentText(
                f"Cell{i}",
                variables=[f"items : 0..{room[i]};"],
                actions=("pass", "keep"),
                protocol=("items > 0 : {pass, keep};", "Other : {keep};"),
                evolution=(
                    f"items = items + 1 if {before} and !(Action = pass) and items < {room[i]};",
                    f"items = items - 1 if !({before}) and Action = pass and items > 0;",
                ),
            )
        )
    producer = AgentText(
        "Producer",
        variables=["made : 0..4;"],
        actions=("give", "rest"),
        protocol=("Other : {give, rest};",),
        evolution=("made = made + 1 if Action = give and made < 4;",),
    )
    consumer = AgentText(
        "Consumer",
        variables=["eaten : 0..4;"],
        actions=("none",),
        evolution=(f"eaten = eaten + 1 if Cell{n}.Action = pass and eaten < 4;",),
    )
    return ModelText(
        agents=[AgentText("Environment"), producer, *stations, consumer],
        propositions={
            "full": conj(f"Cell{i}.items = {room[i]}" for i in cells),
            "empty": conj(f"Cell{i}.items = 0" for i in cells),
            "fed": "Consumer.eaten = 4",
            "begun": "Producer.made > 0",
            "ate": "Consumer.eaten > 0",
        },
        initial=["Producer.made = 0", "Consumer.eaten = 0", *(f"Cell{i}.items = 0" for i in cells)],
        groups={
            "makers": ["Producer"],
            "cells": [f"Cell{i}" for i in cells],
            "all": ["Producer", *(f"Cell{i}" for i in cells)],
        },
        single=True,
        specs=ask(
            "EF full",
            "AG EF empty",
            "AG(ate -> K(Consumer, begun))",
            "<cells>G !fed",
            "<makers>F ate",
            "<all>F fed",
            "A(!ate W begun)",
        ),
    )


def broadcast(n: int, dice: random.Random) -> ModelText:
    """A source repeats a bit to n listeners; every round the air reaches a set of them that nobody chooses."""
    people = range(1, n + 1)
    source = AgentText(
        "Source",
        variables=["bit : boolean;", "rounds : 0..3;"],
        actions=("zero", "one"),
        protocol=("bit = true : {one};", "Other : {zero};"),
        evolution=("rounds = rounds + 1 if rounds < 3;",),
    )
    listeners = [
        AgentText(
            f"Listener{i}",
            variables=["heard : {nothing, zero, one};", "tuned : boolean;"],
            actions=("listen", "sleep"),
            protocol=("Other : {listen, sleep};",),
            evolution=(
                "heard = one if Action = listen and tuned = true and Source.Action = one;",
                "heard = zero if Action = listen and tuned = true and Source.Action = zero;",
                "tuned = true if Action = sleep;",
                "tuned = false if Action = listen;",
            ),
        )
        for i in people
    ]
    return ModelText(
        agents=[AgentText("Environment"), source, *listeners],
        propositions={
            "bit": "Source.bit = true",
            "all_heard": conj(f"!(Listener{i}.heard = nothing)" for i in people),
            "heard1": "!(Listener1.heard = nothing)",
            "wrong": disj(f"(Listener{i}.heard = one and Source.bit = false)" for i in people),
        },
        initial=["Source.rounds = 0", *(f"Listener{i}.heard = nothing" for i in people)],
        groups={"all": [f"Listener{i}" for i in people], "one": ["Listener1"]},
        single=True,
        specs=ask(
            "AG !wrong",
            "AG(heard1 -> (K(Listener1, bit) or K(Listener1, !bit)))",
            "AG(all_heard -> (GCK(all, bit) or GCK(all, !bit)))",
            "<all>F all_heard",
            "<one>F heard1",
            "AG(all_heard and bit -> DK(all, bit))",
        ),
    )


def key_exchange(n: int, dice: random.Random) -> ModelText:
    """Two parties exchange numbers up to n under keys; an intruder hears, replays and forges what it has the key for."""
    wire = AgentText(
        "Intruder",
        variables=[f"stored : 0..{n};", "key : boolean;"],
        actions=("pass", "replay", "block", "steal"),
        protocol=("Other : {pass, replay, block, steal};",),
        evolution=[
            *(f"stored = {v} if Alice.Action = say{v};" for v in range(1, n + 1)),
            "key = true if Action = steal and Bob.Action = careless;",
        ],
    )
    alice = AgentText(
        "Alice",
        variables=[f"nonce : 1..{n};", "stage : 0..2;"],
        actions=[*(f"say{v}" for v in range(1, n + 1)), "listen"],
        protocol=[*(f"stage = 0 and nonce = {v} : {{say{v}, listen}};" for v in range(1, n + 1)), "Other : {listen};"],
        evolution=[
            *(f"stage = 1 if stage = 0 and Action = say{v};" for v in range(1, n + 1)),
            *(
                f"stage = 2 if stage = 1 and nonce = {v} and Bob.Action = echo{v} and !(Intruder.Action = block);"
                for v in range(1, n + 1)
            ),
        ],
    )
    bob = AgentText(
        "Bob",
        variables=[f"got : 0..{n};"],
        actions=[*(f"echo{v}" for v in range(1, n + 1)), "wait", "careless"],
        protocol=["got = 0 : {wait, careless};", *(f"got = {v} : {{echo{v}}};" for v in range(1, n + 1))],
        evolution=[
            f"got = {v} if got = 0 and Alice.Action = say{v} and Intruder.Action = pass;" for v in range(1, n + 1)
        ]
        + [f"got = {v} if got = 0 and Intruder.Action = replay and Alice.Action = say{v};" for v in range(1, n + 1)],
    )
    return ModelText(
        agents=[AgentText("Environment"), alice, bob, wire],
        propositions={
            "done": "Alice.stage = 2",
            "agree": "Alice.nonce = Bob.got",
            "got": "Bob.got > 0",
            "key": "Intruder.key = true",
            "learnt": "Intruder.stored = Alice.nonce",
            "low": f"Alice.nonce <= {n // 2}",
        },
        initial=["Alice.stage = 0", "Bob.got = 0", "Intruder.stored = 0", "Intruder.key = false"],
        groups={"honest": ["Alice", "Bob"], "thief": ["Intruder"]},
        single=True,
        specs=ask(
            "AG(done -> agree)",
            "AG(done -> K(Alice, agree))",
            "AG(done and low -> K(Intruder, low))",
            "<thief>G !done",
            "<honest>F done",
            "EF (key and !got)",
            "AG(got -> K(Bob, agree))",
        ),
    )


def token_bus(n: int, dice: random.Random) -> ModelText:
    """A token on a bus, passed to any station that asks; each station counts how long it waited."""
    people = range(1, n + 1)
    bus = AgentText(
        "Environment",
        public=[f"holder : 1..{n};"],
        evolution=[
            f"holder = {j} if holder = {i} and Station{i}.Action = release and Station{j}.Action = ask"
            + "".join(f" and !(Station{k}.Action = ask)" for k in people if k < j and k != i)
            + ";"
            for i in people
            for j in people
            if i != j
        ],
    )
    stations = [
        AgentText(
            f"Station{i}",
            variables=["waited : 0..3;"],
            actions=("ask", "release", "work"),
            protocol=(f"Environment.holder = {i} : {{release, work}};", "Other : {ask, work};"),
            evolution=(
                f"waited = waited + 1 if Action = ask and !(Environment.holder = {i}) and waited < 3;",
                f"waited = 0 if Environment.holder = {i};",
            ),
        )
        for i in people
    ]
    return ModelText(
        agents=[bus, *stations],
        propositions={
            "mine": "Environment.holder = 1",
            "last": f"Environment.holder = {n}",
            "angry": conj(f"Station{i}.waited = 3" for i in people if i > 1),
            "angry2": "Station2.waited = 3",
        },
        initial=["Environment.holder = 1", *(f"Station{i}.waited = 0" for i in people)],
        groups={"one": ["Station1"], "rest": [f"Station{i}" for i in people if i > 1]},
        single=True,
        specs=ask(
            "EF angry", "AG EF last", "<one>G mine", "<rest>F angry2", "AG(mine -> K(Station2, !last))", "EG !last"
        ),
    )
