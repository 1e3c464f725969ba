"""Shapes about dealing: tenders, bids, offers, votes, places to park."""

from __future__ import annotations

import random

from benchmarks.families.text import AgentText, ModelText, conj, disj
from benchmarks.zoo.asking import ask


def contract_net(n: int, dice: random.Random) -> ModelText:
    """A manager calls for bids, n contractors bid their cost or a higher one or refuse, the lowest bid wins."""
    people, top = range(1, n + 1), 4
    manager = AgentText(
        "Environment",
        public=["stage : {call, award, done};", f"winner : 0..{n};"],
        variables=[f"bid{i} : 0..{top};" for i in people],
        evolution=[
            "stage = award if stage = call;",
            "stage = done if stage = award;",
            *(
                f"bid{i} = {b} if stage = call and Contractor{i}.Action = bid{b};"
                for i in people
                for b in range(1, top + 1)
            ),
            *(
                f"winner = {i} if stage = award and bid{i} > 0 and "
                + conj(f"(bid{j} = 0 or bid{i} {'<=' if i < j else '<'} bid{j})" for j in people if j != i)
                + ";"
                for i in people
            ),
        ],
    )
    contractors = [
        AgentText(
            f"Contractor{i}",
            variables=[f"cost : 1..{top};"],
            actions=("refuse", *(f"bid{b}" for b in range(1, top + 1))),
            protocol=(
                *(
                    f"Environment.stage = call and cost = {c} : {{refuse, {', '.join(f'bid{b}' for b in range(c, top + 1))}}};"
                    for c in range(1, top + 1)
                ),
                "Other : {refuse};",
            ),
        )
        for i in people
    ]
    return ModelText(
        agents=[manager, *contractors],
        propositions={
            "done": "Environment.stage = done",
            "won1": "Environment.winner = 1",
            "nobody": "Environment.winner = 0",
            "cheap1": "Contractor1.cost = 1",
            "dear2": f"Contractor2.cost = {top}",
        },
        initial=["Environment.stage = call", "Environment.winner = 0", *(f"Environment.bid{i} = 0" for i in people)],
        groups={"one": ["Contractor1"], "rest": [f"Contractor{i}" for i in people if i > 1]},
        single=True,
        specs=ask(
            "AF done",
            "cheap1 -> <one>F won1",
            "<rest>G !won1",
            "AG(won1 -> K(Contractor1, won1))",
            "EF (done and nobody)",
            "AG(done and won1 -> K(Contractor2, !dear2 or dear2))",
            "EF K(Contractor2, cheap1)",
        ),
    )


def sealed_bid(n: int, dice: random.Random) -> ModelText:
    """A sealed-bid auction at the second price among three bidders with values from 0 to n."""
    people = range(1, 4)
    house = AgentText(
        "Environment",
        public=["over : boolean;", "winner : 0..3;"],
        variables=[f"bid{i} : 0..{n};" for i in people],
        evolution=[
            "over = true if over = false;",
            *(f"bid{i} = {b} if over = false and Bidder{i}.Action = bid{b};" for i in people for b in range(n + 1)),
            *(
                f"winner = {i} if over = true and winner = 0 and "
                + conj(f"bid{i} {'>=' if i < j else '>'} bid{j}" for j in people if j != i)
                + ";"
                for i in people
            ),
        ],
    )
    bidders = [
        AgentText(
            f"Bidder{i}",
            variables=[f"value : 0..{n};"],
            actions=[f"bid{b}" for b in range(n + 1)],
            protocol=(
                *(f"value = {v} : {{{', '.join(f'bid{b}' for b in range(v // 2, v + 1))}}};" for v in range(n + 1)),
            ),
        )
        for i in people
    ]
    return ModelText(
        agents=[house, *bidders],
        propositions={
            "won1": "Environment.winner = 1",
            "over": "Environment.winner > 0",
            "most1": "Bidder1.value > Bidder2.value and Bidder1.value > Bidder3.value",
            "rich2": f"Bidder2.value > {n // 2}",
            "gap": f"Bidder1.value + Bidder2.value > Bidder3.value + {n}",
        },
        initial=["Environment.over = false", "Environment.winner = 0", *(f"Environment.bid{i} = 0" for i in people)],
        groups={"one": ["Bidder1"], "two": ["Bidder2", "Bidder3"]},
        single=True,
        specs=ask(
            "AF over",
            "most1 -> <one>F won1",
            "<two>F (over and !won1)",
            "EF (won1 and rich2)",
            "EF K(Bidder1, !rich2)",
            "AG(gap -> EF won1)",
        ),
    )


