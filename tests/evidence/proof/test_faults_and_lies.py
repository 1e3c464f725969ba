"""Faults in what an engine believes about a model, and lies in what it says, never lead to a proof of a wrong verdict."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.evidence.proof.test_encoder_is_step import compare
from tests.generators.formulae import random_formula
from tests.generators.systems import random_system

from epistrat.engines import registry
from epistrat.engines.contract import Options, Verdict
from epistrat.evidence.proof import hints, prove, search
from epistrat.evidence.proof.hints import Hint, Hints, Round
from epistrat.evidence.proof.prove import Hinted, Prover
from epistrat.evidence.proof.world import Means, World
from epistrat.logic.formula import Exists, Finally, Formula, Knows, Not, Test
from epistrat.logic.show import show
from epistrat.model.agent import ENVIRONMENT, Agent
from epistrat.model.explore import ReachableGraph, TooManyStates, explore
from epistrat.model.initial import initial_states
from epistrat.model.state import view
from epistrat.model.step import Stepper
from epistrat.model.system import Composition, System
from epistrat.solvers.budget import Budget
from epistrat.terms import TRUE, Bounded, Terms

COUNT = int(os.environ.get("EPISTRAT_PROOFS", "60"))
SMALL = Means("oxidd", 1 << 18, 1 << 16)
Fault = Callable[[random.Random, System], System | None]


def changed(system: System, rng: random.Random, change: Callable[[Agent], Agent | None]) -> System | None:
    """The system with one of its agents changed."""
    places = list(range(len(system.agents)))
    rng.shuffle(places)
    for place in places:
        other = change(system.agents[place])
        if other is not None:
            return rebuilt(system, agents=(*system.agents[:place], other, *system.agents[place + 1 :]))
    return None


def rebuilt(system: System, **changes: Any) -> System:
    return replace(system, **changes)


def drops_a_protocol_line(rng: random.Random, system: System) -> System | None:
    def change(agent: Agent) -> Agent | None:
        lines = agent.protocol
        if len(lines) + (agent.other is not None) < 2 or not lines:
            return None
        gone = rng.randrange(len(lines))
        return replace(agent, protocol=(*lines[:gone], *lines[gone + 1 :]))

    return changed(system, rng, change)


def weakens_a_guard(rng: random.Random, system: System) -> System | None:
    def change(agent: Agent) -> Agent | None:
        if not agent.evolution:
            return None
        place = rng.randrange(len(agent.evolution))
        line = replace(agent.evolution[place], guard=TRUE)
        return replace(agent, evolution=(*agent.evolution[:place], line, *agent.evolution[place + 1 :]))

    return changed(system, rng, change)


def shrinks_a_domain(rng: random.Random, system: System) -> System | None:
    def change(agent: Agent) -> Agent | None:
        for place, variable in enumerate(agent.variables):
            domain = variable.domain
            if isinstance(domain, Bounded) and domain.high > domain.low:
                smaller = replace(variable, domain=Bounded(domain.low, domain.high - 1))
                return replace(agent, variables=(*agent.variables[:place], smaller, *agent.variables[place + 1 :]))
        return None

    return changed(system, rng, change)


def loses_an_initial_state(rng: random.Random, system: System) -> System | None:
    starts = initial_states(system, 500)
    if len(starts) < 2:
        return None
    terms, lost = Terms(), rng.choice(starts)
    tests = [terms.equals(v.reference, value) for v, value in zip(system.variables, lost, strict=True)]
    return rebuilt(system, initial=terms.conjunction([system.initial, terms.negate(terms.conjunction(tests))]))


def sees_too_much(rng: random.Random, system: System) -> System | None:
    environment = system.environment
    if environment is None:
        return None

    def change(agent: Agent) -> Agent | None:
        hidden = [v.name for v in environment.variables if not v.public and v.name not in agent.observes]
        if agent.is_environment or not hidden:
            return None
        return replace(agent, observes=(*agent.observes, rng.choice(hidden)))

    return changed(system, rng, change)


FAULTS: list[Fault] = [drops_a_protocol_line, weakens_a_guard, shrinks_a_domain, loses_an_initial_state, sees_too_much]


def verdict_of(system: System, formula: Any, engine: str = "reference") -> tuple[Verdict, Hinted | None]:
    session = registry.load(engine).open(system, Options(), Budget(states=2_000, seconds=20))
    verdict = session.check(formula).verdict
    hinted = session.exported()
    session.close()
    return verdict, hinted


def knowing(rng: random.Random, system: System) -> Formula:
    """Whether somebody ever knows a value of the Environment's."""
    variable = rng.choice([variable for variable in system.variables if variable.owner == ENVIRONMENT])
    domain: Any = variable.domain
    fact = Test(Terms().equals(variable.reference, domain.at(rng.randrange(domain.last + 1))))
    return Exists(Finally(Knows(rng.choice(system.agents).name, rng.choice((fact, Not(fact))))))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_in_the_engines_encoding_makes_the_proof_fail(fault: Fault) -> None:
    changes = 0
    eyes = fault is sees_too_much
    for seed in range(COUNT * (1 + eyes)):
        rng = random.Random(seed)
        system = (
            random_system(rng, environment=True, composition=Composition.SYNCHRONOUS) if eyes else random_system(rng)
        )
        damaged = fault(rng, system)
        if damaged is None:
            continue
        for _ in range(4):
            formula = (
                knowing(rng, system) if eyes else random_formula(rng, system, rng.choice(["CTLK", "LTLK"]), depth=2)
            )
            true, _ = verdict_of(system, formula)
            said, hinted = verdict_of(damaged, formula, "symbolic")
            if Verdict.UNKNOWN in (true, said):
                continue
            proof = Prover(system, hinted, SMALL).prove(formula, said is Verdict.HOLDS)
            if said is not true:
                changes += 1
                assert not proof.shown, (seed, show(formula))
                assert proof.wrong or proof.reason, (seed, show(formula))
    assert changes, "no verdict changed"


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_the_same_fault_in_the_checkers_encoder_is_seen(fault: Fault) -> None:
    seen = 0
    for seed in range(COUNT):
        rng = random.Random(seed)
        system = random_system(rng, environment=True if fault is sees_too_much else None)
        damaged = fault(rng, system)
        try:
            if damaged is None or same_behaviour(system, damaged):
                continue
        except TooManyStates:
            continue
        with pytest.raises((AssertionError, ValueError)):
            compare(system, rng, encoded=damaged)
        seen += 1
    assert seen, "nothing changed"


