"""The engine called ``lazy``: linear formulae with knowledge, by proof search instead of sets of states."""

from __future__ import annotations

from epistrat.engines.contract import About, Engine, Options, Session, Strategies, Watcher, silent
from epistrat.engines.needs import Accepts, Constraints
from epistrat.logic.fragment import OF_ALL_STATES, Feature
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

_LACKS = {
    Feature.BRANCHING,
    Feature.NEXT_OR_UNTIL,
    Feature.INITIAL,
    Feature.COMMON_KNOWLEDGE,
    Feature.KNOWN_FUTURE,
    Feature.STRATEGIES,
    *OF_ALL_STATES,
}


class LazyEngine(Engine):
    """Proof search with placeholders for knowledge."""

    name = "lazy"
    about = About(
        "IC3 and SMT; what is known is learnt only as far as needed",
        "linear formulae with knowledge, invariants",
        "linear formulae, knowledge not nested",
    )
    accepts = Accepts(
        frozenset(Feature) - _LACKS, readings=frozenset({Strategies.ANY}), unbounded=True, fairness=Constraints.NONE
    )

    def open(self, system: System, options: Options, budget: Budget, watch: Watcher = silent) -> Session:
        """A session on the system."""
        from epistrat.engines.lazy.session import LazySession

        return LazySession(system, options, budget, watch)
