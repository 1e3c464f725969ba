"""Games in which agents must act on what they see, as ISPL text: attack and defence of castles, voting under a coercer, hidden coins."""

from __future__ import annotations

from itertools import combinations, product


def castles(workers: tuple[int, ...] = (1, 1, 1), health: int = 2) -> str:
    """Castles with workers who attack, defend or rest; whoever has just defended is tired.

    A castle loses as many points as it has more attackers than defenders.  Workers see whether they are tired and which castles
    have fallen; how many points are left nobody sees.
    """
    names = [f"c{castle + 1}w{number + 1}" for castle, count in enumerate(workers) for number in range(count)]
    home = [castle for castle, count in enumerate(workers) for _ in range(count)]
    count = len(workers)
    lines = ["Semantics = SingleAssignment;", "Agent Environment", "Obsvars:"]
    lines += [f"fallen{c + 1} : boolean;" for c in range(count)]
    lines += ["end Obsvars", "Vars:", *(f"hp{c + 1} : 0..{health};" for c in range(count)), "end Vars"]
    lines += ["Actions = {none};", "Protocol: Other : {none}; end Protocol", "Evolution:"]
    for castle in range(count):
        for loss, cases in _losses(names, home, castle).items():
            condition = " or ".join(f"({case})" for case in cases)
            hp = f"hp{castle + 1}"
            enough = f"{hp} <= {loss}" if loss < health else f"{hp} <= {health}"
            if loss < health:
                lines.append(f"{hp} = {hp} - {loss} if {hp} > {loss} and ({condition});")
            lines.append(f"{hp} = 0 if {enough} and ({condition});")
            lines.append(f"fallen{castle + 1} = true if {enough} and ({condition});")
    lines += ["end Evolution", "end Agent"]
    for name, castle in zip(names, home, strict=True):
        lines += _worker(name, castle, count)
    lines.append("Evaluation")
    lines += [f"defeated{c + 1} if Environment.fallen{c + 1} = true;" for c in range(count)]
    lines += ["end Evaluation", "InitStates"]
    start = [f"Environment.hp{c + 1} = {health} and Environment.fallen{c + 1} = false" for c in range(count)]
    start += [f"{name}.tired = false" for name in names]
    lines += [" and ".join(start) + ";", "end InitStates", "Groups"]
    for size in range(1, count):
        for group in combinations(range(count), size):
            members = ", ".join(name for name, castle in zip(names, home, strict=True) if castle in group)
            lines.append(f"g{''.join(str(c + 1) for c in group)} = {{{members}}};")
    last = count
    lines += ["end Groups", "Formulae", f"<g12>F defeated{last};", f"<g1>F defeated{last};", "<g1>G !defeated1;"]
    lines += ["<g12>G (!defeated1 and !defeated2);", "end Formulae"]
    return "\n".join(lines)


def _losses(names: list[str], home: list[int], castle: int) -> dict[int, list[str]]:
    """For each loss of points the cases (who attacks, who defends) in which it happens."""
    attackers = [name for name, own in zip(names, home, strict=True) if own != castle]
    defenders = [name for name, own in zip(names, home, strict=True) if own == castle]
    found: dict[int, list[str]] = {}
    for attack in product((True, False), repeat=len(attackers)):
        for defend in product((True, False), repeat=len(defenders)):
            loss = sum(attack) - sum(defend)
            if loss > 0:
                tests = [
                    f"{'' if yes else '!'}{name}.Action = attack{castle + 1}"
                    for name, yes in zip(attackers, attack, strict=True)
                ]
                tests += [
                    f"{'' if yes else '!'}{name}.Action = defend" for name, yes in zip(defenders, defend, strict=True)
                ]
                found.setdefault(loss, []).append(" and ".join(tests))
    return found


def _worker(name: str, castle: int, count: int) -> list[str]:
    attacks = ", ".join(f"attack{c + 1}" for c in range(count) if c != castle)
    own = f"Environment.fallen{castle + 1}"
    return [
        f"Agent {name}",
        "Vars: tired : boolean; end Vars",
        f"Actions = {{{attacks}, defend, rest}};",
        "Protocol:",
        f"{own} = true : {{rest}};",
        f"{own} = false and tired = true : {{{attacks}, rest}};",
        f"{own} = false and tired = false : {{{attacks}, defend, rest}};",
        "end Protocol",
        "Evolution:",
        "tired = true if Action = defend;",
        "tired = false if !Action = defend;",
        "end Evolution",
        "end Agent",
    ]


