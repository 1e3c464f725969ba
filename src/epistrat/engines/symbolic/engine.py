"""The symbolic engine: what it accepts, and sessions."""

from __future__ import annotations

from epistrat.engines.contract import Options, Session, Strategies, Watcher, silent
from epistrat.engines.symbolic.linear.body import past_inside
from epistrat.engines.symbolic.linear.body import refuses as refuses_paths
from epistrat.engines.symbolic.tuning import BadTuning, read_tuning
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
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
        if not is_state(formula):
            return "a path formula needs a quantifier in front"
        if any(map(past_inside, system.fairness)):
            return "fairness constraints that look back are not implemented here"
        for part in subformulae(formula, *system.fairness):
            refusal = _refuses_part(part, system)
            if refusal is not None:
                return refusal
        return refuses_paths(formula)

    def open(self, system: System, options: Options, budget: Budget, watch: Watcher = silent) -> Session:
        """A session on the system; nothing is computed before the first question."""
        from epistrat.engines.symbolic.session import SymbolicSession

        return SymbolicSession(system, options, budget, watch)


def _refuses_part(part: Formula, system: System) -> str | None:
    if isinstance(part, logic.Coalition):
        if system.interleaved:
            return "strategies are not defined for interleaved systems"
        if not isinstance(part.arg, (logic.Next, logic.Finally, logic.Globally, logic.Until)) or not all(
            map(is_state, operands(part.arg))
        ):
            return "a coalition can enforce X, F, G and U of state formulae only"
    return None
