"""Systems in which nobody ever has a choice: whatever an agent sees, its protocol allows exactly one action."""

from __future__ import annotations

from itertools import product
from math import prod

from epistrat.model.agent import Agent
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.terms.expr import variables as mentioned

_MOST_CASES = 512  # combinations of values that protocols of one agent read


def is_forced(system: System) -> bool:
    """Whether every agent with actions has one that it must do, for all values of variables; False also where that is not easily seen."""
    if system.interleaved:
        return False
    stepper = Stepper(system)
    return all(_is_forced(stepper, agent) for agent in system.agents if agent.actions)


def _is_forced(stepper: Stepper, agent: Agent) -> bool:
    variables = stepper.system.variables
    if not all(one.domain.finite for one in variables):
        return False
    read = mentioned(*(line.condition for line in agent.protocol))
    places = [place for place, one in enumerate(variables) if one.key in read]
    domains = [list(variables[place].domain) for place in places]  # type: ignore[arg-type]  # finite ones are listed
    if prod(map(len, domains)) > _MOST_CASES:
        return False
    state = [next(iter(one.domain)) for one in variables]  # type: ignore[arg-type]
    for values in product(*domains):
        for place, value in zip(places, values, strict=True):
            state[place] = value
        if len(stepper.allowed(agent, tuple(state))) != 1:
            return False
    return True
