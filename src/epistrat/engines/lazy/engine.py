"""The engine called ``lazy``: linear formulae with knowledge, by proof search instead of sets of states."""

from __future__ import annotations

from epistrat.engines.contract import Engine, Options, Session, Strategies, Watcher, silent
from epistrat.engines.needs import Accepts
from epistrat.logic.fragment import Feature
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

_LACKS = {
    Feature.BRANCHING,
    Feature.COMMON_KNOWLEDGE,
    Feature.INNER_PAST,
    Feature.STRATEGIES,
    Feature.GENERAL_STRATEGIES,
    Feature.STRATEGIES_AND_PAST,
    Feature.STRATEGIES_OVER_PAST,
}


class LazyEngine(Engine):
    """Proof search with placeholders for knowledge."""

    name = "lazy"
    accepts = Accepts(frozenset(Feature) - _LACKS, readings=frozenset({Strategies.ANY}), unbounded=True)

    def declines(self, system: System) -> str | None:
        """Knowledge under fairness is about other states."""
        return "it does not take fairness constraints into account" if system.fairness else None

    def open(self, system: System, options: Options, budget: Budget, watch: Watcher = silent) -> Session:
        """A session on the system."""
        from epistrat.engines.lazy.session import LazySession

        return LazySession(system, options, budget, watch)
