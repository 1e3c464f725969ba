"""Families that no constant of the engine was chosen on: an auction, a lift, a cache protocol, an election, a contract to sign."""

from __future__ import annotations

from math import gcd

from benchmarks.families.text import AgentText, ModelText, conj, disj, fails, holds, spec

TOP_PRICE = 5


def auction(n: int) -> ModelText:
    """An ascending auction: the price rises until at most one of n bidders, each with a private value, is left."""
    bidders = range(1, n + 1)
    left = "+".join(f"in{i}" for i in bidders)
    seen_left = "+".join(f"Environment.in{i}" for i in bidders)
    auctioneer = AgentText(
        "Environment",
        public=[f"price : 0..{TOP_PRICE};", *(f"in{i} : 0..1;" for i in bidders)],
        evolution=[
            *(f"in{i} = 0 if Bidder{i}.Action = drop;" for i in bidders),
            f"price = price + 1 if price < {TOP_PRICE} and {left} >= 2;",
        ],
    )

    def bidder(i: int) -> AgentText:
        bidding = f"{seen_left} >= 2 and Environment.in{i} = 1"
        return AgentText(
            f"Bidder{i}",
            variables=[f"value : 0..{TOP_PRICE};"],
            actions=("stay", "drop"),
            protocol=(
                f"{bidding} and value > Environment.price : {{stay, drop}};",
                f"{bidding} and value <= Environment.price : {{drop}};",
                "Other : {stay};",
            ),
            evolution=(f"value = {TOP_PRICE} if value = {TOP_PRICE};",),
        )

    return ModelText(
        agents=[auctioneer, *(bidder(i) for i in bidders)],
        propositions={
            "over": f"{seen_left} <= 1",
            "won1": f"Environment.in1 = 1 and {seen_left} = 1",
            "in1": "Environment.in1 = 1",
            "risen": "Environment.price >= 2",
            "rich1": "Bidder1.value >= 2",
            "richest1": conj(
                [f"Bidder1.value = {TOP_PRICE}", *(f"Bidder{i}.value < {TOP_PRICE}" for i in bidders if i > 1)]
            ),
            "top1": f"Bidder1.value = {TOP_PRICE}",
        },
        initial=["Environment.price = 0", *(f"Environment.in{i} = 1" for i in bidders)],
        groups={"first": ["Bidder1"], "others": [f"Bidder{i}" for i in bidders if i > 1]},
        single=True,
        specs={
            "all": spec(
                holds("AF over"),
                fails("EF won1"),
                holds("AG((risen and in1) -> K(Bidder2, rich1))"),
                fails("AG((risen and in1) -> K(Bidder2, top1))"),
                holds("richest1 -> <first>F won1"),
                fails("top1 -> <first>F won1"),
                holds("top1 -> <others>F over"),
            )
        },
    )


def lift(n: int) -> ModelText:
    """A lift between n floors, buttons that anybody presses at any time, and a rider who wants from the bottom to the top."""
    floors = range(1, n + 1)
    presses = [f"press{k}" for k in floors]
    building = AgentText(
        "Environment",
        variables=[f"call{k} : boolean;" for k in floors],
        actions=["quiet", *presses],
        protocol=(f"Other : {{quiet, {', '.join(presses)}}};",),
        evolution=[
            line
            for k in floors
            for line in (
                f"call{k} = true if Action = press{k} and !(Lift.Action = open{k});",
                f"call{k} = false if Lift.Action = open{k};",
            )
        ],
    )
    cabin = AgentText(
        "Lift",
        sees=[f"call{k}" for k in floors],
        variables=[f"floor : 1..{n};", "seen_top : boolean;"],
        actions=["up", "down", *(f"open{k}" for k in floors)],
        protocol=[f"floor < {n} : {{up}};", "floor > 1 : {down};", *(f"floor = {k} : {{open{k}}};" for k in floors)],
        evolution=(
            "floor = floor + 1 if Action = up;",
            "floor = floor - 1 if Action = down;",
            f"seen_top = true if Action = open{n};",
        ),
    )
    rider = AgentText(
        "Rider",
        variables=["place : {bottom, cabin, top};"],
        actions=("ride",),
        protocol=("Other : {ride};",),
        evolution=(
            "place = cabin if place = bottom and Lift.Action = open1;",
            f"place = top if place = cabin and Lift.Action = open{n};",
        ),
    )
    return ModelText(
        agents=[building, cabin, rider],
        propositions={f"called{k}": f"Environment.call{k} = true" for k in floors}
        | {
            "quiet": conj(f"Environment.call{k} = false" for k in floors),
            "arrived": "Rider.place = top",
            "seen_top": "Lift.seen_top = true",
            "at_top": f"Lift.floor = {n}",
        },
        initial=[
            "Lift.floor = 1",
            "Lift.seen_top = false",
            "Rider.place = bottom",
            *(f"Environment.call{k} = false" for k in floors),
        ],
        groups={"lift": ["Lift"], "rider": ["Rider"], "building": ["Environment"]},
        single=True,
        specs={
            "all": spec(
                holds("AG EF quiet"),
                fails("AF arrived"),
                holds("AG(arrived -> K(Rider, seen_top))"),
                fails("AG(arrived -> K(Rider, at_top))"),
                holds("<lift>F arrived"),
                fails("<rider>F arrived"),
                holds("AG(called2 -> <lift>F !called2)"),
                fails("<lift>G quiet"),
                holds("AG(called1 -> K(Lift, called1))"),
            )
        },
    )


