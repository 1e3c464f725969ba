"""The provers that a session of the lazy engine asks."""

from __future__ import annotations

from epistrat.encoding.integral import with_integers
from epistrat.encoding.transitions import Transitions, transitions
from epistrat.engines.lazy.stepped import SteppedReachability, Steps
from epistrat.engines.lazy.tuning import LazyTuning
from epistrat.model.system import System
from epistrat.proving.contract import Reachability
from epistrat.proving.finite import FiniteReachability, FiniteSettings
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr


class Provers:
    """The provers of one session: what was found out about a transition system serves all questions about it."""

    def __init__(self, system: System, tuning: LazyTuning, budget: Budget) -> None:
        self.base = with_integers(transitions(system))
        self.tuning = tuning
        self.budget = budget
        self.steps = Steps(system)
        self._known: dict[tuple[object, ...], Reachability] = {}
        self._opened: list[Reachability] = []

    def invariant(self) -> tuple[Expr, ...]:
        """Conditions that were found to hold in all reachable states of systems that were asked about."""
        return tuple(dict.fromkeys(condition for reach in self._opened for condition in reach.invariant()))

    def of(self, system: Transitions, budget: Budget | None = None) -> Reachability:
        """IC3 where all variables are finite, else the portfolio for unbounded ones; with a budget of its own, a new one."""
        if budget is not None:
            return self._new(system, budget)
        key = (system.variables, system.initial, system.parts)
        if key not in self._known:
            self._known[key] = self._new(system, self.budget)
        return self._known[key]

    def _new(self, system: Transitions, budget: Budget) -> Reachability:
        self._opened.append(SteppedReachability(self._prover(system, budget), self.steps))
        return self._opened[-1]

    def _prover(self, system: Transitions, budget: Budget) -> Reachability:
        if system.finite and self.tuning.solver != "smt":
            switches = self.tuning.switches
            settings = FiniteSettings(switches.cone, switches.frames, self.tuning.cross_check, budget.patience)
            return FiniteReachability(system, budget.check, settings)
        from epistrat.proving.unbounded import UnboundedReachability

        return UnboundedReachability(system, budget, self.tuning.switches.cone)
