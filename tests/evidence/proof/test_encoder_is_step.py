"""The checker's own encoder against `model.step`: the same initial states, the same steps, the same views."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from tests.generators.asynchronous import asynchronous_system
from tests.generators.systems import random_system

from epistrat.evidence.proof import relation
from epistrat.evidence.proof.bits import Space
from epistrat.evidence.proof.search import search
from epistrat.evidence.proof.world import Encoded, World
from epistrat.model.explore import TooManyStates, explore
from epistrat.model.initial import initial_states
from epistrat.model.state import State, actions_of, indistinguishable
from epistrat.model.step import Stepper
from epistrat.model.system import System

COUNT = int(os.environ.get("EPISTRAT_PROOFS", "120"))
LIBRARIES = ("oxidd", "cudd")


def states_of(system: System, space: Space, found: Any) -> set[State]:
    """The states in a set, one by one."""
    algebra, left, result = space.algebra, found, set()
    while (picked := algebra.pick(left)) is not None:
        codes = []
        for variable in system.variables:
            number = 0
            for bit in space.now[variable.key]:
                number = number << 1 | picked.get(bit, False)
            codes.append(number)
        left = left & ~cube(system, space, codes)
        domains: list[Any] = [variable.domain for variable in system.variables]
        result.add(tuple(domain.at(code) for domain, code in zip(domains, codes, strict=True)))
    return result


def cube(system: System, space: Space, codes: list[int]) -> Any:
    """The set of one state."""
    rows = zip(system.variables, codes, strict=True)
    return space.conjunction(space.code(space.now[variable.key], code) for variable, code in rows)


def cube_of(system: System, space: Space, state: State) -> Any:
    domains: list[Any] = [variable.domain for variable in system.variables]
    return cube(system, space, [domain.code(value) for domain, value in zip(domains, state, strict=True)])


def compare(system: System, rng: random.Random, library: str = "oxidd", encoded: System | None = None) -> None:
    """Everything that the encoder says of the reachable states; ``encoded`` is what it is given instead of the system."""
    from epistrat.evidence.proof.world import Means

    stepper = Stepper(system)
    starts = initial_states(system, 2_000)
    graph = explore(stepper, starts, 600)
    slots: list[Any] = [((agent.name, None), place) for agent in system.agents for place in range(4)]
    slots += [(variable.key, place) for variable in system.variables for place in range(4)]
    rng.shuffle(slots)
    made = Encoded(encoded or system, tuple(slots), Means(library, 1 << 18, 1 << 16))
    space = made.space
    assert states_of(system, space, made.initial) == set(starts)
    found = search(made.relation, made.initial, lambda: None)
    assert states_of(system, space, found) == set(graph.states)
    world = World(made, made.relation, made.initial, found)
    for number, state in enumerate(graph.states):
        here = cube_of(system, space, state)
        targets = {graph.states[target] for _, target in graph.steps[number]}
        assert states_of(system, space, world.after(here)) == targets
        sources = {graph.states[n] for n, steps in enumerate(graph.steps) if any(t == number for _, t in steps)}
        assert states_of(system, space, world.before(here)) == sources
        for agent in system.views:
            alike = {other for other in graph.states if indistinguishable(system, agent, state, other)}
            assert states_of(system, space, world.alike((agent,), here)) == alike


@pytest.mark.parametrize("seed", range(COUNT))
def test_the_encoder_says_what_step_says(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    if rng.random() < 0.6:  # nothing is joined: each function stands for itself, quantified as soon as its support says
        for name in ("_JOINED", "_JOINED_FORWARDS", "_ALIKE"):
            monkeypatch.setattr(relation, name, 0)
    system = asynchronous_system(rng) if seed % 5 == 0 else random_system(rng)
    try:
        compare(system, rng, LIBRARIES[seed % 7 == 0])
    except TooManyStates:
        pytest.skip("too many states to list")


def test_choices_of_the_last_line_are_choices_of_the_encoder_too() -> None:
    """`Other : {a, {b, c}}` offers a, and both b and c together."""
    from epistrat.evidence.proof.moves import Moves
    from epistrat.evidence.proof.world import Means
    from epistrat.lang import load

    system = load(
        """
        Composition = Interleaved;
        Agent Ann Vars: x : 0..2; end Vars Actions = {a, b, c};
          Protocol: x = 1 : {{a, b}, c}; Other : {a, {b, c}}; end Protocol
          Evolution: x = x + 1 if Action = a and x < 2; x = 0 if Action = b; end Evolution end Agent
        Evaluation p if Ann.x = 1; end Evaluation
        InitStates Ann.x = 0; end InitStates
        Formulae <Ann>F p; end Formulae
        """
    ).system
    assert system is not None
    stepper = Stepper(system)
    graph = explore(stepper, initial_states(system, 10), 10)
    made = Encoded(system, (), Means("oxidd", 1 << 16, 1 << 14))
    agent = system.agent["Ann"]
    offered = Moves(system, made.space).choices(agent)
    for state in graph.states:
        here = cube_of(system, made.space, state)
        found = {key for key, where in offered if made.space.algebra.implies(here, where)}
        assert found == {frozenset(actions_of(choice)) for choice in stepper.choices(agent, state)}
