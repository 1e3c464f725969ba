"""Evidence as plain data: paths, lassos, witness trees, strategies.  Knows no engine."""

from epistrat.evidence.strategy import StateStrategy, Strategy, UniformStrategy
from epistrat.evidence.trace import Lasso, Path
from epistrat.evidence.witness import Along, Around, Elsewhere, Enforced, Fixpoint, LookAlike, Part, Reason, Tree

__all__ = [
    "Along",
    "Around",
    "Elsewhere",
    "Enforced",
    "Fixpoint",
    "Lasso",
    "LookAlike",
    "Part",
    "Path",
    "Reason",
    "StateStrategy",
    "Strategy",
    "Tree",
    "UniformStrategy",
]
