"""What engines read of an agent's lines is what the reference semantics defines, on random systems."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest
from tests.generators.systems import random_system

from epistrat.model.agent import Agent
from epistrat.model.alternatives import allowed_where, alternatives, offers
from epistrat.model.initial import initial_states
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper
from epistrat.model.system import Semantics, System
from epistrat.terms import Terms, Value

MOST = 40  # states of a system that are looked at


def reached(stepper: Stepper, system: System) -> list[State]:
    """Some reachable states, the first ones."""
    found = list(initial_states(system))[:MOST]
    for state in found:
        if len(found) < MOST:
            found += [step.target for step in stepper.successors(state) if step.target not in found]
    return found[:MOST]


def executed(
    stepper: Stepper, agent: Agent, semantics: Semantics, state: State, joint: Joint
) -> set[tuple[Value, ...]]:
    """The agent's moves by its alternatives: in each group an enabled line, or all stays."""
    system, evaluator = stepper.system, stepper.evaluator
    domains = {variable.name: variable.domain for variable in agent.variables}
    old = {variable.name: state[system.position[variable.key]] for variable in agent.variables}

    def moves(group: int) -> Iterator[dict[str, Value]]:
        enabled = [line for _, line in groups[group].lines if evaluator.holds(line.guard, state, joint)]
        stays = {name: old[name] for name in groups[group].variables}
        if not enabled:
            yield stays
        for line in enabled:
            made = {one.target: evaluator.value(one.value, state, joint) for one in line.assignments}
            assert set(made) <= set(stays)
            if all(value in domains[name] for name, value in made.items()):
                yield {**stays, **made}

    groups = alternatives(agent, semantics)
    assert [name for group in groups for name in group.variables] == list(domains)
    found = set()
    for chosen in product(*[list(moves(number)) for number in range(len(groups))]):
        new = {name: value for one in chosen for name, value in one.items()}
        found.add(tuple(new[name] for name in domains))
    return found


@pytest.mark.parametrize("seed", range(150))
def test_alternatives_and_offers_are_those_of_the_definitions(seed: int) -> None:
    system = random_system(random.Random(seed))
    stepper, terms = Stepper(system), Terms()
    for state in reached(stepper, system):
        for agent in system.agents:
            where = allowed_where(terms, agent)
            holding = tuple(action for action in where if stepper.evaluator.holds(where[action], state))
            assert holding == stepper.allowed(agent, state)
            offered = [one for one in offers(terms, agent) if stepper.evaluator.holds(one.condition, state)]
            sets = {frozenset(one) for line in offered for one in line.choices or [(a,) for a in line.actions]}
            choices = stepper.choices(agent, state)
            assert sets == {frozenset([one] if isinstance(one, str) else one) for one in choices}
        for joint in list(stepper.joint_actions(state))[:6]:
            for agent, action in zip(system.agents, joint, strict=True):
                if system.interleaved and action is None:
                    continue
                made = executed(stepper, agent, system.semantics, state, joint)
                assert made == set(stepper.moves(agent, state, joint))
