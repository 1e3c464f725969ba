"""Random interleaved systems with strategic formulae, and every way of reading them.

``asynchronous_system(rng)`` draws a system, ``strategic_formula(rng, system)`` a formula about it, ``COMBINATIONS`` are the readings of
strategies with the rules of play for which they are defined.

An agent is written as ``place: event>next event>next; place: ...``; its first place is where it starts.  Events inside braces are one
choice: ``{b>x c>y}`` is "b or c, whichever comes".
"""

from __future__ import annotations

import random
import re
from typing import NamedTuple

from epistrat.answers import Strategies
from epistrat.lang.load import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group
from epistrat.model.system import Blocking, Scheduling, System
from epistrat.model.transform.choices import USUAL, PlayRules

NAMES = ("Ann", "Bob", "Cy", "Dee")
READINGS = (Strategies.ANY, Strategies.OBJECTIVE, Strategies.SUBJECTIVE)
_MOVE = re.compile(r"(\w+)>(\w+)")


class Combination(NamedTuple):
    """A reading of strategies with the rules of play."""

    reading: Strategies
    rules: PlayRules

    @property
    def bears_reduction(self) -> bool:
        """Whether states may be left out."""
        return self.rules == USUAL and self.reading is not Strategies.UNIFORM

    def __str__(self) -> str:
        return ", ".join((self.reading.value, *self.rules.words().values()))


COMBINATIONS = (
    *(Combination(reading, PlayRules(blocking=blocking)) for blocking in Blocking for reading in READINGS),
    *(Combination(reading, PlayRules(scheduling=Scheduling.FAIR)) for reading in READINGS[1:]),
    Combination(Strategies.UNIFORM, PlayRules()),
)


def agent_text(name: str, places: str) -> str:
    """An agent as ISPL."""
    lines: list[tuple[str, str]] = []
    for part in places.split(";"):
        place, _, moves = part.partition(":")
        lines.append((place.strip(), moves))
    names = dict.fromkeys([place for place, _ in lines] + [m[2] for _, moves in lines for m in _MOVE.finditer(moves)])
    events = dict.fromkeys(m[1] for _, moves in lines for m in _MOVE.finditer(moves))
    protocol = [
        f"at = {place} : {{{', '.join(_MOVE.sub(lambda m: m[1], word) for word in _words(moves))}}};"
        for place, moves in lines
        if _MOVE.search(moves)
    ]
    evolution = [
        f"at = {m[2]} if at = {place} and Action = {m[1]};" for place, moves in lines for m in _MOVE.finditer(moves)
    ]
    return "\n".join(
        [
            f"Agent {name}",
            f"Vars: at : {{{', '.join(names)}}}; end Vars",
            f"Actions = {{{', '.join(events)}}};",
            "Protocol:",
            *protocol,
            "end Protocol",
            "Evolution:",
            *evolution,
            "end Evolution",
            "end Agent",
        ]
    )


def _words(moves: str) -> list[str]:
    found = re.findall(r"\{[^}]*\}|\S+", moves)
    return [re.sub(r"\s+", ", ", word) for word in found]


def system_of(
    agents: dict[str, str], props: dict[str, str], groups: dict[str, str], fairness: str = "", initial: str = ""
) -> System:
    """A system of such agents."""
    start = [f"{name}.at = {places.partition(':')[0].strip()}" for name, places in agents.items()]
    text = [
        "Composition = Interleaved;",
        *(agent_text(name, places) for name, places in agents.items()),
        "Evaluation",
        *(f"{name} if {condition};" for name, condition in props.items()),
        "end Evaluation",
        f"InitStates {initial or ' and '.join(start)}; end InitStates",
        "Groups",
        *(f"{name} = {{{members}}};" for name, members in groups.items()),
        "end Groups",
    ]
    if fairness:
        text.append(f"Fairness {fairness}; end Fairness")
    loaded = load("\n".join([*text, "Formulae end Formulae"]))
    assert loaded.system is not None, [str(error) for error in loaded.report.errors]
    return loaded.system


