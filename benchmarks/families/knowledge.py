"""Families about what agents find out: dining cryptographers, muddy children, bit transmission."""

from __future__ import annotations

from benchmarks.families.text import AgentText, ModelText, conj, disj, fails, holds, spec


def dining_cryptographers(n: int) -> ModelText:
    """n cryptographers around a table; who paid stays hidden, that somebody paid does not.  2(n+1)2^n states."""
    seats = range(1, n + 1)
    heard = [
        f"said{i} = {bit} if phase = talk and Crypto{i}.Action = {word};"
        for i in seats
        for bit, word in enumerate(("same", "differ"))
    ]
    table = AgentText(
        "Environment",
        public=["phase : {talk, over};", *(f"said{i} : 0..1;" for i in seats)],
        evolution=[*heard, "phase = over if phase = talk;"],
    )
    liar = "(paid = yes and own = other) or (paid = no and !(own = other))"
    truthful = "(paid = no and own = other) or (paid = yes and !(own = other))"
    cryptographers = [
        AgentText(
            f"Crypto{i}",
            variables=["paid : {yes, no};", "own : {head, tail};", "other : {head, tail};"],
            actions=("same", "differ"),
            protocol=(f"{truthful} : {{same}};", f"{liar} : {{differ}};"),
            evolution=("paid = yes if paid = yes;",),
        )
        for i in seats
    ]
    payer_rows = [conj(f"Crypto{j}.paid = {'yes' if i == j else 'no'}" for j in seats) for i in range(n + 1)]
    initial = [
        "(" + disj(f"({row})" for row in payer_rows) + ")",
        "Environment.phase = talk",
        *(f"Environment.said{i} = 0" for i in seats),
        *(f"Crypto{i % n + 1}.other = Crypto{i}.own" for i in seats),
    ]
    nobody = conj(f"!paid{i}" for i in seats)
    others = range(2, n + 1)
    suspects = f"K(Crypto1, {disj(f'paid{i}' for i in others)}) and {conj(f'!K(Crypto1, paid{i})' for i in others)}"
    return ModelText(
        agents=[table, *cryptographers],
        propositions={f"paid{i}": f"Crypto{i}.paid = yes" for i in seats}
        | {"over": "Environment.phase = over", "employer": conj(f"Crypto{i}.paid = no" for i in seats)},
        initial=initial,
        groups={"all": [agent.name for agent in cryptographers]},
        single=True,
        states=2 * (n + 1) * 2**n,
        specs={
            "privacy": spec(holds(f"AG((over and !paid1) -> (K(Crypto1, {nobody}) or ({suspects})))")),
            "ctl": spec(holds(f"AG((over and !employer) -> ({disj(f'paid{i}' for i in seats)}))")),
            "common": spec(holds("AG((over and employer) -> GCK(all, employer))")),
            "mixed": spec(
                holds("AX over"),
                holds("AG((over and employer) -> GCK(all, employer))"),
                fails("AG(paid2 -> K(Crypto1, paid2))"),
            ),
        },
    )


