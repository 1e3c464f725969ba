"""Families of many small agents: token ring, robots on a grid, voting, sparse random agents, gossip, a pipeline of counters."""

from __future__ import annotations

from itertools import combinations

from benchmarks.families.text import AgentText, ModelText, Question, conj, disj, fails, holds, spec

_PRIME = 30011
"""The modulus of the drawing of lots in `sparse`."""


def ring(n: int) -> ModelText:
    """n processes in a ring; who holds the token may use the resource or pass the token on; everybody decides freely."""
    places = range(1, n + 1)

    def process(i: int) -> AgentText:
        before = (i - 2) % n + 1
        return AgentText(
            f"Process{i}",
            variables=["state : {rest, want, use};", "token : boolean;"],
            actions=("idle", "ask", "enter", "leave", "pass"),
            protocol=(
                "state = rest and token = false : {idle, ask};",
                "state = rest and token = true : {ask, pass};",
                "state = want and token = false : {idle};",
                "state = want and token = true : {enter};",
                "state = use : {idle, leave};",
            ),
            evolution=(
                "state = want if Action = ask;",
                "state = use if Action = enter;",
                "state = rest if Action = leave;",
                "token = false if Action = pass;",
                f"token = true if Process{before}.Action = pass;",
            ),
        )

    alone = conj(f"!use{i}" for i in places if i != 1)
    return ModelText(
        agents=[process(i) for i in places],
        propositions={f"use{i}": f"Process{i}.state = use" for i in places}
        | {f"want{i}": f"Process{i}.state = want" for i in places}
        | {f"token{i}": f"Process{i}.token = true" for i in places},
        initial=[
            *(f"Process{i}.state = rest" for i in places),
            "Process1.token = true",
            *(f"Process{i}.token = false" for i in places if i != 1),
        ],
        groups={"all": [f"Process{i}" for i in places], "first": ["Process1"], "second": ["Process2"]},
        single=True,
        states=n * 3 * 2 ** (n - 1),
        specs={
            "all": spec(
                holds("AG !(use1 and use2)"),
                holds(f"AG(use1 -> K(Process1, {alone}))"),
                holds(f"EF use{n}"),
                holds("AG(want1 -> EF use1)"),
                fails("AG(want1 -> AF use1)"),
                fails("AG(want1 -> K(Process1, !use2))"),
                holds("AG(want1 -> <all>F use1)"),
                fails("<second>F use2"),
                holds("AG(token1 -> <first>F use1)"),
            )
        },
    )


def grid(n: int) -> ModelText:
    """A runner and two hunters on an n by n grid, one step at a time, in corners to begin with.  n^6 states."""
    moves = {"east": ("x < {top}", "x = x + 1"), "west": ("x > 0", "x = x - 1")}
    moves |= {"north": ("y < {top}", "y = y + 1"), "south": ("y > 0", "y = y - 1")}

    def robot(name: str) -> AgentText:
        return AgentText(
            name,
            variables=[f"x : 0..{n - 1};", f"y : 0..{n - 1};"],
            actions=("stay", *moves),
            protocol=[
                *(f"{where.format(top=n - 1)} : {{{move}, stay}};" for move, (where, _) in moves.items()),
                "Other : {stay};",
            ],
            evolution=[f"{change} if Action = {move};" for move, (_, change) in moves.items()],
        )

    def meet(one: str, two: str) -> str:
        return f"{one}.x = {two}.x and {one}.y = {two}.y"

    start = {"Runner": (0, 0), "Hunter1": (n - 1, n - 1), "Hunter2": (0, n - 1)}
    return ModelText(
        agents=[robot(name) for name in start],
        propositions={
            "caught1": meet("Runner", "Hunter1"),
            "caught2": meet("Runner", "Hunter2"),
            "together": f"{meet('Runner', 'Hunter1')} and {meet('Runner', 'Hunter2')}",
            "corner": "Runner.x = 0 and Runner.y = 0",
        },
        initial=[
            f"{name}.{axis} = {value}" for name, at in start.items() for axis, value in zip("xy", at, strict=True)
        ],
        groups={"runner": ["Runner"], "hunters": ["Hunter1", "Hunter2"], "all": list(start)},
        states=n**6,
        specs={
            "all": spec(
                holds("EF together"),
                holds("AG(together -> EX !together)"),
                fails("AG(caught1 -> AX caught1)"),
                fails("AG(caught1 -> K(Runner, caught1))"),
                holds("AG(corner -> K(Runner, corner))"),
                holds("<all>F together"),
                fails("<hunters>F (caught1 or caught2)"),
            ),
            "chase": spec(fails("<runner>G !(caught1 or caught2)"), holds("<runner>G !caught1")),
        },
    )


