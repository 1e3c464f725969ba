"""Verdicts in words, for people."""

from dataclasses import replace
from typing import TypeVar

from epistrat.answers import Explanation, Focus, Result, Verdict
from epistrat.explain.narrate import explain
from epistrat.model.system import System

__all__ = ["Explanation", "Focus", "explain", "explained"]

R = TypeVar("R", bound=Result)


def explained(system: System, result: R, focus: Focus | None = None) -> R:
    """The result with its evidence told in words."""
    told = tuple(explain(system, tree, focus) for tree in result.trees)
    why = told[0].sentence if told and result.verdict is Verdict.FAILS else result.why
    return replace(result, explanations=told, why=why)
