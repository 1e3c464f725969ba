"""Paths from the initial states to a set, found by distance and then walked step by step."""

from __future__ import annotations

from epistrat.engines.symbolic.space import SymbolicSpace
from epistrat.evidence import Path
from epistrat.model.state import Joint, State, idle
from epistrat.model.step import Stepper
from epistrat.solvers.bdd import Bdd


def path_to(space: SymbolicSpace, target: Bdd, stepper: Stepper | None = None) -> Path:
    """A shortest path from an initial state to a state of the target, which must contain a reachable one."""
    stepper = stepper or Stepper(space.system)
    layers = [target & space.reachable]
    seen = layers[0]
    while space.initial & layers[-1] == space.algebra.false:
        layer = space.pre(layers[-1]) & ~seen
        assert layer != space.algebra.false, "the target is not reachable"
        seen = seen | layer
        layers.append(layer)
    state = space.encoding.pick(space.initial & layers.pop())
    assert state is not None
    states, actions = [state], []
    while layers:
        here = space.encoding.singleton(states[-1])
        following = space.encoding.pick(space.relation.image(here) & layers.pop())
        assert following is not None
        actions.append(joint_between(space, states[-1], following, stepper))
        states.append(following)
    return Path(tuple(states), tuple(actions))


def joint_between(space: SymbolicSpace, source: State, target: State, stepper: Stepper) -> Joint:
    """A joint action that can lead from one state to the other.

    Agents with a choice get the values of their action bits in some step; the others do what their protocol says.
    """
    system, encoding = space.system, space.encoding
    if system.interleaved:
        for joint in stepper.joint_actions(source):
            if any(outcome == target for outcome in stepper.outcomes(source, joint)):
                return joint
        return idle(system)
    steps = encoding.relation.moves_between(encoding.singleton(source), encoding.singleton(target))
    valuation = space.algebra.pick(steps) or {}
    choices: list[str | None] = []
    for agent in system.agents:
        protocol = encoding.choices[agent.name]
        if not agent.actions:
            choices.append(None)
        elif protocol.choice:
            choices.append(str(encoding.layout.actions[agent.name].read(valuation)))
        else:
            choices.append(stepper.allowed(agent, source)[0])
    return tuple(choices)
