"""Evidence as plain data: paths, lassos, witness trees, strategies.  Knows no engine."""

from epistrat.evidence.strategy import Answer, Answers, Choice, StateStrategy, Strategy, UniformStrategy
from epistrat.evidence.trace import Lasso, Path, Run
from epistrat.evidence.witness import (
    Along,
    Answered,
    Around,
    Elsewhere,
    Enforced,
    Fixpoint,
    LookAlike,
    Part,
    Reason,
    Restricted,
    Tree,
    subtrees,
    walk,
)

__all__ = [
    "Along",
    "Answer",
    "Answered",
    "Answers",
    "Around",
    "Choice",
    "Elsewhere",
    "Enforced",
    "Fixpoint",
    "Lasso",
    "LookAlike",
    "Part",
    "Path",
    "Reason",
    "Restricted",
    "Run",
    "StateStrategy",
    "Strategy",
    "Tree",
    "UniformStrategy",
    "subtrees",
    "walk",
]
