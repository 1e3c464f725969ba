"""What a monitor says about properties, against `check` and against a brute-force tracker of broken runs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.generators import random_formula, random_system
from tests.running.test_possible_states import random_model
from tests.running.tracker import BruteForce, World, random_log, value

import epistrat
from epistrat.answers import Strategies
from epistrat.engines.reference.judge import Judge
from epistrat.logic.formula import (
    And,
    Finally,
    ForAll,
    Formula,
    Globally,
    Implies,
    Next,
    Not,
    Once,
    Prop,
    Test,
    Until,
    WeakUntil,
    Yesterday,
)
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.running.build import build
from epistrat.running.properties import Wish
from epistrat.solvers.budget import Budget
from epistrat.terms import Terms


def exactly(system: System, state: State) -> Formula:
    terms = Terms()
    pairs = zip(system.variables, state, strict=True)
    return Test(terms.conjunction([terms.equals(terms.variable(*v.key, v.domain.sort), one) for v, one in pairs]))


def along(system: System, states: list[State]) -> Formula:
    """A run that begins with these states."""
    found: Formula = exactly(system, states[-1])
    for state in reversed(states[:-1]):
        found = And((exactly(system, state), Next(found)))
    return found


def shaped(rng: random.Random, system: System) -> Iterator[Formula]:
    """Linear formulae of the usual shapes over the system's propositions, and a few random ones."""
    names = sorted(system.propositions)

    def atom() -> Formula:
        found: Formula = Prop(rng.choice(names))
        return Not(found) if rng.random() < 0.5 else found

    yield from (Globally(atom()), Finally(atom()), Until(atom(), atom()), WeakUntil(atom(), atom()))
    yield from (Globally(Finally(atom())), Finally(Globally(atom())), Globally(Implies(atom(), Finally(atom()))))
    yield from (
        Next(Next(atom())),
        Globally(Implies(atom(), Once(atom()))),
        Globally(Implies(Yesterday(atom()), atom())),
    )
    for fragment in ("LTL", "LTLK"):
        formula = random_formula(rng, system, fragment, depth=2, past=rng.random() < 0.5)
        assert isinstance(formula, ForAll)
        yield formula.arg


def followed(rng: random.Random, system: System) -> Counter[str]:
    """Compare all shapes along random runs; how often each status came up."""
    stepper = Stepper(system)
    judge = Judge(stepper, explore(stepper, initial_states(system, 400)), Strategies.ANY, Budget())
    names = [str(variable) for variable in system.variables]
    seen: Counter[str] = Counter()
    for linear in shaped(rng, system):
        monitor = build(system, Wish((ForAll(linear, star=True),)), most=400).monitor()()
        state = rng.choice(initial_states(system, 400))
        run = [state]
        monitor.start(dict(zip(names, state, strict=True)))
        for _ in range(3):
            status = next(iter(monitor.properties.values()))
            here = along(system, run)
            if not system.fairness or not judge.satisfied(ForAll(Not(here), star=True)):
                settled = judge.satisfied(ForAll(Implies(here, linear), star=True))
                hopeless = judge.satisfied(ForAll(Implies(here, Not(linear)), star=True))
                assert (status == "settled") is settled, (linear, run)
                assert (status in ("violated", "lost")) is hopeless, (linear, run)
                seen[status] += 1
            steps = list(stepper.steps(run[-1]))
            if not steps:
                break
            step = rng.choice(steps)
            run.append(step.target)
            acts = {agent.name: one for agent, one in zip(system.agents, step.joint, strict=True) if one is not None}
            if system.interleaved:
                acts = dict([next(iter(acts.items()))])
            assert monitor.step(acts, dict(zip(names, step.target, strict=True))).kind != "refused"
    return seen


@pytest.mark.parametrize("seed", range(16))
def test_settled_and_lost_are_what_the_judge_says_about_all_ways_to_go_on(seed: int) -> None:
    rng = random.Random(seed)
    followed(rng, random_system(rng, total=True, agents=2, fairness=seed % 2 == 1))


def test_every_status_comes_up() -> None:
    """Three places in a row, the last of which is left again or not: a lamp that burns out."""
    lamp = epistrat.load(
        """Agent Lamp Vars: at : {new, lit, dim, out}; end Vars Actions = {press, wait};
        Protocol: Other : {press, wait}; end Protocol
        Evolution: at = lit if Action = press and at = new; at = dim if Action = press and at = lit;
        at = lit if Action = press and at = dim; at = out if Action = press and (at = dim or at = lit); end Evolution end Agent
        Evaluation light if Lamp.at = lit; dead if Lamp.at = out; fresh if Lamp.at = new; end Evaluation
        InitStates Lamp.at = new; end InitStates
        Groups g = {Lamp}; end Groups
        Fairness Lamp.at = lit or Lamp.at = out; end Fairness
        Formulae AG light; end Formulae"""
    )
    seen: Counter[str] = Counter()
    for seed in range(6):
        seen += followed(random.Random(seed), lamp)
    assert set(seen) == {"violated", "lost", "settled", "open"}, seen


def _pairs(
    judge: BruteForce, pairs: set[tuple[World, bool]], bad: Any, hidden: bool, do: Mapping[Any, str], see: Any
) -> set[tuple[World, bool]]:
    found: set[tuple[World, bool]] = set()
    for world, broken in pairs:
        for acts, target in judge.steps(world):
            if any(action in judge.hidden for _, action in acts) is not hidden:
                continue
            if not hidden and not _direct(judge, acts, target, do, see):
                continue
            found.add((target, broken or bad(target)))
    return found


def _direct(judge: BruteForce, acts: Any, target: World, do: Mapping[Any, str], see: Mapping[str, Any]) -> bool:
    told = dict(acts)
    named = all((what in told.values()) if who is None else told.get(who) == what for who, what in do.items())
    return named and all(one is None or dict(target)[name] == one for name, one in see.items())


@pytest.mark.parametrize("seed", range(20))
def test_violated_and_perhaps_violated_count_broken_runs(seed: int) -> None:
    rng = random.Random(1_000 + seed)
    system, hidden = random_model(rng)
    name = rng.choice(sorted(system.propositions))
    judge = BruteForce(system, hidden)

    def bad(world: World) -> bool:
        return not value(system.propositions[name], dict(world), {})

    def closed(pairs: set[tuple[World, bool]]) -> set[tuple[World, bool]]:
        while (more := _pairs(judge, pairs, bad, True, {}, {})) - pairs:
            pairs = pairs | more
        return pairs

    monitor = build(system, Wish((ForAll(Globally(Prop(name))),), hidden=hidden)).monitor()()
    for _ in range(6):
        monitor.reset()
        pairs = closed({(world, bad(world)) for world in judge.initial()})
        for do, see in random_log(judge, rng):
            answer = monitor.step(do, see)
            pairs = closed(_pairs(judge, pairs, bad, False, do, see))
            assert pairs
            broken = {broken for _, broken in pairs}
            expected = "violated" if broken == {True} else "perhaps violated" if True in broken else None
            assert (answer.property if answer.property.endswith("violated") else None) == expected
            if expected == "perhaps violated" and answer.changes:
                states = {world for world, one in pairs if one}
                assert f"violated in {len(states):,} of the {len({w for w, _ in pairs}):,} possible" in answer.text