def vote(n: int) -> ModelText:
    """A roll call: n voters, each free at any time, whose turn adds to one of two public tallies.  (3^(n+1) - 1) / 2 states."""
    voters = range(1, n + 1)

    def called(action: str) -> str:
        return disj(f"(turn = {i} and Voter{i}.Action = {action})" for i in voters)

    chair = AgentText(
        "Environment",
        public=[f"turn : 1..{n + 1};", f"ayes : 0..{n};", f"noes : 0..{n};"],
        evolution=(
            f"turn = turn + 1 if turn <= {n};",
            f"ayes = ayes + 1 if {called('yes')};",
            f"noes = noes + 1 if {called('no')};",
        ),
    )
    people = [
        AgentText(
            f"Voter{i}",
            variables=["vote : {none, for, against};"],
            actions=("yes", "no", "abstain"),
            protocol=("Other : {yes, no, abstain};",),
            evolution=(
                f"vote = for if Environment.turn = {i} and Action = yes;",
                f"vote = against if Environment.turn = {i} and Action = no;",
            ),
        )
        for i in voters
    ]
    return ModelText(
        agents=[chair, *people],
        propositions={
            "over": f"Environment.turn = {n + 1}",
            "accepted": f"Environment.turn = {n + 1} and Environment.ayes > Environment.noes",
            "unanimous": f"Environment.ayes = {n}",
            "close_call": f"Environment.ayes >= 1 and Environment.ayes <= {n - 2}",
            "yes2": "Voter2.vote = for",
        },
        initial=[
            "Environment.turn = 1",
            "Environment.ayes = 0",
            "Environment.noes = 0",
            *(f"Voter{i}.vote = none" for i in voters),
        ],
        groups={
            "majority": [f"Voter{i}" for i in range(1, n // 2 + 2)],
            "half": [f"Voter{i}" for i in range(1, n // 2 + 1)],
            "second": ["Voter2"],
        },
        single=True,
        states=(3 ** (n + 1) - 1) // 2,
        specs={
            "all": spec(
                holds("EF accepted"),
                holds("AF over"),
                holds("AG((over and unanimous) -> K(Voter1, yes2))"),
                holds("AG((over and close_call) -> !K(Voter1, yes2))"),
                fails("AG(over -> (K(Voter1, yes2) or K(Voter1, !yes2)))"),
                holds("<majority>F accepted"),
                fails("<half>F accepted"),
                holds("<second>F yes2"),
                fails("<second>X yes2"),
            )
        },
    )


def sparse(n: int, seed: int = 1) -> ModelText:
    """n random agents of three Boolean variables, each of which reacts to two others; verdicts depend on the seed.

    Chance is arithmetic that the language knows too, so that the scenario ``sparse-agents`` makes the same models.
    """
    names = [f"Node{i}" for i in range(1, n + 1)]

    def draw(i: int, k: int) -> int:
        return int(pow(i * 7919 + k * 613 + seed * 4051, 2, _PRIME))

    def node(i: int) -> AgentText:
        ahead = draw(i, 0) % (n - 1)
        further = (ahead + 1 + (i * i + seed) % (n - 2)) % (n - 1)
        near, far = names[(i + ahead) % n], names[(i + further) % n]

        def heads(k: int) -> bool:
            return draw(i, k) % 2 == 0

        def act(name: str, k: int) -> str:
            return f"{name}.Action = {'left' if heads(k) else 'right'}"

        def literal(variable: str, k: int) -> str:
            return f"{variable} = {'true' if heads(k) else 'false'}"

        both = f"{act(near, 11)} and {act(far, 12)}"
        return AgentText(
            names[i - 1],
            variables=[f"{variable} : boolean;" for variable in "pqr"],
            actions=("left", "right"),
            protocol=(f"{literal('p', 1)} : {{left, right}};", f"{literal('r', 2)} : {{left}};", "Other : {right};"),
            evolution=(
                f"p = true if {act(near, 3)} and {literal('q' if heads(4) else 'r', 5)};",
                f"p = false if {act(near, 3)} and {literal('p', 6)};",
                f"q = true if {act(far, 7)} and {literal('p' if heads(8) else 'r', 9)};",
                f"q = false if {act(far, 7)} and {literal('q', 10)};",
                f"r = true if {both} and {literal('p' if heads(6) else 'q', 10)};",
                f"r = false if {both} and {literal('r', 9)};",
            ),
        )

    agents = [node(i) for i in range(1, n + 1)]
    first, last = names[0], names[-1]
    return ModelText(
        agents=agents,
        propositions={"p1": f"{first}.p = true", "q1": f"{first}.q = true", "pn": f"{last}.p = true"}
        | {
            "quiet": conj(f"{name}.r = false" for name in names),
            "loud": conj(f"{name}.r = true" for name in names[: max(2, n // 4)]),
        },
        initial=[f"{name}.{target} = false" for name in names for target in ("p", "q", "r")],
        groups={"half": names[: n // 2], "first": [first]},
        single=True,
        specs={
            "all": spec(
                Question("EF loud"),
                Question("AG(p1 -> EX q1)"),
                Question("AG EF quiet"),
                Question(f"AG(p1 -> K({last}, p1))"),
                Question(f"EF K({first}, pn)"),
                Question("<half>F loud"),
                Question("<first>G !pn"),
            )
        },
    )


def gossip(n: int) -> ModelText:
    """n people with a secret each; a scheduler chooses who calls whom, and a call shares all that both know."""
    people = range(1, n + 1)
    calls = [f"call{i}_{j}" for i, j in combinations(people, 2)]

    def learns(i: int, secret: int) -> list[str]:
        told = [
            f"has{i}_{secret} = true if Action = call{min(i, j)}_{max(i, j)} and has{j}_{secret} = true;"
            for j in people
            if j not in (i, secret)
        ]
        return [*told, f"has{i}_{secret} = true if Action = call{min(i, secret)}_{max(i, secret)};"]

    pairs = [(i, j) for i in people for j in people if i != j]
    exchange = AgentText(
        "Environment",
        variables=[f"has{i}_{j} : boolean;" for i, j in pairs],
        actions=calls,
        protocol=(f"Other : {{{', '.join(calls)}}};",),
        evolution=[line for i, j in pairs for line in learns(i, j)],
    )
    listeners = [
        AgentText(
            f"Person{i}",
            sees=[f"has{i}_{j}" for j in people if j != i],
            variables=["awake : boolean;"],
            evolution=("awake = true if awake = true;",),
        )
        for i in people
    ]
    everything = {i: conj(f"Environment.has{i}_{j} = true" for j in people if j != i) for i in people}
    direct = conj(["knows1_2", *(f"!knows1_{j}" for j in people if j > 2)])
    return ModelText(
        agents=[exchange, *listeners],
        propositions={f"knows{i}_{j}": f"Environment.has{i}_{j} = true" for i, j in pairs}
        | {f"expert{i}": everything[i] for i in people}
        | {"done": conj(everything.values())},
        initial=[*(f"Environment.has{i}_{j} = false" for i, j in pairs), *(f"Person{i}.awake = true" for i in people)],
        groups={"scheduler": ["Environment"], "people": [f"Person{i}" for i in people]},
        single=True,
        specs={
            "all": spec(
                holds("EF done"),
                fails("AF done"),
                holds("<scheduler>F done"),
                holds(f"AG(({direct}) -> K(Person1, knows2_1))"),
                fails("AG(knows1_2 -> K(Person1, knows2_1))"),
                fails("<people>F expert1"),
                holds("AG(expert1 -> AG expert1)"),
            )
        },
    )


def pipe(n: int) -> ModelText:
    """n buffers of capacity 7 in a row; items are fed in front and taken away behind as the Environment likes.  8^n states."""
    stages = range(1, n + 1)
    gives = {i: disj(f"Stage{i}.Action = {action}" for action in ("give_open", "give_shut")) for i in stages}
    opens = {i: disj(f"Stage{i}.Action = {action}" for action in ("give_open", "keep_open")) for i in stages}
    gives[0] = "Environment.Action = feed or Environment.Action = both"
    opens[n + 1] = "Environment.Action = drain or Environment.Action = both"

    def stage(i: int) -> AgentText:
        own_gives = "(Action = give_open or Action = give_shut)"
        own_opens = "(Action = give_open or Action = keep_open)"
        gets = f"(({gives[i - 1]}) and {own_opens})"
        loses = f"({own_gives} and ({opens[i + 1]}))"
        return AgentText(
            f"Stage{i}",
            variables=["load : 0..7;"],
            actions=("give_open", "give_shut", "keep_open", "keep_shut"),
            protocol=(
                "load = 0 : {keep_open};",
                "load = 7 : {give_shut, keep_shut};",
                "Other : {give_open, keep_open};",
            ),
            evolution=(f"load = load + 1 if {gets} and !{loses};", f"load = load - 1 if {loses} and !{gets};"),
        )

    ways = ("idle", "feed", "drain", "both")
    outside = AgentText("Environment", actions=ways, protocol=(f"Other : {{{', '.join(ways)}}};",))
    return ModelText(
        agents=[outside, *(stage(i) for i in stages)],
        propositions={f"full{i}": f"Stage{i}.load = 7" for i in stages}
        | {f"empty{i}": f"Stage{i}.load = 0" for i in stages}
        | {
            "all_full": conj(f"Stage{i}.load = 7" for i in stages),
            "all_empty": conj(f"Stage{i}.load = 0" for i in stages),
        },
        initial=[f"Stage{i}.load = 0" for i in stages],
        groups={"stages": [f"Stage{i}" for i in stages], "everybody": ["Environment", *(f"Stage{i}" for i in stages)]},
        states=8**n,
        specs={
            "all": spec(
                holds("EF all_full"),
                holds("AG EF all_empty"),
                fails(f"AG(full1 -> AF !full{n})"),
                fails("AG(full1 -> K(Stage1, full2))"),
                holds(f"<everybody>F full{n}"),
                fails(f"<stages>F full{n}"),
                holds(f"AG(all_full -> EX !full{n})"),
            )
        },
    )