def same_behaviour(one: System, other: System) -> bool:
    """Whether both have the same states, steps and views."""
    graphs = [explore(Stepper(system), initial_states(system, 500), 600) for system in (one, other)]
    if len(graphs[0].states) > 200:
        return True  # not compared
    return bool(described(one, graphs[0]) == described(other, graphs[1]))


def described(system: System, graph: ReachableGraph) -> Any:
    """The states, the steps, where they begin, and for each agent which of them look the same."""
    states = graph.states
    steps = {(states[n], states[target]) for n, many in enumerate(graph.steps) for _, target in many}
    alike = {}
    for agent in system.views:
        classes: dict[Any, set[Any]] = {}
        for state in states:
            classes.setdefault(view(system, agent, state), set()).add(state)
        alike[agent] = {frozenset(one) for one in classes.values()}
    return set(states), steps, {states[n] for n in graph.initial}, alike


# -- lies --------------------------------------------------------------------------------------------------------------


def some_states(world: World, rng: random.Random, within: Any) -> Any:
    """One of these states, or none where there is none; sometimes a few."""
    if within == world.algebra.false:
        return within
    picked = within
    for bits in world.space.now.values():
        for bit in bits:
            literal = world.algebra.var[bit] if rng.random() < 0.5 else ~world.algebra.var[bit]
            if picked & literal != world.algebra.false and rng.random() < 0.9:
                picked = picked & literal
    return picked


