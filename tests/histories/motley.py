"""Random systems of all kinds for questions about histories, and random questions.

Synchronous and interleaved, both semantics of assignments, dead ends by protocols and by values out of range, fairness, several initial
states, agents who see nothing, everything or each other, groups with no member, one and all; systems whose runs come to rest, and such
that go round.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading
from epistrat.model.system import System

PROPOSITIONS = ("p", "q", "late", "mine")
FULL = 3
"""The counter stops here, or goes round."""


@dataclass(frozen=True)
class Kind:
    """What a system is like; ``rest``: a time at which all histories have come to rest or ended, None if they go round."""

    interleaved: bool
    rest: int | None


def random_system(rng: random.Random) -> tuple[System, Kind, str]:
    """A system, what it is like, and its text."""
    kind = rng.random()
    if kind < 0.25:
        text, what = _taking_turns(rng), Kind(True, 5)
    else:
        rests = kind < 0.8
        text, what = _together(rng, rests), Kind(False, FULL + 1 if rests else None)
    loaded = load(text)
    assert loaded.system is not None, (text, [str(one) for one in loaded.diagnostics])
    return loaded.system, what, text


def _bit(rng: random.Random, *names: str) -> str:
    return f"{rng.choice(names)} = {rng.choice(('true', 'false'))}"


def _together(rng: random.Random, rests: bool) -> str:
    """A synchronous system: a counter, two bits, and agents with a bit of their own, who act."""
    agents = [f"A{number}" for number in range(rng.choice((1, 2, 2, 2, 3)))]
    doing = [f"{one}.Action = {act}" for one in agents for act in "uv"] + [f"Action = {act}" for act in "xy"]
    end = f"n < {FULL}"
    lines = []
    for _ in range(rng.randint(2, 4)):
        changed = " and ".join(f"{bit} = {rng.choice(('true', 'false', bit))}" for bit in "bc")
        lines.append(f"n = n + {rng.choice((1, 1, 1, 2))} and {changed} if {end} and {rng.choice(doing)};")
    lines.append(f"n = n + 1 if {end} and " + " and ".join(f"!({one})" for one in set(doing)) + ";")
    if not rests:
        lines += [f"n = {rng.randint(0, FULL)} and {_bit(rng, 'b', 'c')} if n = {FULL} and {rng.choice(doing)};"]
    acting = f"{{{rng.choice(('x', 'y', 'x, y', 'x, y'))}}}"
    other = "" if rng.random() < 0.3 else f"Other : {acting};"
    protocol = f"n = {FULL} : {{{'z' if rests else 'x, y'}}}; {_bit(rng, 'b', 'c')} and {end} : {{x, y}}; {other}"
    if rests:  # each step before the end counts
        lines = [f"n = n + 1 if {end};", *lines] if rng.random() < 0.5 else lines
        covered = f"n = n + 1 if {end} and (" + " or ".join(["Action = x", "Action = y"]) + ");"
        lines.append(covered)
    semantics = "Semantics = SingleAssignment;\n" if rng.random() < 0.2 else ""
    if semantics:
        lines = [f"n = n + {rng.choice((1, 1, 2))} if {end} and {one};" for one in ("Action = x", "Action = y")]
        lines += [f"{_bit(rng, 'b', 'c')} if {end} and {rng.choice(doing)};" for _ in range(3)]
        lines += [] if rests else [f"n = 0 if n = {FULL};"]
    moving = "!(Environment.Action = z)" if rests else "Environment.Action = x"
    text = (
        semantics
        + f"""Agent Environment
      Vars: n : 0..{FULL}; b : boolean; c : boolean; end Vars
      Actions = {{x, y, z}};
      Protocol: {protocol} end Protocol
      Evolution: {" ".join(lines)} end Evolution
    end Agent
    """
    )
    for name in agents:
        seen = [one for one, chance in (("b", 0.35), ("c", 0.35), ("n", 0.15)) if rng.random() < chance]
        red = f"RedStates: {_bit(rng, 'm')}; end RedStates" if rng.random() < 0.3 else ""
        text += f"""Agent {name}
          Lobsvars = {{{", ".join(seen)}}};
          Vars: m : boolean; end Vars
          Actions = {{u, v}};
          {red}
          Protocol: m = true : {{{rng.choice(("u", "v", "u, v"))}}}; Other : {{{rng.choice(("u", "v", "u, v"))}}}; end Protocol
          Evolution:
            m = true if {moving} and {rng.choice(("Action = u", *doing[:-2]))};
            m = false if {moving} and m = true and {rng.choice(("Action = v", *doing[:-2]))};
          end Evolution
        end Agent
        """
    starts = _starts(rng, "Environment.n", agents)
    return text + _rest_of(rng, agents, "Environment.b = true", "Environment.c = true", "Environment.n >= 2", starts)


def _taking_turns(rng: random.Random) -> str:
    """An interleaved system: agents with private steps and some that they make together; all of them run out."""
    agents = ["A0", "A1", "A2"][: rng.choice((2, 2, 3))]
    most = 2 if len(agents) == 2 else 1
    text = "Composition = Interleaved;\n"
    for name in agents:
        acts = [f"step{name}", *rng.sample(("tell", "ring"), rng.randint(0, 2))]
        lines = [f"n = n + {rng.choice((1, 1, 2))} if Action = {act};" for act in acts]
        lines += [f"n = n + 1 and m = {rng.choice(('true', 'false', 'm'))} if Action = {rng.choice(acts)};"]
        guards = "".join(
            f"n = {value} : {{{', '.join(rng.sample(acts, rng.randint(1, len(acts))))}}};" for value in range(most)
        )
        text += f"""Agent {name}
          Vars: n : 0..{most}; m : boolean; end Vars
          Actions = {{{", ".join(acts)}}};
          Protocol: {guards} end Protocol
          Evolution: {" ".join(lines)} end Evolution
        end Agent
        """
    blind = "Agent Blind Vars: end Vars Actions = {stepA0}; Protocol: Other : {stepA0}; end Protocol Evolution: end Evolution end Agent\n"
    text += blind if rng.random() < 0.4 else ""
    starts = _starts(rng, None, agents)
    starts = f"({starts}) and " + " and ".join(f"{name}.n = 0" for name in agents)
    return text + _rest_of(rng, agents, "A0.m = true", "A1.m = true", "A0.n >= 1", starts)


def _starts(rng: random.Random, counter: str | None, agents: list[str]) -> str:
    chosen = []
    for _ in range(rng.choice((1, 2, 2, 3))):
        parts = [] if counter is None else [f"{counter} = {rng.choice((0, 0, 0, 1))}"]
        bits = () if counter is None else ("Environment.b", "Environment.c")
        parts += [f"{one} = {rng.choice(('true', 'false'))}" for one in bits]
        parts += [f"{one}.m = {rng.choice(('true', 'false', 'false'))}" for one in agents]
        chosen.append(f"({' and '.join(parts)})")
    return " or ".join(chosen)


def _rest_of(rng: random.Random, agents: list[str], p: str, q: str, late: str, starts: str) -> str:
    fairness = f"Fairness {rng.choice(('p', 'q', '!p', 'late', 'mine'))}; end Fairness\n" if rng.random() < 0.2 else ""
    return f"""Evaluation p if {p}; q if {q}; late if {late}; mine if {agents[-1]}.m = true; end Evaluation
    InitStates {starts}; end InitStates
    {fairness}Formulae AG p; end Formulae
    """


# -- questions -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asking:
    """What may be asked below an operator."""

    rng: random.Random
    agents: tuple[str, ...]
    rests: bool
    told: bool = False
    moved: bool = False
    plays: bool = True
    """Whether it may be asked what groups can enforce: in synchronous systems without fairness."""

    def below(self, depth: int, told: bool | None = None, moved: bool | None = None) -> Formula:
        """A smaller formula."""
        now = Asking(
            self.rng,
            self.agents,
            self.rests,
            self.told if told is None else told,
            self.moved if moved is None else moved,
            self.plays,
        )
        return now.formula(depth)

    def formula(self, depth: int) -> Formula:
        """A state formula."""
        rng = self.rng
        if depth == 0:
            return logic.Prop(rng.choice(PROPOSITIONS))
        kind = rng.random()
        if kind < 0.18:
            return self._connective(depth - 1)
        if kind < 0.55:
            return self._knowledge(depth - 1)
        if kind < 0.68:
            return logic.Announced(self.below(depth - 1), self.below(depth - 1, told=True, moved=False))
        if kind < 0.8 and self.rests:
            return self._on_runs(depth)
        return self._time(depth - 1)

    def _connective(self, depth: int) -> Formula:
        one, other = self.below(depth), self.below(depth)
        made: list[Callable[[], Formula]] = [
            lambda: logic.Not(one),
            lambda: logic.And((one, other)),
            lambda: logic.Or((one, other)),
            lambda: logic.Implies(one, other),
            lambda: logic.Iff(one, other),
        ]
        return self.rng.choice(made)()

    def _group(self) -> Group:
        return Group(tuple(self.rng.sample(self.agents, self.rng.choice((0, 1, *[len(self.agents)] * 4)))), "some")

    def _knowledge(self, depth: int) -> Formula:
        rng = self.rng
        timeless = self.rests and not (self.told and self.moved)
        if timeless and rng.random() < 0.06:
            return logic.Correct(rng.choice(self.agents), self.below(depth))
        if not self.rests and not self.told and rng.random() < 0.1:
            return self._plainly(logic.Prop(rng.choice(PROPOSITIONS)))
        reading = rng.choice(tuple(Reading) if timeless else (Reading.CLOCK, Reading.RECALL))
        word = rng.choice(("K", "K", "K", "GK", "DK", "GCK"))
        if word == "GCK" and reading is Reading.CHANGES:
            word = "DK"
        group = Group((rng.choice(self.agents),)) if word == "K" else self._group()
        arg = self.below(depth)
        if self.rests and rng.random() < 0.2:
            arg = logic.ForAll(self._path(depth), True)
        return logic.Remembers(word, reading, group, arg)

    def _plainly(self, arg: Formula) -> Formula:
        agent, group = self.rng.choice(self.agents), self._group()
        made = (
            logic.Knows(agent, arg),
            logic.Everybody(group, arg),
            logic.Distributed(group, arg),
            logic.Common(group, arg),
        )
        return self.rng.choice(made)

    def _time(self, depth: int) -> Formula:
        rng = self.rng
        quantifier = rng.choice((logic.ForAll, logic.Exists))
        if self.plays and rng.random() < 0.15:
            return self._strategy(depth)
        if not self.rests:
            return quantifier(logic.Next(self.below(depth, moved=True)))
        if rng.random() < 0.3:
            kind = rng.choice((logic.Until, logic.WeakUntil, logic.Release))
            return quantifier(kind(self.below(depth, moved=True), self.below(depth, moved=True)))
        return quantifier(rng.choice((logic.Next, logic.Finally, logic.Globally))(self.below(depth, moved=True)))

    def _strategy(self, depth: int) -> Formula:
        """What a group can bring about, seeing and remembering everything."""
        rng, group = self.rng, self._group()
        if self.rests and rng.random() < 0.2:
            return logic.Coalition(group, logic.Until(self.below(depth, moved=True), self.below(depth, moved=True)))
        goals = (logic.Next, logic.Finally, logic.Globally) if self.rests else (logic.Next,)
        return logic.Coalition(group, rng.choice(goals)(self.below(depth, moved=True)))

    def _on_runs(self, depth: int) -> Formula:
        return self.rng.choice((logic.ForAll, logic.Exists))(self._path(depth), True)

    def _path(self, depth: int) -> Formula:
        """A formula about runs, with the past in it, or an announcement on the run."""
        rng = self.rng
        if depth <= 0:
            return logic.Prop(rng.choice(PROPOSITIONS))
        kind = rng.random()
        if kind < 0.35:
            return rng.choice((logic.Yesterday, logic.Once, logic.Historically))(self._path(depth - 1))
        if kind < 0.42:
            return logic.Since(self._path(depth - 1), self._path(depth - 1))
        if kind < 0.7:
            return rng.choice((logic.Next, logic.Globally, logic.Finally))(self._path(depth - 1))
        if kind < 0.8:
            inner = Asking(rng, self.agents, True, True, True, self.plays)
            return logic.Announced(self.below(depth - 1), inner._path(depth - 1))
        if kind < 0.9:
            return logic.And((self._path(depth - 1), self._path(depth - 1)))
        return self.below(depth - 1, moved=True)
