"""What a monitor says about properties, against `check` and against a brute-force tracker of broken runs."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest
from tests.generators import random_formula, random_system
from tests.running.test_possible_states import random_model
from tests.running.tracker import BruteForce, World, random_log, value

from epistrat.answers import Verdict
from epistrat.logic.formula import And, ForAll, Formula, Globally, Implies, Next, Not, Prop, Test
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.running.build import build
from epistrat.running.properties import Wish
from epistrat.service import CheckRequest, Given, ask
from epistrat.terms import Terms


def holds(system: System, formula: Formula) -> bool:
    report, _ = ask(CheckRequest(model=Given(system), formulae=(formula,), facts=False, remarks=False))
    assert report.results[0].verdict is not Verdict.UNKNOWN
    return report.results[0].verdict is Verdict.HOLDS


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


@pytest.mark.parametrize("seed", range(40))
def test_settled_and_lost_are_what_check_says_about_all_ways_to_go_on(seed: int) -> None:
    rng = random.Random(seed)
    system = random_system(rng, total=True, agents=2, fairness=rng.random() < 0.3)
    formula = random_formula(rng, system, rng.choice(("LTL", "LTLK")), depth=2, past=rng.random() < 0.5)
    assert isinstance(formula, ForAll)
    built = build(system, Wish((formula,)), most=400)
    monitor = built.monitor()()
    stepper = Stepper(system)
    names = [str(variable) for variable in system.variables]
    run = [tuple(monitor.states(1)[0][name] for name in names)]
    monitor.start(dict(zip(names, run[0], strict=True)))
    for _ in range(3):
        status = next(iter(monitor.properties.values()))
        fair = not system.fairness or not holds(system, Not(along(system, run)))
        if fair:  # of a run that no fair one continues, everything is true
            settled = holds(system, ForAll(Implies(along(system, run), formula.arg), star=True))
            hopeless = holds(system, ForAll(Implies(along(system, run), Not(formula.arg)), star=True))
            assert (status == "settled") is settled, (formula, run)
            assert (status in ("violated", "lost")) is hopeless, (formula, run)
        steps = list(stepper.steps(run[-1]))
        if not steps:
            return
        step = rng.choice(steps)
        run.append(step.target)
        acts = {agent.name: one for agent, one in zip(system.agents, step.joint, strict=True) if one is not None}
        if system.interleaved:
            acts = dict([next(iter(acts.items()))])
        assert monitor.step(acts, dict(zip(names, step.target, strict=True))).kind != "refused"


def _pairs(
    judge: BruteForce, pairs: set[tuple[World, bool]], bad: Any, hidden: bool, do: Mapping[Any, str], see: Any
) -> set[tuple[World, bool]]:
    found: set[tuple[World, bool]] = set()
    for world, broken in pairs:
        for acts, target in judge.steps(world):
            if any(action in judge.hidden for _, action in acts) is not hidden:
                continue
            if not hidden and target not in judge.after({world}, do, see):
                continue
            if not hidden and not _direct(judge, acts, target, do, see):
                continue
            found.add((target, broken or bad(target)))
    return found


def _direct(judge: BruteForce, acts: Any, target: World, do: Mapping[Any, str], see: Mapping[str, Any]) -> bool:
    told = dict(acts)
    named = all((what in told.values()) if who is None else told.get(who) == what for who, what in do.items())
    return named and all(one is None or dict(target)[name] == one for name, one in see.items())


@pytest.mark.parametrize("seed", range(30))
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
