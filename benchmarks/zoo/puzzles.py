"""Shapes that people teach with: hats, numbers, cards, generals, shares."""

from __future__ import annotations

import random
from itertools import combinations

from benchmarks.families.text import AgentText, ModelText, conj, disj
from benchmarks.zoo.asking import ask


def hats(n: int, dice: random.Random) -> ModelText:
    """n people in a row with red or blue hats; each sees those in front and speaks in turn, from the back."""
    people = range(1, n + 1)
    stage = AgentText(
        "Environment",
        public=[f"turn : 0..{n};", "parity : boolean;"],
        variables=[f"red{i} : boolean;" for i in people],
        evolution=[
            f"turn = turn + 1 if turn < {n};",
            *(f"parity = true if Person{i}.Action = red and turn = {i - 1} and parity = false;" for i in people),
            *(f"parity = false if Person{i}.Action = red and turn = {i - 1} and parity = true;" for i in people),
        ],
    )

    def odd(names: list[str]) -> str:
        return " xor ".join(f"({name} = true)" for name in names)

    persons = []
    for i in people:
        seen = [f"red{j}" for j in people if j > i]
        guess = odd([*(f"Environment.{name}" for name in seen), "Environment.parity"])
        persons.append(
            AgentText(
                f"Person{i}",
                sees=seen,
                variables=["said : {nothing, red, blue};"],
                actions=("quiet", "red", "blue"),
                protocol=(
                    f"Environment.turn = {i - 1} and ({guess}) : {{red}};",
                    f"Environment.turn = {i - 1} and !({guess}) : {{blue}};",
                    "Other : {quiet};",
                ),
                evolution=("said = red if Action = red;", "said = blue if Action = blue;"),
            )
        )
    right = {i: f"((Person{i}.said = red) xor (Environment.red{i} = false))" for i in people}
    return ModelText(
        agents=[stage, *persons],
        propositions={
            "over": f"Environment.turn = {n}",
            "rest_right": conj(right[i] for i in people if i > 1),
            "first_right": right[1],
            "red1": "Environment.red1 = true",
            "red2": "Environment.red2 = true",
        },
        initial=["Environment.turn = 0", "Environment.parity = false", *(f"Person{i}.said = nothing" for i in people)],
        groups={"all": [f"Person{i}" for i in people]},
        single=True,
        specs=ask(
            "AG(over -> rest_right)",
            "AG(over -> first_right)",
            "AG(over -> (K(Person2, red2) or K(Person2, !red2)))",
            "AG !K(Person1, red1)",
            "AF over",
            "EF GK(all, red2)",
        ),
    )


def logicians(n: int, dice: random.Random) -> ModelText:
    """Does everybody want a drink?  n logicians answer in turn: no, I do not know, yes."""
    people = range(1, n + 1)
    bar = AgentText(
        "Environment",
        public=[f"turn : 1..{n + 1};", "answer : {open, no, yes};"],
        evolution=[
            f"turn = turn + 1 if turn <= {n};",
            *(f"answer = no if Guest{i}.Action = no;" for i in people),
            *(f"answer = yes if Guest{i}.Action = yes;" for i in people),
        ],
    )
    guests = [
        AgentText(
            f"Guest{i}",
            variables=["thirsty : boolean;"],
            actions=("quiet", "no", "unsure", "yes"),
            protocol=(
                f"Environment.turn = {i} and Environment.answer = open and thirsty = false : {{no}};",
                f"Environment.turn = {i} and Environment.answer = open and thirsty = true : {{{'yes' if i == n else 'unsure'}}};",
                "Other : {quiet};",
            ),
        )
        for i in people
    ]
    return ModelText(
        agents=[bar, *guests],
        propositions={
            "all": conj(f"Guest{i}.thirsty = true" for i in people),
            "yes": "Environment.answer = yes",
            "no": "Environment.answer = no",
            "second": "Environment.turn > 2",
            "thirsty1": "Guest1.thirsty = true",
        },
        initial=["Environment.turn = 1", "Environment.answer = open"],
        groups={"everyone": [f"Guest{i}" for i in people]},
        single=True,
        specs=ask(
            "AG(yes -> GCK(everyone, all))",
            "all -> AF yes",
            "AF (yes or no)",
            "AG(second -> (K(Guest2, thirsty1) or K(Guest2, !thirsty1)))",
            "AG(no -> DK(everyone, !all))",
            "EF K(Guest1, all)",
        ),
    )


