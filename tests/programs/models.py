"""Random knowledge-based programs."""

from __future__ import annotations

import random

from epistrat.lang import load
from epistrat.model.agent import EvolutionLine
from epistrat.model.system import Semantics, System
from epistrat.records import replace

REST = 3
"""Until then every run of a resting program has come to rest."""
PROPOSITIONS = ("p", "q", "late")
AGENTS = ("Ann", "Bob")


def random_program(rng: random.Random, *, resting: bool, marked: bool = False) -> System:
    """Two agents who see some of two bits and a counter, and do what they do by what they know of them.

    ``resting``: nothing changes any more once the counter has come to its end.  ``marked``: guards say here and there how they are read.
    """
    text = _text(rng, resting, marked)
    loaded = load(text)
    assert loaded.system is not None, ([str(one) for one in loaded.diagnostics], text)
    return loaded.system


def one_by_one(system: System) -> System:
    """The system with a line for each assignment, each variable taking one of those that apply."""
    agents = []
    for agent in system.agents:
        lines = [EvolutionLine((one,), line.guard) for line in agent.evolution for one in line.assignments]
        agents.append(replace(agent, evolution=tuple(lines)))
    return replace(system, agents=tuple(agents), semantics=Semantics.SINGLE)


def _text(rng: random.Random, resting: bool, marked: bool) -> str:
    lines = []
    for ann in ("go", "stay"):
        for bob in ("go", "stay") if rng.random() < 0.5 else ("",):
            by = f"Ann.Action = {ann}" + (f" and Bob.Action = {bob}" if bob else "")
            for act in "xy":
                count = f"n = n + 1 if n < {REST} and" if resting else f"{_change(rng)} if"
                made = count.replace(" if", f" and {_change(rng)} if", 1) if resting else count
                lines.append(f"{made} {by} and Action = {act};")
    agents = "".join(_agent(rng, name, resting, marked) for name in AGENTS)
    starts = rng.sample([(b, c) for b in ("true", "false") for c in ("true", "false")], rng.randint(1, 4))
    initial = " or ".join(f"(Environment.b = {b} and Environment.c = {c})" for b, c in starts)
    choice = "{x}" if rng.random() < 0.4 else "{x, y}"
    protocol = f"n = {REST} : {{z}}; Other : {choice};" if resting else f"Other : {choice};"
    public = "c : boolean;" if rng.random() < 0.2 else ""
    return f"""Agent Environment
      Obsvars: {public} end Obsvars
      Vars: n : 0..{REST}; b : boolean; {"" if public else "c : boolean;"} end Vars
      Actions = {{x, y, z}};
      Protocol: {protocol} end Protocol
      Evolution: {" ".join(lines)} end Evolution
    end Agent
    {agents.replace(", c", "") if public else agents}
    Evaluation p if Environment.b = true; q if Environment.c = true; late if Environment.n >= 2; end Evaluation
    InitStates Environment.n = 0 and ({initial}) and Ann.see = nothing and Bob.see = nothing; end InitStates
    Groups both = {{Ann, Bob}}; end Groups
    Formulae AG p; end Formulae
    """


def _agent(rng: random.Random, name: str, resting: bool, marked: bool) -> str:
    seen = ["b"] * (rng.random() < 0.35) + ["n"] * (resting and rng.random() < 0.15) + ["b, c"] * (rng.random() < 0.2)
    seen = list(dict.fromkeys(", ".join(seen).split(", "))) if seen else []
    moving = " and (Environment.Action = x or Environment.Action = y)" if resting else ""
    lines = [
        f"{_guard(rng, name, marked)} : {{{rng.choice(('go', 'stay', 'go, stay'))}}};" for _ in range(rng.randint(1, 2))
    ]
    return f"""Agent {name}
      Lobsvars = {{{", ".join(seen)}}};
      Vars: see : {{nothing, some}}; end Vars
      Actions = {{go, stay}};
      Protocol: {" ".join(lines)} Other : {{stay}}; end Protocol
      Evolution:
        see = some if see = nothing and Environment.Action = {rng.choice("xy")} and Action = go;
        see = nothing if see = some{moving};
      end Evolution
    end Agent
    """


def _change(rng: random.Random) -> str:
    return " and ".join(f"{bit} = {rng.choice(('true', 'false', bit, 'b', 'c'))}" for bit in "bc")


def _guard(rng: random.Random, own: str, marked: bool) -> str:
    known = _own_knowledge(rng, own, marked)
    kind = rng.random()
    if kind < 0.2:
        return f"!{known}"
    if kind < 0.35:
        return f"see = {rng.choice(('nothing', 'some'))} {rng.choice(('and', 'or'))} {known}"
    if kind < 0.45:
        return f"{known} and !{_own_knowledge(rng, own, marked)}"
    return known


def _own_knowledge(rng: random.Random, own: str, marked: bool) -> str:
    mark = rng.choice(("", "[clock]", "[recall]")) if marked else ""
    fact = _fact(rng, own, rng.choice((0, 1, 2)), marked)
    if rng.random() < 0.15:
        return f"GCK{mark}(both, {fact})"
    if rng.random() < 0.1 and not mark:
        return f"KW({rng.choice(('self', own))}, {_fact(rng, own, 0, marked)})"
    return f"K{mark}({rng.choice(('self', own))}, {fact})"


def _fact(rng: random.Random, own: str, depth: int, marked: bool) -> str:
    if depth == 0:
        return rng.choice((*PROPOSITIONS, "!p", "!q"))
    inner = _fact(rng, own, depth - 1, marked)
    kind = rng.random()
    if kind < 0.25:
        return f"({inner} {rng.choice(('or', 'and', '->'))} {_fact(rng, own, 0, marked)})"
    if kind < 0.5:
        return f"{rng.choice(('Y', 'Once', 'Hist'))} ({inner})"
    if kind < 0.6:
        return f"({_fact(rng, own, 0, marked)} S {inner})"
    mark = rng.choice(("", "[clock]", "[recall]")) if marked else ""
    who = rng.choice(AGENTS)
    word = rng.choice(
        (f"K{mark}({who}, ", f"!K{mark}({who}, ", f"GK{mark}(both, ", f"DK{mark}(both, ", f"GCK{mark}(both, ")
    )
    return f"{word}{inner})"