def double_auction(n: int, dice: random.Random) -> ModelText:
    """n buyers and n sellers raise and lower their prices until a pair meets."""
    sides, top = range(1, n + 1), 5

    def trader(name: str, start: int, step: str, bound: str) -> AgentText:
        return AgentText(
            name,
            variables=[f"price : 0..{top};"],
            actions=("move", "stay"),
            protocol=(f"{bound} : {{move, stay}};", "Other : {stay};"),
            evolution=(f"price = price {step} 1 if Action = move;",),
        )

    buyers = [trader(f"Buyer{i}", 0, "+", f"price < {dice.randint(2, top)}") for i in sides]
    sellers = [trader(f"Seller{i}", top, "-", f"price > {dice.randint(0, top - 2)}") for i in sides]
    return ModelText(
        agents=[AgentText("Environment"), *buyers, *sellers],
        propositions={
            "deal1": "Buyer1.price >= Seller1.price",
            "any": disj(f"Buyer{i}.price >= Seller{j}.price" for i in sides for j in sides),
            "all": conj(f"Buyer{i}.price >= Seller{i}.price" for i in sides),
            "keen2": "Buyer2.price >= 2",
        },
        initial=[*(f"Buyer{i}.price = 0" for i in sides), *(f"Seller{i}.price = {top}" for i in sides)],
        groups={"buyers": [f"Buyer{i}" for i in sides], "pair": ["Buyer1", "Seller1"]},
        single=True,
        specs=ask(
            "EF all",
            "EG !any",
            "<buyers>F any",
            "<pair>F deal1",
            "AG(deal1 -> K(Buyer1, any))",
            "AG(any -> AG any)",
            "EF K(Seller1, keen2)",
        ),
    )


def bargaining(n: int, dice: random.Random) -> ModelText:
    """Two parties divide n coins by offers in turn, with secret limits below which they do not accept."""
    table = AgentText(
        "Environment",
        public=["turn : 1..2;", f"share : 0..{n};", "agreed : boolean;"],
        evolution=[
            "turn = 2 if turn = 1;",
            "turn = 1 if turn = 2;",
            *(f"share = {s} if agreed = false and turn = 1 and One.Action = offer{s};" for s in range(n + 1)),
            *(f"share = {s} if agreed = false and turn = 2 and Two.Action = offer{s};" for s in range(n + 1)),
            "agreed = true if turn = 1 and One.Action = accept;",
            "agreed = true if turn = 2 and Two.Action = accept;",
        ],
    )

    def party(name: str, number: int, mine: str) -> AgentText:
        return AgentText(
            name,
            variables=[f"limit : 0..{n};"],
            actions=["wait", "accept", *(f"offer{s}" for s in range(n + 1))],
            protocol=(
                f"Environment.agreed = false and Environment.turn = {number} and {mine} >= limit : {{accept}};",
                f"Environment.agreed = false and Environment.turn = {number} : {{{', '.join(f'offer{s}' for s in range(n + 1))}}};",
                "Other : {wait};",
            ),
        )

    return ModelText(
        agents=[table, party("One", 1, "Environment.share"), party("Two", 2, f"{n} - Environment.share")],
        propositions={
            "agreed": "Environment.agreed = true",
            "possible": f"One.limit + Two.limit <= {n}",
            "fair": f"Environment.share = {n // 2}",
            "greedy2": f"Two.limit > {n // 2}",
        },
        initial=["Environment.turn = 1", "Environment.share = 0", "Environment.agreed = false"],
        groups={"one": ["One"], "both": ["One", "Two"]},
        single=True,
        specs=ask(
            "AG(agreed -> possible)",
            "possible -> <both>F agreed",
            "possible -> <one>F agreed",
            "AG(agreed and fair -> K(One, !greedy2))",
            "EF K(One, greedy2)",
            "EG !agreed",
        ),
    )


def coercion(n: int, dice: random.Random) -> ModelText:
    """n voters, a coercer who demands a vote and sees receipts only if they are shown, and a public count."""
    people = range(1, n + 1)
    box = AgentText(
        "Environment",
        variables=[f"v{i} : 0..1;" for i in people],
        public=["closed : boolean;"],
        evolution=[
            *(f"v{i} = 1 if Voter{i}.Action = yes;" for i in people),
            "closed = true if Coercer.Action = finish;",
        ],
    )
    voters = [
        AgentText(
            f"Voter{i}",
            variables=["stage : {fresh, voted, shown};", "asked : boolean;"],
            actions=("yes", "no", "show", "hide"),
            protocol=(
                "stage = fresh and Environment.closed = false : {yes, no, hide};",
                "stage = voted : {show, hide};",
                "Other : {hide};",
            ),
            evolution=(
                "stage = voted if stage = fresh and (Action = yes or Action = no);",
                "stage = shown if Action = show;",
                f"asked = true if Coercer.Action = press{i};",
            ),
        )
        for i in people
    ]
    coercer = AgentText(
        "Coercer",
        variables=[f"seen{i} : {{nothing, receipt}};" for i in people] + ["money : 0..2;"],
        actions=["wait", "finish", *(f"press{i}" for i in people)],
        protocol=(
            f"money > 0 and Environment.closed = false : {{wait, finish, {', '.join(f'press{i}' for i in people)}}};",
            "Other : {wait, finish};",
        ),
        evolution=[
            *(f"seen{i} = receipt if Voter{i}.Action = show;" for i in people),
            *(f"money = money - 1 if Action = press{i} and money > 0;" for i in people),
        ],
    )
    return ModelText(
        agents=[box, *voters, coercer],
        propositions={
            "yes1": "Environment.v1 = 1",
            "voted1": "!(Voter1.stage = fresh)",
            "carried": "+".join(f"Environment.v{i}" for i in people) + f" > {n // 2}",
            "shown1": "Coercer.seen1 = receipt",
            "closed": "Environment.closed = true",
        },
        initial=[
            *(f"Environment.v{i} = 0" for i in people),
            "Environment.closed = false",
            "Coercer.money = 2",
            *(f"Voter{i}.stage = fresh and Voter{i}.asked = false" for i in people),
            *(f"Coercer.seen{i} = nothing" for i in people),
        ],
        groups={"voters": [f"Voter{i}" for i in people], "coercer": ["Coercer"], "one": ["Voter1"]},
        single=True,
        specs=ask(
            "EF carried",
            "<voters>F carried",
            "<coercer>G !carried",
            "AG(shown1 -> (K(Coercer, yes1) or K(Coercer, !yes1)))",
            "<one>F (voted1 and !K(Coercer, yes1))",
            "AG !K(Coercer, yes1)",
            f"EF ({'carried'} and closed)",
        ),
    )


