"""Random models whose runs come to rest, and random formulae about their histories."""

from __future__ import annotations

import random
from collections.abc import Callable

from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading, is_state
from epistrat.model.system import System

REST = 3
"""Until then every run has come to rest."""
AGENTS = ("Ann", "Bob")
PROPOSITIONS = ("p", "q", "late")


def random_resting(rng: random.Random) -> System:
    """A counter goes up by one or two and stops; two bits change on the way; two agents see some of it."""
    lines = [
        f"n = n + {rng.choice((1, 1, 2))} and {_change(rng)} if n < {REST - 1} and Action = {act};" for act in "xy"
    ]
    lines += [f"n = {REST} and {_change(rng)} if n = {REST - 1} and Action = {act};" for act in "xy"]
    agents = ""
    for name in AGENTS:
        seen = ", ".join(one for one in ("b", "c", "n") if rng.random() < (0.35 if one != "n" else 0.15))
        shows, hides = (rng.choice(("= x", "= y", "<> z")) for _ in "sh")
        agents += f"""Agent {name}
          Lobsvars = {{{seen}}};
          Vars: see : {{nothing, some}}; end Vars
          Actions = {{none}};
          Protocol: Other : {{none}}; end Protocol
          Evolution:
            see = some if see = nothing and {_acts(shows)};
            see = nothing if see = some and {_acts(hides)};
          end Evolution
        end Agent
        """
    starts = rng.sample(
        [(n, b, c) for n in (0, 0, 1, 2) for b in ("true", "false") for c in ("true", "false")], rng.randint(1, 4)
    )
    initial = " or ".join(
        f"(Environment.n = {n} and Environment.b = {b} and Environment.c = {c})" for n, b, c in starts
    )
    text = f"""Agent Environment
      Vars: n : 0..{REST}; b : boolean; c : boolean; end Vars
      Actions = {{x, y, z}};
      Protocol:
        n = {REST} : {{z}};
        {f"b = true and n < {REST} : {{x}};" if rng.random() < 0.4 else ""} Other : {{x, y}};
      end Protocol
      Evolution: {" ".join(lines)} end Evolution
    end Agent
    {agents}
    Evaluation p if Environment.b = true; q if Environment.c = true; late if Environment.n >= 2; end Evaluation
    InitStates ({initial}) and Ann.see = nothing and Bob.see = nothing; end InitStates
    Groups both = {{Ann, Bob}}; end Groups
    Formulae AG p; end Formulae
    """
    loaded = load(text)
    assert loaded.system is not None, [str(one) for one in loaded.diagnostics]
    return loaded.system


def _acts(which: str) -> str:
    """A step on which something else than rest is done."""
    return "(Environment.Action = x or Environment.Action = y)" if which == "<> z" else f"Environment.Action {which}"


def _change(rng: random.Random) -> str:
    return " and ".join(f"{bit} = {rng.choice(('true', 'false', bit, bit))}" for bit in "bc")


def random_formula(rng: random.Random, depth: int, told: bool = False, moved: bool = False) -> Formula:
    """A state formula; ``told``: below an announcement, and ``moved``: with a step in between."""
    if depth == 0:
        return logic.Prop(rng.choice(PROPOSITIONS))

    def below(told: bool = told, moved: bool = moved) -> Formula:
        return random_formula(rng, depth - 1, told, moved)

    kind = rng.random()
    if kind < 0.2:
        return rng.choice((logic.Not(below()), logic.And((below(), below())), logic.Or((below(), below()))))
    if kind < 0.5:
        return _knowledge(rng, below, told and moved)
    if kind < 0.62:
        return logic.Announced(below(), below(told=True, moved=False))
    if kind < 0.72 and not told:
        arg = rng.choice((logic.Yesterday, logic.Once, logic.Historically))(below())
        quantifier = rng.choice((logic.ForAll, logic.Exists))
        time = rng.choice((logic.Next, logic.Globally, logic.Finally))
        return quantifier(time(arg), True)
    return _time(rng, lambda: below(moved=True))


def _knowledge(rng: random.Random, below: Callable[[], Formula], timed: bool) -> Formula:
    reading = rng.choice((Reading.CLOCK, Reading.RECALL) if timed else tuple(Reading))
    word = rng.choice(("K", "K", "K", "GK", "DK", "GCK"))
    if word == "GCK" and reading is Reading.CHANGES:
        word = "DK"
    group = Group((rng.choice(AGENTS),)) if word == "K" else Group(AGENTS, "both")
    arg = below()
    if rng.random() < 0.15 and not timed:
        arg = logic.ForAll(rng.choice((logic.Yesterday, logic.Once))(arg), True)
    return logic.Remembers(word, reading, group, arg)


def _time(rng: random.Random, below: Callable[[], Formula]) -> Formula:
    quantifier = rng.choice((logic.ForAll, logic.Exists))
    arg: Formula
    if rng.random() < 0.25:
        arg = logic.Until(below(), below())
    else:
        arg = rng.choice((logic.Next, logic.Finally, logic.Globally))(below())
    assert is_state(quantifier(arg))
    return quantifier(arg)
