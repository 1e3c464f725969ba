"""The reachable states of a small system, walked once for all who ask about them in one request."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from epistrat.model.explore import ReachableGraph, explore
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.terms import Expr, subterms

_TERMS = 10
"""So many terms of conditions take as long as an agent or a variable."""


def step_work(system: System) -> int:
    """What it takes to find a step of the system: agents and variables that are looked at, about two microseconds each.

    Where an agent has a line for each of hundreds of values, its lines take longer than the agents.
    """
    lines = [line.condition for agent in system.agents for line in agent.protocol]
    lines += [line.guard for agent in system.agents for line in agent.evolution]
    return len(system.agents) + len(system.variables) + 1 + _terms(*lines) // _TERMS


def _terms(*conditions: Expr) -> int:
    return sum(1 for _ in subterms(*conditions))


def _more_terms(condition: Expr, than: int) -> bool:
    return next(islice(subterms(condition), than, None), None) is not None


class Visited:
    """Walks through a system when somebody first asks, and again only for somebody who allows more than was enough to give up.

    How far depends on the model and on what is allowed, never on the clock.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self._graph: ReachableGraph | None = None
        self._given_up: list[tuple[int, float]] = []
        self._starts: list[State] | None = None
        self._too_many = 0

    def starts(self, states: int) -> list[State] | None:
        """The initial states, where there are at most so many of them; else None."""
        if self._starts is None and states > self._too_many:
            try:
                self._starts = initial_states(self.system, states, Budget())
            except OutOfBudget:
                self._too_many = states
        starts = self._starts
        return None if starts is None or len(starts) > states else starts

    def within(self, states: int, steps: int | None = None) -> ReachableGraph | None:
        """The reachable states with their steps, where there are at most so many of them; else None."""
        most = float("inf") if steps is None else steps
        if self._graph is None and not any(states <= some and most <= few for some, few in self._given_up):
            try:
                start = self.starts(states)
                if start is not None:
                    self._graph = explore(Stepper(self.system), start, states, steps=steps)
            except OutOfBudget:
                self._given_up.append((states, most))
        graph = self._graph
        if graph is None or len(graph.states) > states or sum(map(len, graph.steps)) > most:
            return None
        return graph


class Counted(Visited):
    """The same states for those who may believe an engine: where it has found more than are allowed, nobody walks through them again.

    Nor is the walk longer than so many ``steps``.  Evidence is not re-checked with this: whoever checks an engine counts again.
    """

    def __init__(self, visited: Visited, found: Callable[[], int], steps: int | None = None) -> None:
        super().__init__(visited.system)
        self._visited = visited
        self._found = found
        self._steps = steps

    def starts(self, states: int) -> list[State] | None:
        """As `Visited.starts`; the terms of the initial condition count as steps."""
        long = self._steps is not None and _more_terms(self.system.initial, self._steps)
        return None if long or self._found() > states else self._visited.starts(states)

    def within(self, states: int, steps: int | None = None) -> ReachableGraph | None:
        """As `Visited.within`."""
        few = [most for most in (steps, self._steps) if most is not None]
        return None if self.starts(states) is None else self._visited.within(states, min(few, default=None))
