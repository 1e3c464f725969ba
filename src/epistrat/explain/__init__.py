"""Verdicts in words, for people."""

from epistrat.explain.narrate import explain
from epistrat.explain.outline import Explanation, Focus

__all__ = ["Explanation", "Focus", "explain"]
