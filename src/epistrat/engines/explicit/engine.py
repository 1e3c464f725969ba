"""The engine called ``explicit``: states one by one, many at a time."""

from __future__ import annotations

from epistrat.engines.contract import Engine, Options, Session, Strategies, Watcher, silent
from epistrat.engines.needs import Accepts
from epistrat.logic.fragment import Feature
from epistrat.model.system import System
from epistrat.solvers.budget import Budget


class ExplicitEngine(Engine):
    """Explicit states for finite systems of both compositions, with partial order reduction for interleaved ones."""

    name = "explicit"
    accepts = Accepts(frozenset(Feature) - {Feature.STRATEGIES_AND_PAST}, readings=frozenset({Strategies.ANY}))

    def declines(self, system: System) -> str | None:
        """A state must fit into the words that states are packed into."""
        from epistrat.engines.explicit.layout import Layout, TooWide

        try:
            Layout(system)
        except TooWide as reason:
            return str(reason)
        return None

    def open(self, system: System, options: Options, budget: Budget, watch: Watcher = silent) -> Session:
        """A session on the system."""
        from epistrat.engines.explicit.session import ExplicitSession

        return ExplicitSession(system, options, budget, watch)