def consecutive(n: int, dice: random.Random) -> ModelText:
    """Two people with consecutive numbers up to n say in turn that they do not know the other's number, until they do."""
    rounds = n + 1
    stage = AgentText(
        "Environment",
        public=[f"round : 0..{rounds};"],
        evolution=[f"round = round + 1 if round < {rounds} and One.Action = unsure and Two.Action = unsure;"],
    )

    def person(name: str) -> AgentText:
        return AgentText(
            name,
            variables=[f"number : 0..{n};", "knows : boolean;"],
            actions=("unsure", "sure"),
            protocol=("knows = true : {sure};", "Other : {unsure};"),
            evolution=(f"knows = true if Environment.round >= number or Environment.round >= {n} - number;",),
        )

    return ModelText(
        agents=[stage, person("One"), person("Two")],
        propositions={
            "above": "Two.number = One.number + 1",
            "one": "One.knows = true",
            "two": "Two.knows = true",
            "big": f"One.number > {n // 2}",
        },
        initial=[
            "Environment.round = 0",
            "One.knows = false",
            "Two.knows = false",
            "(One.number = Two.number + 1 or Two.number = One.number + 1)",
        ],
        groups={"both": ["One", "Two"]},
        single=True,
        specs=ask(
            "AF (one or two)",
            "AG(one -> (K(One, above) or K(One, !above)))",
            "EF GCK(both, big)",
            "AG(two -> K(One, two))",
            "EF (K(One, above) and !K(Two, above))",
            "EF DK(both, big)",
        ),
    )


def sum_and_product(n: int, dice: random.Random) -> ModelText:
    """Two numbers from 2 to n; one person is told the sum, the other the product."""
    numbers = range(2, n + 1)
    world = AgentText("Environment", variables=[f"x : 2..{n};", f"y : 2..{n};"])

    def told(name: str, bound: int, value: str) -> AgentText:
        return AgentText(
            name,
            variables=[f"told : 0..{bound};"],
            actions=("none",),
            evolution=("told = told if told > 0;",),
        )

    links = [
        "Environment.x <= Environment.y",
        "Sum.told = Environment.x + Environment.y",
        "Product.told = Environment.x * Environment.y",
    ]
    chosen = sorted(dice.sample(list(numbers), min(3, len(numbers))))
    return ModelText(
        agents=[world, told("Sum", 2 * n, "x + y"), told("Product", n * n, "x * y")],
        propositions={
            **{f"low{v}": f"Environment.x = {v}" for v in chosen},
            "equal": "Environment.x = Environment.y",
            "even": disj(f"Environment.x = {v}" for v in numbers if v % 2 == 0),
            "large": f"Environment.x + Environment.y > {n}",
        },
        initial=links,
        groups={"both": ["Sum", "Product"]},
        specs=ask(
            f"K(Sum, low{chosen[0]})",
            f"EF (K(Product, low{chosen[-1]}))",
            "AG(equal -> DK(both, equal))",
            "K(Sum, !K(Product, even))",
            "AG(large -> K(Sum, large))",
            "large -> K(Product, large)",
            "GCK(both, !equal)",
        ),
    )


def russian_cards(n: int, dice: random.Random) -> ModelText:
    """2n + 1 cards: Anne and Bill hold n each, Eve one; Anne may announce one of two hands, chosen to contain hers."""
    cards = range(2 * n + 1)
    deal = AgentText(
        "Environment",
        variables=[f"owner{c} : {{anne, bill, eve}};" for c in cards],
        public=["said : {nothing, low, spread};"],
        evolution=("said = low if Anne.Action = low;", "said = spread if Anne.Action = spread;"),
    )

    def mine(name: str) -> list[str]:
        return [f"c{c} : boolean;" for c in cards]

    def links(agent: str, owner: str) -> str:
        return conj(
            f"(({agent}.c{c} = true and Environment.owner{c} = {owner}) or "
            f"({agent}.c{c} = false and !(Environment.owner{c} = {owner})))"
            for c in cards
        )

    low, spread = list(cards)[: n + 1], list(cards)[::2][: n + 1]
    anne = AgentText(
        "Anne",
        variables=mine("anne"),
        actions=("quiet", "low", "spread"),
        protocol=(
            conj(f"c{c} = false" for c in cards if c not in low) + " : {low, quiet};",
            conj(f"c{c} = false" for c in cards if c not in spread) + " : {spread, quiet};",
            "Other : {quiet};",
        ),
    )
    others = [AgentText(name, variables=mine(name), actions=("none",)) for name in ("Bill", "Eve")]

    def exactly(owner: str, count: int) -> str:
        if count == 1:
            return (
                "("
                + disj(
                    "(" + conj(f"{'' if c == d else '!'}(Environment.owner{d} = {owner})" for d in cards) + ")"
                    for c in cards
                )
                + ")"
            )
        hands = list(combinations(cards, count))
        return (
            "("
            + disj(
                "(" + conj(f"{'' if d in hand else '!'}(Environment.owner{d} = {owner})" for d in cards) + ")"
                for hand in hands
            )
            + ")"
        )

    return ModelText(
        agents=[deal, anne, *others],
        propositions={
            "anne0": "Environment.owner0 = anne",
            "bill1": "Environment.owner1 = bill",
            "said": "!(Environment.said = nothing)",
            "low": "Environment.said = low",
        },
        initial=[
            "Environment.said = nothing",
            links("Anne", "anne"),
            links("Bill", "bill"),
            links("Eve", "eve"),
            exactly("eve", 1),
            exactly("anne", n),
        ],
        groups={"anne": ["Anne"], "friends": ["Anne", "Bill"]},
        single=True,
        specs=ask(
            "AG !K(Eve, anne0)",
            "EF K(Bill, anne0)",
            "AG(low -> GCK(friends, low))",
            "AG(anne0 -> DK(friends, anne0))",
            "<anne>F said",
            "EF (K(Bill, anne0) and !K(Eve, anne0))",
        ),
    )


