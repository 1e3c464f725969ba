"""Formulae that hold only because runs end, or because there is no run at all.

Where the reachable states show dead ends or assignments out of range, a formula that holds is asked again in a stronger form
(`epistrat.logic.lasting`) about the completed system (`epistrat.model.transform.completed`).  If that fails, the formula holds only
because of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from epistrat.answers import Facts, Question, Result, Verdict
from epistrat.engines.contract import Options
from epistrat.jobs import Portfolio
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, subformulae
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

if TYPE_CHECKING:
    from epistrat.model.transform.completed import Completed

_PROFITING = (logic.ForAll, logic.Coalition)
"""Operators that a run's end can make true."""


class Vacuity:
    """Looks for trivial reasons behind the answers about one system."""

    def __init__(self, system: System, engine: str, options: Options, budget: Budget) -> None:
        self._system = system
        self._engine = engine
        self._options = replace(options, evidence=False)
        self._budget = budget
        self._completed: Completed | None = None
        self._portfolio: Portfolio | None = None
        self._facts: Facts | None = None

    def close(self) -> None:
        """End the sessions on the completed system."""
        if self._portfolio is not None:
            self._portfolio.__exit__(None, None, None)

    def on(self, result: Result, facts: Callable[[], Facts]) -> Result:
        """The result, with the trivial reason for which alone it holds, if there is one."""
        if result.verdict is not Verdict.HOLDS or not self._could_profit(result.question):
            return result
        if self._facts is None:
            self._facts = facts()
        known = self._facts
        if known.states == 0:
            return replace(result, only_because="there is no initial state")
        if known.fair_states == 0:
            return replace(result, only_because="there is no fair run")
        if self._system.fairness or not (known.dead_ends or known.overflows):
            return result
        return replace(result, only_because=_reason(known)) if self._fails_without(result.formula) else result

    def _could_profit(self, question: Question) -> bool:
        """Whether the verdict could be due to a missing state or run; nothing is computed to find out."""
        return bool(self._system.fairness) or any(
            isinstance(part, _PROFITING) for part in subformulae(question.formula)
        )

    def _fails_without(self, formula: Formula) -> bool:
        """Whether the stronger formula fails in the completed system."""
        from epistrat.logic.lasting import lasting
        from epistrat.model.transform.completed import completed

        if self._portfolio is None:
            self._completed = completed(self._system)
            if self._completed is None:
                return False
            self._portfolio = Portfolio(self._completed.system, self._engine, self._options, self._budget)
            self._portfolio.__enter__()
        assert self._completed is not None
        stronger = lasting(formula, logic.Test(self._completed.stuck))
        return stronger is not None and self._portfolio.answer(Question(1, stronger, "")).verdict is Verdict.FAILS


def _reason(facts: Facts) -> str:
    reasons = []
    if facts.overflows and facts.overflow_line is not None:
        agent, number = facts.overflow_line
        reasons.append(f"evolution line {number} of {agent} leaves its range, and such a step leads nowhere")
    if facts.dead_ends:
        reasons.append("runs end where nothing can happen")
    return "; ".join(reasons) or "runs end"
