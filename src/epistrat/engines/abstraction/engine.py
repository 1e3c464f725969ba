"""The engine called ``abstraction``: predicates instead of values, refined until the answer is sure."""

from __future__ import annotations

from epistrat.engines.contract import Engine, Options, Session, Strategies, Watcher, silent
from epistrat.engines.needs import Accepts
from epistrat.logic import formula as logic
from epistrat.logic.formula import subformulae
from epistrat.logic.fragment import Feature
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

_LACKS = {
    Feature.PAST,
    Feature.INNER_PAST,
    Feature.PAST_OF_FUTURE,
    Feature.PATH_KNOWLEDGE,
    Feature.GENERAL_STRATEGIES,
    Feature.STRATEGIES_AND_PAST,
    Feature.STRATEGIES_OVER_PAST,
}

_CONDITIONS = (logic.Truth, logic.Prop, logic.Test, logic.Colour, *logic.CONNECTIVES)


class AbstractionEngine(Engine):
    """Predicate abstraction with three truth values; the only engine that proves something about infinitely many states of any kind."""

    name = "abstraction"
    accepts = Accepts(
        frozenset(Feature) - _LACKS, readings=frozenset({Strategies.ANY}), unbounded=True, fair_strategies=False
    )

    def declines(self, system: System) -> str | None:
        """Fairness constraints have to be conditions."""
        if all(isinstance(part, _CONDITIONS) for part in subformulae(*system.fairness)):
            return None
        return "it takes only conditions on single states as fairness constraints"

    def open(self, system: System, options: Options, budget: Budget, watch: Watcher = silent) -> Session:
        """A session on the system."""
        from epistrat.engines.abstraction.session import AbstractionSession

        return AbstractionSession(system, options, budget, watch)
