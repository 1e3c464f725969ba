"""The symbolic engine: what it accepts, and sessions."""

from __future__ import annotations

from epistrat.engines.contract import About, Engine, Options, Session, Strategies, Watcher, silent
from epistrat.engines.needs import Accepts
from epistrat.engines.symbolic.accepted import ACCEPTED, KINDS
from epistrat.model.system import System
from epistrat.solvers.budget import Budget


class SymbolicEngine(Engine):
    """Checks finite systems by binary decision diagrams."""

    name = "symbolic"
    about = About(
        "sets of states as decision diagrams", "very many states with structure", "everything on finite models"
    )
    accepts = Accepts(ACCEPTED, asynchronous=frozenset(Strategies), kinds=KINDS)

    def open(self, system: System, options: Options, budget: Budget, watch: Watcher = silent) -> Session:
        """A session on the system; nothing is computed before the first question."""
        from epistrat.engines.symbolic.session import SymbolicSession

        return SymbolicSession(system, options, budget, watch)
