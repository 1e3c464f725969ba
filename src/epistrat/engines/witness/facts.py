"""Facts about the reachable states: how many, dead ends, and assignments that leave their range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from epistrat.engines.contract import Facts
from epistrat.evidence import Path
from epistrat.model.agent import Agent
from epistrat.model.explore import ReachableGraph
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper
from epistrat.solvers.budget import Budget
from epistrat.terms import Bounded, Const, Domain, Expr


def facts_of(stepper: Stepper, reached: ReachableGraph, fair_states: int | None, budget: Budget) -> Facts:
    """Everything `Facts` asks for, with shortest paths."""
    overflows = _Overflows(stepper, reached, budget)
    first = overflows.first
    dead = reached.dead_ends[0] if reached.dead_ends else None
    return Facts(
        states=len(reached.states),
        dead_ends=len(reached.dead_ends),
        dead_end=None if dead is None else path_to(reached, dead),
        overflows=len(overflows.states),
        overflow=None if first is None else path_to(reached, first[1]),
        overflow_line=None if first is None else (stepper.system.agents[first[0][0]].name, first[0][1] + 1),
        fair_states=fair_states,
    )


def path_to(reached: ReachableGraph, target: int) -> Path:
    """A shortest path from an initial state to the given one."""
    states, actions = reached.path_to(target)
    return Path(tuple(states), tuple(actions))


class _Overflows:
    """Where a line that is enabled under an allowed joint action computes a value beyond the bounds of its target.

    ``first`` is the first such line in the order of the model, with the first state in which it happens.  A fraction inside the
    bounds is no overflow, though it is no value of the target either.
    """

    def __init__(self, stepper: Stepper, reached: ReachableGraph, budget: Budget) -> None:
        self._stepper = stepper
        self._risky = [_risky_lines(agent) for agent in stepper.system.agents]
        self.states: list[int] = []
        self.first: tuple[tuple[int, int], int] | None = None
        if not any(self._risky):
            return
        for number, state in enumerate(reached.states):
            if number % 256 == 0:
                budget.check()
            lines = self._lines(state)
            if lines:
                self.states.append(number)
                line = min(lines)
                if self.first is None or line < self.first[0]:
                    self.first = (line, number)

    def _lines(self, state: State) -> set[tuple[int, int]]:
        """The lines that overflow in a state, as positions of agent and line."""
        found: set[tuple[int, int]] = set()
        for joint in self._stepper.joint_actions(state):
            for position, agent in enumerate(self._stepper.system.agents):
                acts = joint[position] is not None or not self._stepper.system.interleaved
                if acts and self._risky[position]:
                    found.update((position, number) for number in self._leaving(agent, position, state, joint))
        return found

    def _leaving(self, agent: Agent, position: int, state: State, joint: Joint) -> Iterator[int]:
        """The numbers of the agent's enabled lines that leave the range of a target."""
        risky = self._risky[position]
        for line in self._stepper.enabled_lines(agent, state, joint):
            for domain, value in risky.get(id(line), (0, ()))[1]:
                if beyond(domain, self._stepper.evaluator.value(value, state, joint)):
                    yield risky[id(line)][0]


def _risky_lines(agent: Agent) -> dict[int, tuple[int, list[tuple[Domain, Expr]]]]:
    """By identity: the lines that compute numbers for targets with bounds, each with its number and these computations."""
    domains = {variable.name: variable.domain for variable in agent.variables}
    found: dict[int, tuple[int, list[tuple[Domain, Expr]]]] = {}
    for number, line in enumerate(agent.evolution):
        targets = [(domains[a.target], a.value) for a in line.assignments]
        computed = [(domain, value) for domain, value in targets if may_leave(domain, value)]
        if computed:
            found.setdefault(id(line), (number, computed))
    return found


def may_leave(domain: Domain, value: Expr) -> bool:
    """Whether a value might lie beyond the bounds of its target: it has bounds, and the value is not a constant within them."""
    return isinstance(domain, Bounded) and not (isinstance(value, Const) and value.value in domain)


def beyond(domain: Domain, value: Any) -> bool:
    """Whether a number lies outside the bounds of a domain."""
    return isinstance(domain, Bounded) and not domain.low <= value <= domain.high
