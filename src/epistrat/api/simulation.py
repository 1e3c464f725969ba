"""Walks through a model whose states have names and that can follow a strategy."""

from __future__ import annotations

from epistrat.api.states import NamedState
from epistrat.api.strategy import FoundStrategy
from epistrat.service.simulation import Simulation as ServiceSimulation


class Simulation(ServiceSimulation):
    """A run that grows step by step; its states are `NamedState`s."""

    @property
    def state(self) -> NamedState:
        """Where the run is."""
        return NamedState(self.system, self._states[-1])

    @property
    def states(self) -> list[NamedState]:
        """The states of the run so far."""
        return [NamedState(self.system, state) for state in self._states]

    def look_alikes(self, agent: str) -> list[NamedState] | None:  # type: ignore[override]  # a list of what lists of the base hold
        """The reachable states that look like this one to the agent; None where they are too many, or fairness leaves some out."""
        found = super().look_alikes(agent)
        return None if found is None else [NamedState(self.system, state) for state in found]

    def walk(self, steps: int, strategy: FoundStrategy | None = None) -> int:
        """Make random steps; how many could be made.  With a strategy, its agents follow it, and the others do anything."""
        if strategy is None:
            return super().walk(steps)
        plan = strategy.plan_from(self._states[0])
        for made in range(steps):
            chosen, possible = self.steps_under(plan.strategy)
            if chosen is None or not possible:
                return made
            self.take(self._random.choice(possible))
        return steps
