"""Random families whose members stand in a ring or a line and look at their neighbours."""

from __future__ import annotations

from random import Random

BEFORE, BEHIND = "(i - 2) mod n + 1", "i mod n + 1"


def random_ring(seed: int) -> str:
    """A text with parameter n, and formulae."""
    random = Random(seed)
    return f"Parameters n = 3 in 2..; end Parameters\n{_model(random)}\nFormulae\n{_formulae(random)}end Formulae\n"


def _model(random: Random) -> str:
    single = random.random() < 0.5
    clock = random.random() < 0.5
    lines = [_line(random, variable, single) for variable in ("a", "a", "b", "b")]
    turn = "Obsvars: turn : 1..n; end Obsvars" if clock else "Obsvars: old : boolean; end Obsvars"
    moved = "turn = turn + 1 if turn < n;" if clock else f"old = true if P[{random.choice(['1', 'n'])}].Action = go;"
    if clock and random.random() < 0.5:
        moved = "turn = turn + 1 if turn < n; turn = 1 if turn = n;"
    start = random.choice(
        ["P[1].a = true and (forall i in 2..n: P[i].a = false)", "(forall i in 1..n: P[i].a = false)"]
    )
    start += random.choice(["", " and (forall i in 1..n: P[i].b = p)", " and count(i in 1..n: P[i].b = q) <= 1"])
    start += f" and Environment.{'turn = 1' if clock else 'old = false'}"
    own = "where i = turn_of: b = q : {go};".replace("turn_of", random.choice(["1", "n"]))
    protocol = [random.choice(["a = true : {go, rest};", "b = q : {go};", own]), "Other : {rest};"]
    if clock and random.random() < 0.6:
        protocol.insert(0, "Environment.turn = i and a = true : {go};")
    return f"""{"Semantics = SingleAssignment;" if single else ""}
Agent Environment
    {turn}
    Actions = {{tick}};
    Protocol: Other : {{tick}}; end Protocol
    Evolution: {moved} end Evolution
end Agent
Agent P[i in 1..n]
    Vars: a : boolean; b : {{p, q, r}}; end Vars
    Actions = {{go, rest}};
    Protocol: {" ".join(protocol)} end Protocol
    Evolution: {" ".join(lines)} end Evolution
end Agent
Evaluation a[i in 1..n] if P[i].a = true; q[i in 1..n] if P[i].b = q; r[i in 1..n] if P[i].b = r; end Evaluation
InitStates {start}; end InitStates"""


def _line(random: Random, variable: str, single: bool) -> str:
    value = random.choice(["true", "false"]) if variable == "a" else random.choice("pqr")
    guards = [
        "Action = go",
        f"P[{BEFORE}].Action = go",
        f"P[{BEHIND}].Action = rest",
        f"P[{BEFORE}].Action = go and b <> r",
        f"P[{BEHIND}].Action = go and Action = rest",
        "(exists j in 1..n where j <> i: P[j].Action = go)",
        "(forall j in 1..n: P[j].Action = rest)",
        "count(j in 1..n: P[j].Action = go) >= 2",
        "a = true and Action = go",
    ]
    other = "" if single or random.random() < 0.5 else (" and b = q" if variable == "a" else " and a = false")
    where = random.choice(["", "", "where i > 1: ", "where i < n: "])
    return f"{where}{variable} = {value} if {random.choice(guards)}{other};"


def _formulae(random: Random) -> str:
    spots = ["1", "2", "n"]
    one, other = random.sample(spots, 2)
    made = [
        f"AG !(a[{one}] and a[{other}])",
        f"AG(q[{one}] -> a[{other}])",
        f"AG(a[{one}] -> K(P[{one}], !a[{other}]))",
        f"AG(a[{one}] -> K(P[{other}], a[{one}]))",
        f"AG(a[{one}] -> !K(P[{one}], q[{other}]))",
        f"AG(q[{one}] -> !K(P[{one}], !q[{other}]))",
        "AG(forall i in 2..n: a[i] -> a[i - 1] or q[i])",
        f"AG(!a[{one}] -> AG !a[{one}])",
        f"AG !r[{one}]",
        f"AX (a[{one}] or q[{other}])",
        f"AG(K(P[{one}], q[{other}]) or K(P[{one}], !q[{other}]))",
        f"AG(q[{one}] -> AX (q[{one}] or a[{other}]))",
    ]
    return "".join(f"    {formula};\n" for formula in random.sample(made, 5))
