"""Random families whose members are alike: three records, two events, numbers and conditions that count members."""

from __future__ import annotations

from random import Random

_SPECIALS = ["1", "n", "2", "min(2, n)"]


def random_family(seed: int) -> str:
    """A text with parameter n, and a formula."""
    random = Random(seed)
    model = _interleaved(random) if random.random() < 0.5 else _synchronous(random)
    return f"Parameters n = 3 in 2..; end Parameters\n{model}"


def _guard(random: Random, index: str, about: str) -> str:
    """A condition on members, from the place of one of them."""
    number = random.choice(["1", "2", "n - 1", "n"])
    op = random.choice(["=", "<=", ">=", "<", "<>"])
    value = random.randrange(2)
    own = f"{about.replace('@', index)} = {value}" if index else "true"
    return random.choice(
        [
            own,
            f"count(j in 1..n: {about.replace('@', 'j')} = {value}) {op} {number}",
            f"(exists j in 1..n: {about.replace('@', 'j')} = {value})",
            f"(forall j in 1..n: {about.replace('@', 'j')} <> {value})",
            f"sum(j in 1..n: {about.replace('@', 'j')}) {op} {number}",
            f"{about.replace('@', random.choice(_SPECIALS))} = {value}",
            *([f"(exists j in 1..n where j <> {index}: {about.replace('@', 'j')} = {value})"] if index else []),
            *([f"count(j in 2..n where j <> {index}: {about.replace('@', 'j')} = {value}) {op} 1"] if index else []),
            *([f"({own} and {index} <> n)"] if index else []),
        ]
    )


def _interleaved(random: Random) -> str:
    start = random.choice(["(forall i in 1..n: M[i].s = 0)", "true", "M[1].s = 1 and (forall i in 2..n: M[i].s = 0)"])
    first = random.choice(["where i = 1: s = 0 : {a[i]}; where i <> 1: s = 0 : {a[i], b[i]};", "s = 0 : {a[i], b[i]};"])
    every = random.random() < 0.5
    shared = ", g[j in 1..n]" if every else ""
    rules = [
        first,
        f"s = 1 : {{{random.choice(['a', 'b'])}[i]}};",
        f"s = 2 : {{{random.choice(['a[i]', 'b[i]', 'a[i], b[i]'])}}};",
    ]
    if every:
        others = random.choice(["true", "s = 0", "s <> 2"])
        rules += [f"for j in 1..n where j <> i: {others} : {{g[j]}};", "s = 1 : {g[i]};"]
    lines = [
        f"s = {random.randrange(3)} if Action = a[i] and s = {random.randrange(3)};",
        f"s = {random.randrange(3)} if Action = b[i];",
        f"s = {random.randrange(3)} if Action = a[i];"
        if random.random() < 0.4
        else "s = 1 if Action = a[i] and s = 0;",
    ]
    if every:
        lines.append(f"for j in 1..n where j <> i: s = {random.randrange(3)} if Action = g[j];")
        lines.append(f"s = {random.randrange(3)} if Action = g[i];")
    top = random.choice(["2", "n", "n - 1"])
    cells = random.random() < 0.5
    hold = "mark[i in 1..n]: boolean;" if cells else ""
    keeps = f"mark[i] = {random.choice(['true', 'false'])} if Action = a[i];" if cells else ""
    up = f"x = x + 1 if Action = a[i] and x < {top};" if random.random() < 0.7 else "x = x + 1 if Action = a[i];"
    marked = " and (forall i in 1..n: Box.mark[i] = false)" if cells else ""
    composition = "Semantics = SingleAssignment;" if cells else ""
    return f"""
Composition = Interleaved;
{composition}
Agent M[i in 1..n]
    Vars: s : 0..2; end Vars
    Actions = {{a[i], b[i]{shared}}};
    Protocol: {" ".join(rules)} end Protocol
    Evolution: {" ".join(lines)} end Evolution
end Agent
Agent Box
    Vars: x : 0..{top}; {hold} end Vars
    Actions = {{a[i in 1..n], b[i in 1..n]}};
    Protocol: {random.choice(["x < 1", "true = true", f"x < {top}"])} : {{a[i in 1..n]}}; x > 0 : {{b[i in 1..n]}}; end Protocol
    Evolution: for i in 1..n {{ {up} x = x - 1 if Action = b[i] and x > 0; {keeps} }} end Evolution
end Agent
Evaluation is[i in 1..n, v in 0..2] if M[i].s = v; x if Box.x >= 1; end Evaluation
InitStates {start} and Box.x = 0{marked}; end InitStates
Formulae f: {_formula(random, ["M[1]", "Box", "M[n]"])}; end Formulae
"""