class Lies:
    """Changes hints at random: states more or fewer in a set, in a layer, in a round, a condition passed over."""

    def __init__(self, rng: random.Random, chance: float) -> None:
        self.rng = rng
        self.chance = chance

    def about(self, world: World, hint: Hint) -> Hint:
        """The hint, or a lie about it."""
        if self.rng.random() > self.chance:
            return hint
        change = self.changed
        match self.rng.randrange(4):
            case 0:
                return replace(hint, states=change(world, hint.states))
            case 1 if hint.layers:
                layers = [list(one) for one in hint.layers]
                row = self.rng.choice(layers)
                if row:
                    place = self.rng.randrange(len(row))
                    row[place : place + 1] = (
                        [] if len(row) > 1 and self.rng.random() < 0.5 else [change(world, row[place])]
                    )
                return replace(hint, layers=tuple(map(tuple, layers)))
            case 2 if hint.rounds:
                rounds = list(hint.rounds)
                place = self.rng.randrange(len(rounds))
                old = rounds[place]
                lie = Round(old.condition, old.left, change(world, old.near), change(world, old.kept))
                rounds[place : place + 1] = [] if self.rng.random() < 0.3 else [lie]
                return replace(hint, rounds=tuple(rounds))
            case _:
                more = change(world, hint.states)
                layers = [(*one[:-1], more) if one else one for one in hint.layers]  # type: ignore[misc]
                return Hint(more, tuple(layers), hint.rounds)  # type: ignore[arg-type]

    def changed(self, world: World, states: Any) -> Any:
        if self.rng.random() < 0.5:
            return states & ~some_states(world, self.rng, states)
        return (states | some_states(world, self.rng, world.found & ~states)) & world.found


@pytest.mark.parametrize("seed", range(COUNT))
def test_lies_about_sets_prove_nothing_wrong(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    system = random_system(rng)
    lies = Lies(rng, 0.3)
    true_hint = Hints._made

    def made(self: Hints, one: Any) -> Hint:
        return lies.about(self._world, true_hint(self, one))

    for _ in range(6):
        formula = random_formula(rng, system, rng.choice(["CTLK", "CTLK", "ATLK", "CTL*K"]), depth=2)
        verdict, _ = verdict_of(system, formula)
        if verdict is Verdict.UNKNOWN:
            continue
        with monkeypatch.context() as patched:
            patched.setattr(hints.Hints, "_made", made)
            for _ in range(8):
                proof = Prover(system, means=SMALL).prove(formula, verdict is not Verdict.HOLDS)
                assert not proof.shown, (seed, show(formula))


@pytest.mark.parametrize("seed", range(COUNT))
def test_lies_about_reachable_states_prove_nothing_wrong(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    system = random_system(rng)
    for _ in range(4):
        formula = random_formula(rng, system, "CTLK", depth=2)
        verdict, hinted = verdict_of(system, formula, "symbolic")
        true, _ = verdict_of(system, formula)
        assert verdict is true or Verdict.UNKNOWN in (verdict, true)
        if verdict is Verdict.UNKNOWN or hinted is None or hinted.reachable is None:
            continue
        honest = search.read

        def lied(circuit: Any, space: Any, honest: Any = honest) -> Any:
            states = honest(circuit, space)
            some = states
            for bits in space.now.values():
                for bit in bits:
                    literal = space.algebra.var[bit] if rng.random() < 0.5 else ~space.algebra.var[bit]
                    some = some & literal if some & literal != space.algebra.false else some
            return states & ~some

        with monkeypatch.context() as patched:
            patched.setattr(prove, "read", lied)
            proof = Prover(system, hinted, SMALL).prove(formula, verdict is not Verdict.HOLDS)
            assert not proof.shown, (seed, show(formula))
