"""What a shape is asked: one set of formulae of mixed logics."""

from __future__ import annotations

from benchmarks.families.text import Question, Spec

ZOO = "zoo"


def ask(*formulae: str, fairness: tuple[str, ...] = ()) -> dict[str, Spec]:
    """The only set of questions of a shape; the verdicts are what the engines agree on."""
    return {ZOO: Spec(tuple(Question(formula) for formula in formulae), fairness)}