def asynchronous_system(rng: random.Random) -> System:
    """A few agents with a few places each; events are private or shared, choices single or sets, now and then there is fairness.

    The last agents sometimes have most of their events for themselves: formulae seldom speak of them, and reduction applies.
    """
    count = rng.choice((2, 3, 3, 4, 4))
    names = NAMES[:count]
    alone = names[rng.randint(1, count) :]
    events: dict[str, list[str]] = {name: [] for name in names}
    for number in range(rng.randint(count, count + 4)):
        for name in rng.sample(names, rng.choice((1, 1, 2, 2, min(3, count)))):
            if name not in alone or rng.random() < 0.3:
                events[name].append(f"e{number}")
    for name in alone:
        events[name] += [f"{name.lower()}{number}" for number in range(rng.randint(1, 2))]
    agents = {name: _agent(rng, events[name]) for name in names}
    places = {name: text.count(";") + 1 for name, text in agents.items()}
    start = []
    for name in names:
        some = sorted(rng.sample(range(places[name]), 2)) if places[name] > 1 and rng.random() < 0.2 else [0]
        start.append("(" + " or ".join(f"{name}.at = p{one}" for one in some) + ")")
    props = {f"q{name}": f"{name}.at = p{rng.randrange(places[name])}" for name in names}
    props["both"] = " and ".join(list(props.values())[:2])
    groups = {name.lower(): name for name in names} | {"pair": f"{names[0]}, {names[1]}"}
    fairness = rng.choice(list(props)) if rng.random() < 0.3 else ""
    return system_of(agents, props, groups, fairness, " and ".join(start))


def _agent(rng: random.Random, events: list[str]) -> str:
    count = rng.randint(2, 3) if events else 1
    lines = []
    for place in range(count):
        offered = rng.sample(events, min(len(events), rng.choice((1, 1, 2, 2, 3, 0)[: 6 if place else 5])))
        words, rest = [], list(offered)
        while rest:
            size = rng.choice((1, 1, 2, 2, 3))
            some, rest = rest[:size], rest[size:]
            moves = [f"{event}>p{rng.randrange(count)}" for event in some]
            if rng.random() < 0.1:
                moves.append(f"{some[0]}>p{rng.randrange(count)}")
            words.append("{" + " ".join(dict.fromkeys(moves)) + "}" if size > 1 else " ".join(dict.fromkeys(moves)))
        lines.append(f"p{place}: {' '.join(words)}")
    missing = [event for event in events if not any(f"{event}>" in line for line in lines)]
    if missing:  # declared but hardly ever possible
        lines.append(f"p{count}: " + " ".join(f"{event}>p0" for event in missing))
    return "; ".join(lines)


def strategic_formula(rng: random.Random, system: System, depth: int = 2) -> Formula:
    """A formula with a coalition at the top or just below."""

    def state(left: int) -> Formula:
        if left <= 0 or rng.random() < 0.4:
            atom = logic.Prop(rng.choice(list(system.propositions)))
            return atom if rng.random() < 0.6 else logic.Not(atom)
        match rng.randrange(6):
            case 0:
                return logic.Knows(rng.choice([agent.name for agent in system.agents]), state(left - 1))
            case 1:
                return rng.choice((logic.ForAll, logic.Exists))(aim(left - 1))
            case 2:
                return logic.And((state(left - 1), state(left - 1)))
            case _:
                return coalition(left - 1)

    def aim(left: int) -> Formula:
        match rng.randrange(7):
            case 0:
                return logic.Next(state(left))
            case 1 | 2:
                return logic.Globally(state(left))
            case 3:
                return logic.Until(state(left), state(left))
            case _:
                return logic.Finally(state(left))

    def coalition(left: int) -> Formula:
        name = rng.choice(list(system.groups))
        return logic.Coalition(Group(system.groups[name], name), aim(left))

    return coalition(rng.choice((0, 0, depth - 1))) if rng.random() < 0.8 else state(depth)