def generals(n: int, dice: random.Random) -> ModelText:
    """Two generals confirm each other's messages up to n times over a valley where messengers may be caught."""
    valley = AgentText("Environment", actions=("through", "caught"), protocol=("Other : {through, caught};",))

    def general(name: str, other: str, first: bool) -> AgentText:
        start = "received > 0 or sent = 0" if first else "received > 0"
        return AgentText(
            name,
            variables=[f"sent : 0..{n};", f"received : 0..{n};", "plan : boolean;"],
            actions=("send", "wait", "attack"),
            protocol=(
                f"({start}) and sent < {n} and plan = true : {{send, wait}};",
                "received > 0 : {wait, attack};",
                "Other : {wait};",
            ),
            evolution=(
                f"sent = sent + 1 if Action = send and sent < {n};",
                f"received = received + 1 if {other}.Action = send and Environment.Action = through and received < {n};",
                f"plan = true if {other}.Action = send and Environment.Action = through;",
            ),
        )

    return ModelText(
        agents=[valley, general("North", "South", True), general("South", "North", False)],
        propositions={
            "north": "North.plan = true",
            "south": "South.plan = true",
            "deep": f"South.received = {n}",
            "heard": "South.received > 0",
            "echo": "North.received > 0",
        },
        initial=[
            "North.plan = true",
            "South.plan = false",
            *(f"{g}.{v} = 0" for g in ("North", "South") for v in ("sent", "received")),
        ],
        groups={"both": ["North", "South"], "valley": ["Environment"]},
        single=True,
        specs=ask(
            "AG !GCK(both, south)",
            "AG(echo -> K(North, south))",
            "AG(heard -> K(South, north))",
            "EF K(South, K(North, south))",
            "<valley>G !heard",
            "<both>F heard",
            "EF deep",
        ),
    )


def secret_sharing(n: int, dice: random.Random) -> ModelText:
    """A secret bit is the parity of n shares, one for each agent; shares are revealed one after the other."""
    people = range(1, n + 1)
    board = AgentText(
        "Environment",
        public=[f"open{i} : {{hidden, zero, one}};" for i in people],
        evolution=[
            line
            for i in people
            for line in (f"open{i} = one if Holder{i}.Action = show1;", f"open{i} = zero if Holder{i}.Action = show0;")
        ],
    )
    holders = [
        AgentText(
            f"Holder{i}",
            variables=["share : boolean;"],
            actions=("keep", "show0", "show1"),
            protocol=("share = true : {keep, show1};", "Other : {keep, show0};"),
        )
        for i in people
    ]
    parity = " xor ".join(f"(Holder{i}.share = true)" for i in people)
    return ModelText(
        agents=[board, *holders],
        propositions={
            "secret": parity,
            "all_open": conj(f"!(Environment.open{i} = hidden)" for i in people),
            "rest_open": conj(f"!(Environment.open{i} = hidden)" for i in people if i > 1),
            "last_hidden": f"Environment.open{n} = hidden",
        },
        initial=[f"Environment.open{i} = hidden" for i in people],
        groups={"all": [f"Holder{i}" for i in people], "rest": [f"Holder{i}" for i in people if i < n]},
        single=True,
        specs=ask(
            "AG(all_open -> (GCK(all, secret) or GCK(all, !secret)))",
            "AG(rest_open -> (K(Holder1, secret) or K(Holder1, !secret)))",
            "AG(last_hidden -> !(DK(rest, secret)))",
            "<rest>F all_open",
            "<all>F all_open",
            "AG(secret -> DK(all, secret))",
        ),
    )