def committee(n: int, dice: random.Random) -> ModelText:
    """n members with weights drawn by chance vote until a weighted majority is reached; votes are secret, the sum is not."""
    people = range(1, n + 1)
    weight = {i: dice.randint(1, 6) for i in people}
    half = sum(weight.values()) // 2
    total = "+".join(f"{weight[i]}*Environment.v{i}" for i in people)
    desk = AgentText(
        "Environment",
        variables=[f"v{i} : 0..1;" for i in people],
        public=["passed : boolean;"],
        evolution=[
            *(f"v{i} = 1 if Member{i}.Action = yes;" for i in people),
            *(f"v{i} = 0 if Member{i}.Action = no;" for i in people),
            f"passed = true if {total.replace('Environment.', '')} > {half};",
        ],
    )
    members = [
        AgentText(
            f"Member{i}",
            variables=["patience : 0..1;"],
            actions=("yes", "no", "keep"),
            protocol=("patience = 1 : {yes, no, keep};", "Other : {keep};"),
            evolution=("patience = 0 if Action = keep;",),
            sees=[f"v{i}"],
        )
        for i in people
    ]
    strong = sorted(people, key=lambda i: -weight[i])[: max(1, n // 2)]
    return ModelText(
        agents=[desk, *members],
        propositions={
            "passed": "Environment.passed = true",
            "majority": f"{total} > {half}",
            "yes1": "Environment.v1 = 1",
            "yes2": "Environment.v2 = 1",
        },
        initial=[
            *(f"Environment.v{i} = 0" for i in people),
            "Environment.passed = false",
            *(f"Member{i}.patience = 1" for i in people),
        ],
        groups={"strong": [f"Member{i}" for i in strong], "one": ["Member1"]},
        single=True,
        specs=ask(
            "EF passed",
            "<strong>F passed",
            "<one>G !passed",
            "AG(majority -> AX passed)",
            "AG(passed -> K(Member1, passed))",
            "EF K(Member1, yes2)",
        ),
    )


def parking(n: int, dice: random.Random) -> ModelText:
    """n cars look for a free place among n + 1; two that want the same place both miss it."""
    cars, places = range(1, n + 1), range(1, n + 2)
    lot = AgentText(
        "Environment",
        public=[f"taken{p} : boolean;" for p in places],
        evolution=[
            f"taken{p} = true if "
            + disj(
                "(" + conj([f"Car{i}.Action = go{p}", *(f"!(Car{j}.Action = go{p})" for j in cars if j != i)]) + ")"
                for i in cars
            )
            + ";"
            for p in places
        ],
    )
    drivers = [
        AgentText(
            f"Car{i}",
            variables=[f"at : 0..{n + 1};"],
            actions=["circle", *(f"go{p}" for p in places)],
            protocol=(
                *(f"at = 0 and Environment.taken{p} = false : {{go{p}, circle}};" for p in places),
                "Other : {circle};",
            ),
            evolution=[
                f"at = {p} if Action = go{p} and " + conj(f"!(Car{j}.Action = go{p})" for j in cars if j != i) + ";"
                for p in places
            ],
        )
        for i in cars
    ]
    return ModelText(
        agents=[lot, *drivers],
        propositions={
            "parked1": "Car1.at > 0",
            "all": conj(f"Car{i}.at > 0" for i in cars),
            "best1": "Car1.at = 1",
            "best2": "Car2.at = 1",
        },
        initial=[*(f"Environment.taken{p} = false" for p in places), *(f"Car{i}.at = 0" for i in cars)],
        groups={"one": ["Car1"], "all": [f"Car{i}" for i in cars], "rest": [f"Car{i}" for i in cars if i > 1]},
        single=True,
        specs=ask(
            "<all>F all",
            "<one>F parked1",
            "<rest>G !best1",
            "AG !(best1 and best2)",
            "AG(best1 -> K(Car1, !best2))",
            "EF all",
        ),
    )
