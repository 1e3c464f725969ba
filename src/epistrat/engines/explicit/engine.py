"""The engine called ``explicit``: states one by one, many at a time."""

from __future__ import annotations

from epistrat.engines.contract import About, Engine, Options, Session, Strategies, Watcher, silent
from epistrat.engines.needs import Accepts
from epistrat.engines.readings import Kind
from epistrat.logic.fragment import Feature
from epistrat.model.system import Blocking, Scheduling, System
from epistrat.solvers.budget import Budget

_MOST_INITIAL = 1 << 32  # at eight bytes each they would take 32 GB


class ExplicitEngine(Engine):
    """Explicit states for finite systems of both compositions, with partial order reduction for interleaved ones."""

    name = "explicit"
    about = About(
        "states one by one, with partial order reduction where the model is interleaved",
        "few reachable states, wide ranges, asynchronous protocols",
        "everything on finite models",
    )
    accepts = Accepts(
        frozenset(Feature) - {Feature.STRATEGIES_AND_PAST, Feature.GENERAL_STRATEGIES_AND_HISTORIES},
        readings=frozenset({Strategies.ANY}),
        asynchronous=frozenset(Strategies),
        blocking=frozenset(Blocking),
        scheduling=frozenset(Scheduling),
        kinds=frozenset(
            {
                Kind.AIMS_REMEMBERING,
                Kind.AIMS,
                Kind.NAMES,
                Kind.NAMES_FORCED,
                Kind.EQUILIBRIA,
                Kind.EQUILIBRIA_WATCHING_STATES,
                Kind.OTHERWISE,
            }
        ),
    )

    def declines(self, system: System) -> str | None:
        """A state must fit into the words that states are packed into, and the initial states must not be too many to list."""
        from epistrat.engines.explicit.initial_count import fewest_initial_states

        initial = fewest_initial_states(system)
        if initial > _MOST_INITIAL:
            return f"it would have to list more than 2^{initial.bit_length() - 1} initial states"
        from epistrat.engines.explicit.layout import Layout, TooWide

        try:
            Layout(system)
        except TooWide as reason:
            return str(reason)
        return None

    def open(self, system: System, options: Options, budget: Budget, watch: Watcher = silent) -> Session:
        """A session on the system."""
        if options.strategies is Strategies.UNIFORM:
            from epistrat.engines.explicit.pruning import PruningSession

            return PruningSession(system, options, budget, watch)
        from epistrat.engines.explicit.session import ExplicitSession

        return ExplicitSession(system, options, budget, watch)