def cache(n: int) -> ModelText:
    """n caches share a line by the invalidation protocol; a bus arbiter decides whose request is next."""
    caches = range(1, n + 1)
    grants = [f"grant{i}" for i in caches]
    bus = AgentText("Environment", actions=["idle", *grants], protocol=(f"Other : {{idle, {', '.join(grants)}}};",))

    def node(i: int) -> AgentText:
        mine = f"Environment.Action = grant{i}"
        writes = disj(f"(Environment.Action = grant{j} and Cache{j}.Action = ask_write)" for j in caches if j != i)
        reads = disj(f"(Environment.Action = grant{j} and Cache{j}.Action = ask_read)" for j in caches if j != i)
        return AgentText(
            f"Cache{i}",
            variables=["line : {modified, shared, invalid};", "job : {none, reading, writing};"],
            actions=("start_read", "start_write", "ask_read", "ask_write", "rest"),
            protocol=(
                "job = none : {start_read, start_write, rest};",
                "job = reading : {ask_read};",
                "job = writing : {ask_write};",
            ),
            evolution=(
                "job = reading if Action = start_read;",
                "job = writing if Action = start_write;",
                f"job = none if {mine} and (Action = ask_read or Action = ask_write);",
                f"line = modified if {mine} and Action = ask_write;",
                f"line = shared if {mine} and Action = ask_read and line = invalid;",
                f"line = invalid if {writes};",
                f"line = shared if line = modified and ({reads});",
            ),
        )

    exclusive = conj(f"invalid{i}" for i in caches if i > 1)
    return ModelText(
        agents=[bus, *(node(i) for i in caches)],
        propositions={f"modified{i}": f"Cache{i}.line = modified" for i in caches}
        | {f"invalid{i}": f"Cache{i}.line = invalid" for i in caches}
        | {f"shared{i}": f"Cache{i}.line = shared" for i in caches}
        | {"writing1": "Cache1.job = writing"},
        initial=[f"Cache{i}.{name}" for i in caches for name in ("line = invalid", "job = none")],
        groups={
            "first": ["Cache1"],
            "first_and_bus": ["Cache1", "Environment"],
            "others": [f"Cache{i}" for i in caches if i > 1],
        },
        single=True,
        specs={
            "all": spec(
                holds(f"AG(modified1 -> ({exclusive}))"),
                holds(f"AG(modified1 -> K(Cache1, {exclusive}))"),
                fails("AG(shared1 -> K(Cache1, shared2))"),
                holds("AG(writing1 -> EF modified1)"),
                fails("AG(writing1 -> AF modified1)"),
                holds("<first_and_bus>F modified1"),
                fails("<first>F modified1"),
                holds("<first_and_bus>G !modified2"),
                fails("<others>G !modified1"),
            )
        },
    )


