"""Assignments that can leave their range."""

from __future__ import annotations

from dataclasses import replace

from epistrat.engines.witness.facts import beyond, may_leave
from epistrat.model.agent import Agent, EvolutionLine
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper


def risky(agent: Agent) -> Agent:
    """The agent with only those evolution lines that might assign a number beyond the bounds of its target."""
    domains = {variable.name: variable.domain for variable in agent.variables}
    lines = [line for line in agent.evolution if any(may_leave(domains[a.target], a.value) for a in line.assignments)]
    return replace(agent, evolution=tuple(lines))


def overflowing_line(stepper: Stepper, agent: Agent, state: State, joint: Joint) -> EvolutionLine | None:
    """The agent's first enabled evolution line that computes a number beyond the bounds of its target.

    A fraction inside the bounds is no overflow, though it is no value of the target either.
    """
    domains = {variable.name: variable.domain for variable in agent.variables}
    for line in stepper.enabled_lines(agent, state, joint) if agent.evolution else ():
        for assignment in line.assignments:
            domain = domains[assignment.target]
            value = stepper.evaluator.value(assignment.value, state, joint)
            if beyond(domain, value):
                return line
    return None
