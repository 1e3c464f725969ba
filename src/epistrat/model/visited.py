"""The reachable states of a small system, walked once for all who ask about them in one request."""

from __future__ import annotations

from epistrat.model.explore import ReachableGraph, explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.solvers.budget import Budget, OutOfBudget


class Visited:
    """Walks through a system when somebody first asks, and again only for somebody who allows more than was enough to give up.

    How far depends on the model and on what is allowed, never on the clock.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self._graph: ReachableGraph | None = None
        self._given_up: list[tuple[int, float]] = []

    def within(self, states: int, steps: int | None = None) -> ReachableGraph | None:
        """The reachable states with their steps, where there are at most so many of them; else None."""
        most = float("inf") if steps is None else steps
        if self._graph is None and not any(states <= some and most <= few for some, few in self._given_up):
            try:
                start = initial_states(self.system, states, Budget())
                self._graph = explore(Stepper(self.system), start, states, steps=steps)
            except OutOfBudget:
                self._given_up.append((states, most))
        graph = self._graph
        if graph is None or len(graph.states) > states or sum(map(len, graph.steps)) > most:
            return None
        return graph
