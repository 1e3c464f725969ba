"""The explicit engine at work on one system."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from epistrat.engines.contract import Facts, Options, Outcome, Verdict, Watcher
from epistrat.engines.explicit.facts import facts_of
from epistrat.engines.explicit.label import Labels
from epistrat.engines.explicit.space import Space
from epistrat.engines.explicit.verdict import propositional_invariant, quantified, satisfied
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.solvers.budget import Budget, OutOfBudget


class ExplicitSession:
    """Explores the states once and answers every formula on them."""

    def __init__(self, system: System, options: Options, budget: Budget, watch: Watcher) -> None:
        self._system, self._options = system, options
        self._budget, self._watch = budget, watch
        self._space: Space | None = None
        self._labels: Labels | None = None
        self._facts: Facts | None = None
        self._seconds: dict[str, float] = {}

    def check(self, formula: Formula) -> Outcome:
        """Does every initial state satisfy the formula?"""
        started = time.monotonic()
        try:
            holds = self._holds(quantified(formula))
        except OutOfBudget as limit:
            return self._unknown(limit)
        self._seconds["checking"] = self._seconds.get("checking", 0.0) + time.monotonic() - started
        return Outcome(Verdict.HOLDS if holds else Verdict.FAILS, statistics=self.statistics())

    def facts(self) -> Facts:
        """What the reachable states look like."""
        if self._facts is None:
            try:
                self._facts = facts_of(self._open(), self._fair_labels())
            except OutOfBudget as limit:
                return Facts(states=None, reason=f"{limit} after {self._seen():,} states")
        return self._facts

    def statistics(self) -> Mapping[str, Any]:
        """Sizes and seconds so far."""
        return {"states": self._seen(), **(self._space.statistics() if self._space else {}), "seconds": self._seconds}

    def close(self) -> None:
        """Forget the states."""
        self._space = self._labels = None

    def _holds(self, formula: Formula) -> bool:
        space = self._open()
        body = propositional_invariant(formula)
        if body is not None and not self._system.fairness and self._system.interleaved:
            return space.always(body)
        return satisfied(self._open_labels(), formula)

    def _unknown(self, limit: OutOfBudget) -> Outcome:
        return Outcome(
            Verdict.UNKNOWN,
            reason=f"{limit} after {self._seen():,} states",
            advice="allow more (--time, --memory, --states), or let the symbolic engine try: --engine symbolic",
            statistics=self.statistics(),
        )

    def _seen(self) -> int:
        return len(self._space.explorer) if self._space is not None else 0

    def _open(self) -> Space:
        if self._space is None:
            self._space = Space(self._system, self._budget, self._watch)
        return self._space

    def _open_labels(self) -> Labels:
        if self._labels is None:
            structure = self._open().explored()
            self._labels = Labels(structure, self._system.fairness)
        return self._labels

    def _fair_labels(self) -> Labels:
        return self._open_labels()