def muddy_children(n: int) -> ModelText:
    """n children with or without mud; after k rounds exactly those who see at most k muddy foreheads know their own.  (n+1)2^n states."""
    kids = range(1, n + 1)

    def seen(i: int) -> str:
        rest = [f"Environment.mud{j}" for j in kids if j != i]
        return "+".join(rest) if len(rest) > 1 else f"{rest[0]}+0"

    father = AgentText(
        "Environment",
        public=["told : boolean;", f"round : -1..{n - 1};"],
        variables=["fresh : boolean;", *(f"mud{i} : 0..1;" for i in kids)],
        actions=("tell", "ask"),
        protocol=(f"fresh = true and ({disj(f'mud{i} = 1' for i in kids)}) : {{tell}};", "Other : {ask};"),
        evolution=(
            "fresh = false and told = true and round = round + 1 if fresh = true and Action = tell;",
            "fresh = false and round = round + 1 if fresh = true and Action = ask;",
            f"round = round + 1 if fresh = false and round < {n - 1};",
        ),
    )
    children = [
        AgentText(
            f"Child{i}",
            sees=[f"mud{j}" for j in kids if j != i],
            variables=["heard : boolean;"],
            actions=("no", "yes"),
            protocol=(f"Environment.round < {seen(i)} : {{no}};", f"Environment.round >= {seen(i)} : {{yes}};"),
            evolution=(
                f"heard = true if heard = false and Environment.Action = ask and Environment.round < {seen(i)} "
                f"and ({disj(f'Child{j}.Action = yes' for j in kids if j != i)});",
            ),
        )
        for i in kids
    ]

    def knows(i: int) -> str:
        return f"(K(Child{i}, muddy{i}) or K(Child{i}, !muddy{i}))"

    def learns(i: int) -> str:
        return f"AG((muddy{i} and yes{i}) -> K(Child{i}, muddy{i}))"

    return ModelText(
        agents=[father, *children],
        propositions={f"muddy{i}": f"Environment.mud{i} = 1" for i in kids}
        | {f"yes{i}": f"{seen(i)} <= Environment.round" for i in kids},
        initial=[
            *(f"Child{i}.heard = false" for i in kids),
            "Environment.told = false",
            "Environment.fresh = true",
            "Environment.round = -1",
        ],
        states=(n + 1) * 2**n,
        specs={
            "one": spec(holds(learns(1))),
            "exact": spec(holds(f"AG((yes1 -> {knows(1)}) and ({knows(1)} -> yes1))")),
            "all": spec(*(holds(learns(i)) for i in kids)),
            "mixed": spec(holds(learns(1)), holds(f"AF {knows(1)}"), fails("AG K(Child1, muddy2 -> muddy1)")),
        },
    )


def bit_transmission(n: int) -> ModelText:
    """One of n messages over a channel that fails as it likes, but not for ever."""
    messages = range(n)
    ways = ("forth", "back", "both", "none")
    channel = AgentText(
        "Environment",
        variables=[f"last : {{{', '.join(ways)}}};"],
        actions=ways,
        protocol=(f"Other : {{{', '.join(ways)}}};",),
        evolution=[f"last = {way} if Action = {way};" for way in ways],
    )
    sender = AgentText(
        "Sender",
        variables=[f"message : {{{', '.join(f'm{v}' for v in messages)}}};", "ack : boolean;"],
        actions=[*(f"send{v}" for v in messages), "rest"],
        protocol=[*(f"message = m{v} and ack = false : {{send{v}}};" for v in messages), "ack = true : {rest};"],
        evolution=(
            "ack = true if ack = false and Receiver.Action = confirm and (Environment.Action = both or Environment.Action = back);",
        ),
    )
    receiver = AgentText(
        "Receiver",
        variables=[f"got : {{nothing, {', '.join(f'r{v}' for v in messages)}}};"],
        actions=("confirm", "rest"),
        protocol=("got = nothing : {rest};", "Other : {confirm};"),
        evolution=[
            f"got = r{v} if got = nothing and Sender.Action = send{v} and (Environment.Action = both or Environment.Action = forth);"
            for v in messages
        ],
    )
    knows = f"({disj(f'K(Receiver, is{v})' for v in messages)})"
    return ModelText(
        agents=[channel, sender, receiver],
        propositions={f"is{v}": f"Sender.message = m{v}" for v in messages}
        | {"acked": "Sender.ack = true", "received": "!(Receiver.got = nothing)", "works": "Environment.last = both"},
        initial=["Environment.last = none", "Sender.ack = false", "Receiver.got = nothing"],
        groups={"talkers": ["Sender", "Receiver"]},
        states=9 * n,
        specs={
            "main": spec(
                holds(f"AG(acked -> K(Sender, {knows}))"),
                holds(f"AF K(Sender, {knows})"),
                holds("AF acked"),
                holds("EF(received and !acked)"),
                holds(f"AG(received -> {knows})"),
                fairness=["works"],
            ),
            "mixed": spec(fails("AF acked"), fails("EF K(Receiver, acked)"), holds("<talkers>G (acked -> received)")),
        },
    )
