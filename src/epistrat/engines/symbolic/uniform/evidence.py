"""The strategy that prunes the model, as a table."""

from __future__ import annotations

from epistrat.engines.symbolic.checker import Checker
from epistrat.engines.symbolic.uniform.checker import PruningChecker
from epistrat.evidence import UniformStrategy


def strategy_of(checker: Checker) -> UniformStrategy | None:
    """The strategy that made the last formula true; None if it is too long to list."""
    assert isinstance(checker, PruningChecker)
    return checker.strategy(checker.work.budget.patience.shown_situations)