def _synchronous(random: Random) -> str:
    single = random.random() < 0.5
    about = "v[@]"
    value = random.randrange(2)
    start = random.choice(
        [
            "(forall i in 1..n: Environment.v[i] <> 1)",
            "Environment.v[1] = 1",
            f"(exists i in 1..n: Environment.v[i] = {value})",
        ]
    )
    if single:
        lines = [
            f"for i in 1..n: v[i] = {random.randrange(2)} if {_guard(random, 'i', about)} and Action = go;",
            f"on = true if {_guard(random, '', about)};",
            f"x = x + 1 if x < n and {_guard(random, '', about)};",
            f"for i in 1..n: v[i] = {random.randrange(2)} if Action = pick[i];",
        ]
        if random.random() < 0.5:
            lines.pop()
    else:
        lines = [
            f"for i in 1..n: v[i] = {random.randrange(2)} if Action = pick[i] and {_guard(random, 'i', about)};",
            f"on = true and x = sum(i in 1..n: v[i]) if on = false and {_guard(random, '', about)};",
            "x = x + 1 if on = true and Action = go;",
        ]
    public, number = random.random() < 0.5, "x : 0..n;"
    seen = random.choice(["v[i]", "v[j in 1..n where j <> i]", "v[j in 1..n]", ""])
    when = random.choice(
        [
            "Action = say",
            "Environment.Action = pick[i]",
            "Environment.Action = go and s = 0",
            "Action = say and (exists j in 1..n where j <> i: M[j].Action = say)",
            "(forall j in 1..n where j <> i: M[j].Action = say)",
        ]
    )
    guard = random.choice(
        [
            "Other : {stay};",
            "Environment.on = true : {say}; Other : {stay};",
            "Other : {say, stay};",
            "Environment.on = true : {say, stay}; Other : {stay};",
            "s = 0 : {say, stay}; Environment.on = false : {stay};",
        ]
    )
    acts = random.choice(
        [
            "exists j in 1..n: M[j].Action = say",
            f"count(j in 1..n: M[j].Action = say) {random.choice(['>=', '='])} {random.choice(['1', '2', 'n', 'n - 1'])}",
            "M[1].Action = say",
        ]
    )
    if random.random() < 0.5:
        lines.append(f"on = true if {acts};")
    return f"""
{"Semantics = SingleAssignment;" if single else ""}
Agent Environment
    Obsvars: on : boolean; {number if public else ""} end Obsvars
    Vars: v[i in 1..n] : 0..1; {"" if public else number} end Vars
    Actions = {{go, pick[i in 1..n]}};
    Protocol: {_guard(random, "", about)} : {{go}}; for i in 1..n: v[i] = {random.randrange(2)} : {{pick[i]}}; Other : {{go}}; end Protocol
    Evolution: {" ".join(lines)} end Evolution
end Agent
Agent M[i in 1..n]
    Lobsvars = {{{seen}}};
    Vars: s : 0..1; end Vars
    Actions = {{say, stay}};
    Protocol: {guard} end Protocol
    Evolution: s = 1 if {when}; end Evolution
end Agent
Evaluation is[i in 1..n, v in 0..2] if Environment.v[i] = min(v, 1); x if Environment.x >= 1; end Evaluation
InitStates {start} and Environment.on = false and Environment.x = 0 and (forall i in 1..n: M[i].s = 0); end InitStates
Formulae f: {_formula(random, ["M[1]", "Environment", "M[n]"])}; end Formulae
"""


def _formula(random: Random, agents: list[str]) -> str:
    value = random.randrange(3)
    who = random.choice(agents)
    members = random.choice(
        [
            f"(exists i in 1..n: is[i, {value}])",
            f"(forall i in 2..n: is[i, {value}])",
            f"count(i in 1..n: is[i, {value}]) {random.choice(['<=', '>=', '='])} {random.choice(['1', '2', 'n - 1'])}",
            f"is[{random.choice(_SPECIALS)}, {value}]",
            "x",
        ]
    )
    other = random.choice([f"is[1, {random.randrange(3)}]", f"is[n, {random.randrange(3)}]", "x", "!x"])
    return random.choice(
        [
            f"AG {members}",
            f"AG({other} -> K({who}, {members}))",
            f"AG({other} -> !K({who}, {members}))",
            f"EF {members}",
            f"AF {members}",
            f"AG EF {members}",
            f"AG({other} -> AX {members})",
            f"AG(forall i in 1..n: is[i, {value}] -> K({who}, is[i, {value}] or x))",
            f"AG(K({who}, {other}) or K({who}, !{other}))",
        ]
    )