def election(n: int) -> ModelText:
    """n nodes in a ring elect the highest number: everybody passes on what is larger than all seen so far, when it likes.

    Numbers go up by a step without common divisor with n, so that the scenario ``leader-election`` can have the same.
    """
    places = range(1, n + 1)
    step = next(one for one in range(n // 2 + 1, n + 2) if gcd(one, n) == 1)
    numbers = [(i * step - 1) % n + 1 for i in places]
    winner = n

    def node(i: int) -> AgentText:
        own = numbers[i - 1]
        before = (i - 2) % n + 1
        news = {k: f"Node{before}.Action = send{k} and best < {k}" for k in numbers if k > own}
        heard = disj(f"({cond})" for cond in news.values())
        sent = disj(f"Action = send{k}" for k in range(own, n + 1))
        emptied = f"({sent}) and !({heard})" if heard else sent
        return AgentText(
            f"Node{i}",
            variables=[f"best : {own}..{n};", f"parcel : {own - 1}..{n};", "leader : boolean;"],
            actions=["hold", *(f"send{k}" for k in range(1, n + 1))],
            protocol=[*(f"parcel = {k} : {{hold, send{k}}};" for k in range(own, n + 1)), "Other : {hold};"],
            evolution=[
                *(f"best = {k} if {cond};" for k, cond in news.items()),
                *(f"parcel = {k} if {cond};" for k, cond in news.items()),
                f"parcel = {own - 1} if {emptied};",
                f"leader = true if Node{before}.Action = send{own};",
            ],
        )

    return ModelText(
        agents=[node(i) for i in places],
        propositions={f"leader{i}": f"Node{i}.leader = true" for i in places}
        | {f"informed{i}": f"Node{i}.best = {n}" for i in places}
        | {"elected": disj(f"Node{i}.leader = true" for i in places)},
        initial=[
            f"Node{i}.{what}"
            for i, own in enumerate(numbers, start=1)
            for what in (f"best = {own}", f"parcel = {own}", "leader = false")
        ],
        groups={"all": [f"Node{i}" for i in places], "winner": [f"Node{winner}"]},
        single=True,
        specs={
            "all": spec(
                holds(f"AG(elected -> leader{winner})"),
                holds(f"AG({conj(f'!leader{i}' for i in places if i != winner)})"),
                holds(f"AG(leader{winner} -> K(Node{winner}, {conj(f'informed{i}' for i in places)}))"),
                fails(f"AG(informed{winner % n + 1} -> K(Node{winner % n + 1}, elected))"),
                holds("AG EF elected"),
                fails("AF elected"),
                holds("<all>F elected"),
                fails("<winner>F elected"),
            )
        },
    )


def signing(n: int) -> ModelText:
    """n parties may sign a contract or withdraw, when they like; a notary enforces it when all have signed, or cancels it."""
    parties = range(1, n + 1)
    complete = conj(f"has{i} = true" for i in parties)
    notary = AgentText(
        "Environment",
        public=["verdict : {open, cancelled, enforced};"],
        variables=[f"has{i} : boolean;" for i in parties],
        actions=("watch", "cancel", "enforce"),
        protocol=(
            f"verdict = open and {complete} : {{watch, enforce}};",
            f"verdict = open and !({complete}) : {{watch, cancel}};",
            "Other : {watch};",
        ),
        evolution=[
            *(f"has{i} = true if verdict = open and Party{i}.Action = sign;" for i in parties),
            "verdict = cancelled if Action = cancel;",
            "verdict = enforced if Action = enforce;",
        ],
    )
    everybody = [f"Party{i}" for i in parties]
    signers = [
        AgentText(
            name,
            variables=["stage : {willing, signed, withdrawn};"],
            actions=("sign", "withdraw", "think"),
            protocol=("Environment.verdict = open and stage = willing : {sign, withdraw, think};", "Other : {think};"),
            evolution=("stage = signed if Action = sign;", "stage = withdrawn if Action = withdraw;"),
        )
        for name in everybody
    ]
    all_signed = conj(f"signed{i}" for i in parties)
    return ModelText(
        agents=[notary, *signers],
        propositions={f"signed{i}": f"Party{i}.stage = signed" for i in parties}
        | {f"withdrawn{i}": f"Party{i}.stage = withdrawn" for i in parties}
        | {"enforced": "Environment.verdict = enforced", "cancelled": "Environment.verdict = cancelled"},
        initial=[
            "Environment.verdict = open",
            *(f"Environment.has{i} = false" for i in parties),
            *(f"{name}.stage = willing" for name in everybody),
        ],
        groups={"parties": everybody, "everyone": ["Environment", *everybody], "last": [everybody[-1]]},
        single=True,
        states=2 * 3**n + 1,
        specs={
            "all": spec(
                holds(f"AG(enforced -> ({all_signed}))"),
                holds(f"AG(enforced -> GCK(parties, {all_signed}))"),
                holds("AG(withdrawn1 -> AG !enforced)"),
                fails(f"AG(signed1 -> K(Party1, signed{n}))"),
                fails("AG(withdrawn1 -> AF cancelled)"),
                holds("<everyone>F enforced"),
                fails("<parties>F enforced"),
                holds("<last>G !enforced"),
            )
        },
    )
