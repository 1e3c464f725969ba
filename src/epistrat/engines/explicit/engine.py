"""The engine called ``explicit``: states one by one, many at a time."""

from __future__ import annotations

from epistrat.engines.contract import Options, Session, Strategies, Watcher, silent
from epistrat.engines.explicit.layout import Layout, TooWide
from epistrat.engines.explicit.session import ExplicitSession
from epistrat.engines.explicit.verdict import mentions
from epistrat.logic.formula import PAST, Coalition, Formula
from epistrat.model.system import System
from epistrat.solvers.budget import Budget


class ExplicitEngine:
    """Explicit states for finite systems of both compositions, with partial order reduction for interleaved ones."""

    name = "explicit"

    def refuses(self, system: System, formula: Formula, options: Options) -> str | None:
        """None if this engine answers such a question, else why not."""
        if not system.finite:
            return "it explores finite systems only, and a variable is unbounded"
        try:
            Layout(system)
        except TooWide as reason:
            return str(reason)
        return self._refuses_strategies(system, formula, options) or self._refuses_past(system, formula)

    def _refuses_strategies(self, system: System, formula: Formula, options: Options) -> str | None:
        if options.strategies is Strategies.UNIFORM:
            return "it does not search for uniform strategies"
        if not mentions(formula, (Coalition,)):
            return None
        if system.interleaved:
            return "strategies of coalitions are not defined for interleaved systems"
        if options.strategies is not Strategies.ANY:
            return "it does not search for uniform strategies"
        return None

    def _refuses_past(self, system: System, formula: Formula) -> str | None:
        if any(mentions(constraint, PAST) for constraint in system.fairness):
            return "a fairness constraint looks at the past"
        if mentions(formula, (Coalition,)) and mentions(formula, PAST):
            return "strategies and the past stand in one formula"
        return None

    def open(self, system: System, options: Options, budget: Budget, watch: Watcher = silent) -> Session:
        """A session on the system."""
        return ExplicitSession(system, options, budget, watch)
