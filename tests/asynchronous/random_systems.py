"""Random interleaved systems with strategic formulae.

    python -m tests.asynchronous.random_systems 10000 [seed]

compares all engines, reduced and not, on that many systems.
"""

from __future__ import annotations

import random
import sys
from dataclasses import replace

from tests.asynchronous.worked_examples import system_of

from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.engines.explicit.tuning import ExplicitTuning
from epistrat.engines.registry import load as engine_of
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.model.system import Blocking, System
from epistrat.solvers.budget import Budget

NAMES = ("Ann", "Bob", "Cy", "Dee")
READINGS = (Strategies.ANY, Strategies.OBJECTIVE, Strategies.SUBJECTIVE)


def random_system(rng: random.Random) -> System:
    """A few agents with a few places each; events are private or shared, choices single or sets, now and then there is fairness."""
    count = rng.choice((2, 2, 3, 3, 4))
    names = NAMES[:count]
    events: dict[str, list[str]] = {name: [] for name in names}
    for number in range(rng.randint(count, count + 4)):
        for name in rng.sample(names, rng.choice((1, 1, 2, 2, min(3, count)))):
            events[name].append(f"e{number}")
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
        offered = rng.sample(events, min(len(events), rng.randint(0, 3)))
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


def random_formula(rng: random.Random, system: System, depth: int = 2) -> Formula:
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


def verdict(engine: str, system: System, formula: Formula, reading: Strategies, reduce: str = "auto") -> Verdict:
    """What an engine says."""
    session = engine_of(engine).open(system, Options(reading, tuning=(ExplicitTuning(reduce=reduce),)), Budget())
    try:
        return session.check(formula).verdict
    finally:
        session.close()


def disagreements(system: System, formula: Formula) -> list[str]:
    """Where an engine contradicts the reference engine."""
    found = []
    for reading in READINGS:
        expected = verdict("reference", system, formula, reading)
        for engine, reduce in (
            ("symbolic", "off"),
            ("explicit", "off"),
            ("explicit", "auto"),
            ("explicit", "singleton"),
        ):
            said = verdict(engine, system, formula, reading, reduce)
            if said is not expected:
                found.append(f"{reading.value}: {engine} ({reduce}) says {said.value}, reference {expected.value}")
    for blocking in (Blocking.ADVERSARY, Blocking.IGNORE):
        other = replace(system, blocking=blocking)
        for reading in READINGS:
            expected = verdict("reference", other, formula, reading)
            said = verdict("explicit", other, formula, reading)
            if said is not expected:
                found.append(f"{blocking.value} {reading.value}: explicit says {said.value}")
    return found


def main(count: int, seed: int) -> int:
    """Compare on so many systems; the number of disagreements."""
    wrong = 0
    for number in range(seed, seed + count):
        rng = random.Random(number)
        system = random_system(rng)
        formula = random_formula(rng, system)
        for line in disagreements(system, formula):
            wrong += 1
            print(f"system {number}: {show(formula)}: {line}", flush=True)
            if wrong == 1:
                print(to_ispl(system))
        if number % 500 == 0:
            print(f"{number - seed + 1} systems, {wrong} disagreements", flush=True)
    print(f"{count} systems, {wrong} disagreements")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)))