def voting(voters: int = 2, candidates: int = 2) -> str:
    """Voters vote, then show the coercer a proof or refuse; the coercer, who sees proofs only, punishes or not."""
    names = [f"v{number + 1}" for number in range(voters)]
    votes = ", ".join(f"c{c + 1}" for c in range(candidates))
    lines = ["Agent Environment", "Vars:"]
    lines += [f"shown{n} : {{nothing, refused, {votes}}};" for n in names]
    lines += [f"punished{n} : {{open, yes, no}};" for n in names]
    lines += ["end Vars", "Actions = {none};", "Protocol: Other : {none}; end Protocol", "Evolution:"]
    seen, treated = _environment_lines(names, candidates)
    lines = ["Semantics = SingleAssignment;", *lines, *seen, *treated, "end Evolution", "end Agent"]
    for name in names:
        lines += _voter(name, candidates)
    lines += _coercer(names, votes)
    lines.append("Evaluation")
    for name in names:
        lines.append(f"over_{name} if !Environment.punished{name} = open;")
        lines.append(f"punished_{name} if Environment.punished{name} = yes;")
        lines += [f"voted_{name}_{c + 1} if {name}.vote = c{c + 1};" for c in range(candidates)]
    lines += ["end Evaluation", "InitStates"]
    start = [f"Environment.shown{n} = nothing and Environment.punished{n} = open and {n}.vote = none" for n in names]
    start.append("coercer.idle = false")
    lines += [" and ".join(start) + ";", "end InitStates", "Groups", "coercer = {coercer};"]
    lines += [f"voter{index + 1} = {{{name}}};" for index, name in enumerate(names)]
    obeyed = " and ".join(f"(over_{n} and !punished_{n} -> voted_{n}_1)" for n in names)
    just = " and ".join(f"(over_{n} -> (punished_{n} <-> !voted_{n}_1))" for n in names)
    lines += ["end Groups", "Formulae", f"<coercer>G ({obeyed});", f"<coercer>G ({just});"]
    lines += ["<voter1>F (over_v1 and !punished_v1 and !voted_v1_1);", "<voter1>G !(over_v1 and punished_v1);"]
    lines += ["<coercer>F (over_v1 and (punished_v1 or voted_v1_1));", "end Formulae"]
    return "\n".join(lines)


def _environment_lines(names: list[str], candidates: int) -> tuple[list[str], list[str]]:
    seen = []
    for name in names:
        seen.append(f"shown{name} = refused if shown{name} = nothing and {name}.Action = refuse;")
        seen += [
            f"shown{name} = c{c + 1} if shown{name} = nothing and {name}.Action = show{c + 1};"
            for c in range(candidates)
        ]
    treated = [
        f"punished{name} = {answer} if punished{name} = open and !shown{name} = nothing and coercer.Action = {deed}{name};"
        for name in names
        for answer, deed in (("yes", "punish"), ("no", "spare"))
    ]
    return seen, treated


def _voter(name: str, candidates: int) -> list[str]:
    choices = range(1, candidates + 1)
    shown = f"Environment.shown{name}"
    return [
        f"Agent {name}",
        f"Lobsvars = {{shown{name}, punished{name}}};",
        f"Vars: vote : {{none, {', '.join(f'c{c}' for c in choices)}}}; end Vars",
        f"Actions = {{{', '.join([f'vote{c}' for c in choices] + [f'show{c}' for c in choices])}, refuse, wait}};",
        "Protocol:",
        f"vote = none : {{{', '.join(f'vote{c}' for c in choices)}, wait}};",
        *(f"vote = c{c} and {shown} = nothing : {{show{c}, refuse, wait}};" for c in choices),
        "Other : {wait};",
        "end Protocol",
        "Evolution:",
        *(f"vote = c{c} if Action = vote{c};" for c in choices),
        "end Evolution",
        "end Agent",
    ]


def _coercer(names: list[str], votes: str) -> list[str]:
    seen = ", ".join(f"shown{n}, punished{n}" for n in names)
    deeds = ", ".join(f"punish{n}, spare{n}" for n in names)
    pending = [f"!Environment.shown{n} = nothing and Environment.punished{n} = open" for n in names]
    return [
        "Agent coercer",
        f"Lobsvars = {{{seen}}};",
        "Vars: idle : boolean; end Vars",
        f"Actions = {{{deeds}, wait}};",
        "Protocol:",
        *(f"{case} : {{punish{n}, spare{n}}};" for case, n in zip(pending, names, strict=True)),
        "Other : {wait};",
        "end Protocol",
        "Evolution:",
        "idle = false if Action = wait;",
        "end Evolution",
        "end Agent",
    ]
