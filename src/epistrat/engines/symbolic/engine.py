"""The symbolic engine: what it accepts, and sessions."""

from __future__ import annotations

from epistrat.engines.contract import Options, Session, Strategies, Watcher, silent
from epistrat.engines.symbolic.accepted import refuses_formula
from epistrat.engines.symbolic.tuning import BadTuning, read_tuning
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.solvers.budget import Budget


class SymbolicEngine:
    """Checks finite systems by binary decision diagrams."""

    name = "symbolic"

    def refuses(self, system: System, formula: Formula, options: Options) -> str | None:
        """None if this engine answers such a question, else why not."""
        if not system.finite:
            unbounded = next(variable for variable in system.variables if not variable.domain.finite)
            return f"{unbounded} is unbounded, and decision diagrams need finite domains"
        try:
            read_tuning(options.tuning)
        except BadTuning as error:
            return str(error)
        if options.strategies is Strategies.UNIFORM and system.interleaved:
            return "uniform strategies are not defined for interleaved systems"
        return refuses_formula(system, formula)

    def open(self, system: System, options: Options, budget: Budget, watch: Watcher = silent) -> Session:
        """A session on the system; nothing is computed before the first question."""
        from epistrat.engines.symbolic.session import SymbolicSession

        return SymbolicSession(system, options, budget, watch)
