"""The options of the explicit engine."""

from __future__ import annotations

from epistrat.engines.tuning import Tuning, option
from epistrat.records import dataclass


@dataclass(frozen=True)
class ExplicitTuning(Tuning):
    """How states are explored.

    Reduction: none; whatever the formula allows (auto); rules S and S+ only (singleton); for linear formulae only, with rule M (linear).
    """

    reduce: str = option("auto", "partial order reduction", choices=("off", "auto", "singleton", "linear"))
