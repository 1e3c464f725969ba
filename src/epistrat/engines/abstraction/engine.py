"""The engine called ``abstraction``: predicates instead of values, refined until the answer is sure."""

from __future__ import annotations

from epistrat.engines.contract import About, Engine, Options, Session, Strategies, Watcher, silent
from epistrat.engines.needs import Accepts, Constraints
from epistrat.logic.fragment import OF_ALL_STATES, Feature
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

_LACKS = {
    Feature.PAST,
    Feature.PAST_OF_FUTURE,
    Feature.PATH_KNOWLEDGE,
    *OF_ALL_STATES,
}


class AbstractionEngine(Engine):
    """Predicate abstraction with three truth values; the only engine that proves something about infinitely many states of any kind."""

    name = "abstraction"
    about = About(
        "predicates instead of values, with three truth values and refinement",
        "integers and reals without bounds, wide ranges",
        "time, knowledge, strategies",
    )
    accepts = Accepts(
        frozenset(Feature) - _LACKS,
        readings=frozenset({Strategies.ANY}),
        unbounded=True,
        fairness=Constraints.CONDITIONS,
        fair_strategies=False,
    )

    def open(self, system: System, options: Options, budget: Budget, watch: Watcher = silent) -> Session:
        """A session on the system."""
        from epistrat.engines.abstraction.session import AbstractionSession

        return AbstractionSession(system, options, budget, watch)
