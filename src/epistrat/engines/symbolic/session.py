"""Sessions of the symbolic engine: build once, answer formulae one by one, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from epistrat.engines.contract import Facts, Options, Outcome, Verdict, Watcher
from epistrat.engines.symbolic.candidates import Candidates
from epistrat.engines.symbolic.checker import Checker
from epistrat.engines.symbolic.facts import find_facts
from epistrat.engines.symbolic.tuning import read_tuning
from epistrat.engines.symbolic.witness import with_evidence
from epistrat.engines.symbolic.work import Work
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.solvers.bdd import OutOfNodes
from epistrat.solvers.budget import Budget, OutOfBudget

T = TypeVar("T")


class SymbolicSession:
    """The engine at work on one system."""

    def __init__(self, system: System, options: Options, budget: Budget, watch: Watcher) -> None:
        self.system = system
        self.tuning = read_tuning(options.tuning)
        self.examples = options.examples if options.evidence else 0
        self.work = Work(budget, watch)
        self._checker: Checker | None = None
        self._facts: Facts | None = None

    @property
    def budget(self) -> Budget:
        """What further questions may cost; may be replaced between questions."""
        return self.work.budget

    @budget.setter
    def budget(self, budget: Budget) -> None:
        self.work.budget = budget

    def check(self, formula: Formula) -> Outcome:
        """Does every initial state (in the universe) satisfy the formula?"""

        def decide() -> Outcome:
            holds = self._ready().decide(formula)
            outcome = Outcome(Verdict.HOLDS if holds else Verdict.FAILS, statistics=self.work.statistics())
            return with_evidence(outcome, formula, self._ready(), self.examples) if self.examples else outcome

        return self._within_budget(decide, self._unknown)

    def _unknown(self, reason: str, advice: str) -> Outcome:
        return Outcome(Verdict.UNKNOWN, reason, advice, statistics=self.work.statistics())

    def facts(self) -> Facts:
        """What the reachable states look like."""
        if self._facts is None:
            found = self._within_budget(
                lambda: find_facts(self._ready()), lambda reason, _: Facts(states=None, reason=reason)
            )
            if found.reason is not None:
                return found
            self._facts = found
        return self._facts

    def statistics(self) -> Mapping[str, Any]:
        """What was done so far."""
        numbers = self.work.statistics()
        if self._checker is not None:
            numbers.update(self._checker.statistics())
        return numbers

    def close(self) -> None:
        """Release the diagrams."""
        self._checker = None

    def _ready(self) -> Checker:
        if self._checker is None:
            candidates = Candidates(self.system, self.tuning, self.work)
            self._checker = Checker(candidates.first(), self.work, self.tuning.reach)
        return self._checker

    def _within_budget(self, compute: Callable[[], T], unknown: Callable[[str, str], T]) -> T:
        """The result, or what stands for it when time, memory or nodes run out; the session stays usable."""
        try:
            return compute()
        except OutOfBudget as limit:
            reason, advice = str(limit), "allow more time or memory, or try another engine"
        except OutOfNodes:
            reason = f"the limit of {self.tuning.nodes} nodes was reached"
            advice = "allow more nodes, or try another order of the variables"
        if self._checker is not None:  # only now, when the traceback no longer holds what was half done
            self._checker.space.algebra.collect()
        return unknown(reason + self._how_far(), advice)

    def _how_far(self) -> str:
        steps = self.work.counts.get("steps of the search")
        if not steps:
            return " while the model was being encoded"
        counts = self.work.counts
        if "reachable states" not in self.work.seconds:
            return f" after step {steps} of the search for reachable states"
        return f" after {steps} steps of the search and {counts.get('iterations of fixpoints', 0)} of fixpoints"
