"""Random games whose agents differ in what they can do, what their protocols allow and what they see; and formulae with names about them.

Where `tests.generators.arenas` has agents that are alike, here two who share a strategy may have nothing in common, see different things,
and have protocols with gaps; sentences bind agents twice, reuse names, and have coalitions, knowledge and other sentences inside.
"""

from __future__ import annotations

import random

from tests.generators.arenas import PLAYERS, PROPOSITIONS, random_goal, random_path
from tests.generators.formulae import random_group

from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.system import System

STARTS = ("Environment.o = 0 and Environment.h = 0", "Environment.o = 0", "Environment.h = 1")
QUANTIFIERS = (logic.SomeStrategy, logic.EveryStrategy)


def motley(
    rng: random.Random, players: int = 2, gaps: float = 0.0, chance: bool = False, one_start: bool = False
) -> System:
    """A game on two bits, each of which some agents see."""
    names = PLAYERS[:players]
    acts = {name: rng.sample("abc", rng.choice((1, 2, 3, 3))) for name in names}
    agents = " ".join(_agent(rng, name, acts[name], gaps) for name in names)
    busy = rng.random() < 0.3
    own = f"{{{rng.choice(('e', 'e, f'))}}}"
    text = f"""
    Semantics = SingleAssignment;
    Agent Environment
      Vars: o : 0..1; h : 0..1; end Vars
      Actions = {"{e, f}" if busy else "{}"};
      Protocol: {f"Other : {own};" if busy else ""} end Protocol
      Evolution: {" ".join(_lines(rng, names, acts, chance))} end Evolution
    end Agent
    {agents}
    Evaluation {" ".join(f"{name} if {_cell(rng)};" for name in PROPOSITIONS)} end Evaluation
    InitStates {STARTS[0] if one_start else rng.choice(STARTS)}; end InitStates
    Groups one = {{Ann}}; end Groups
    """
    loaded = load(text)
    assert loaded.system is not None, [str(one) for one in loaded.diagnostics]
    return loaded.system


def _agent(rng: random.Random, name: str, acts: list[str], gaps: float) -> str:
    sees = [bit for bit in "oh" if rng.random() < 0.6]
    lines = []
    for _ in range(rng.choice((0, 0, 1, 1, 2)) if sees else 0):
        some = rng.sample(acts, rng.randint(1, len(acts)))
        lines.append(f"Environment.{rng.choice(sees)} = {rng.randrange(2)} : {{{', '.join(some)}}};")
    if not lines or rng.random() >= gaps:
        lines.append(f"Other : {{{', '.join(acts)}}};")
    return f"""Agent {name} Lobsvars = {{{", ".join(sees)}}}; Vars: end Vars
        Actions = {{{", ".join(acts)}}}; Protocol: {" ".join(lines)} end Protocol Evolution: end Evolution end Agent"""


def _lines(rng: random.Random, names: tuple[str, ...], acts: dict[str, list[str]], chance: bool) -> list[str]:
    """For each state and each bit: what one or two agents do decides what becomes of it."""
    found = []
    for place in range(8):
        bit, here = "oh"[place % 2], f"o = {place >> 1 & 1} and h = {place >> 2}"
        one, other = rng.choice(names), rng.choice(names)
        for act in acts[one]:
            for answer in acts[other] if other != one and rng.random() < 0.5 else [""]:
                more = f" and {other}.Action = {answer}" if answer else ""
                found.append(f"{bit} = {rng.randrange(2)} if {here} and {one}.Action = {act}{more};")
        if chance and rng.random() < 0.2:
            found.append(f"{bit} = {rng.randrange(2)} if {here};")
    return found


def _cell(rng: random.Random) -> str:
    single = [f"Environment.{bit} = {value}" for bit in "oh" for value in (0, 1)]
    return rng.choice([*single, f"({rng.choice(single[:2])} and {rng.choice(single[2:])})"])


def motley_sentence(rng: random.Random, system: System, depth: int = 2, share: float = 0.25) -> Formula:
    """Quantifiers over as many names as agents act, bindings in any order, some of them twice, and something below them."""
    acting = _acting(system)
    names = [f"x{number}" for number in range(max(1, len(acting) - rng.choice((0, 0, 1))))]
    body = _below(rng, system, names, depth)
    for place, agent in enumerate(acting):
        follows = rng.choice(names) if rng.random() < share else names[place % len(names)]
        body = logic.Bound(agent, follows, body)
        if rng.random() < 0.1:
            body = logic.Bound(rng.choice(acting), rng.choice(names), body)
    for name in rng.sample(names, len(names)):
        body = rng.choice(QUANTIFIERS)(name, body)
    return logic.Not(body) if rng.random() < 0.1 else body


def one_goal(rng: random.Random, system: System, share: float = 0.4) -> Formula:
    """The same with one goal."""
    acting = _acting(system)
    names = [f"x{number}" for number in range(len(acting))]
    body = random_goal(rng, system, 2)
    for place, agent in enumerate(acting):
        body = logic.Bound(agent, rng.choice(names) if rng.random() < share else names[place], body)
    for name in rng.sample(names, len(names)):
        body = rng.choice(QUANTIFIERS)(name, body)
    return body


def _acting(system: System) -> list[str]:
    return [agent.name for agent in system.agents if agent.actions]


def _below(rng: random.Random, system: System, names: list[str], depth: int) -> Formula:
    """What can be said where all agents follow strategies."""

    def inner() -> Formula:
        return _below(rng, system, names, depth - 1)

    def stated() -> Formula:
        body = inner()
        return body if logic.is_state(body) else logic.SomeStrategy("nobody", body)

    agent = rng.choice(system.agents).name
    match rng.randrange(16) if depth else 99:
        case 0:
            return logic.Knows(agent, inner())
        case 1 | 2:
            return rng.choice((logic.And, logic.Or))((stated(), stated()))
        case 3:
            return logic.Not(stated())
        case 4 | 5:
            variable = rng.choice(["z", *names])
            return rng.choice(QUANTIFIERS)(variable, logic.Bound(rng.choice(_acting(system)), variable, inner()))
        case 6:
            return rng.choice((logic.ForAll, logic.Exists))(rng.choice((logic.Next, logic.Finally))(stated()))
        case 7:
            return logic.Coalition(random_group(rng, system), rng.choice((logic.Next, logic.Globally))(stated()))
        case 8:
            return logic.Coalition(random_group(rng, system), logic.And((logic.Finally(stated()), inner())))
        case 9:
            return rng.choice((logic.Common, logic.Distributed))(random_group(rng, system), stated())
        case 10:
            return logic.Bound(rng.choice(_acting(system)), rng.choice(names), inner())
        case 11:
            return motley_sentence(rng, system, depth - 1)
        case 12 | 13:
            return rng.choice((logic.Implies, logic.Iff, logic.Xor))(stated(), stated())
        case _:
            return random_path(rng, system, 2) if depth > 1 else random_goal(rng, system, 1)
