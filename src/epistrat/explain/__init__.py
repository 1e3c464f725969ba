"""Verdicts in words, for people."""

from epistrat.answers.explanation import Explanation, Focus
from epistrat.explain.narrate import explain

__all__ = ["Explanation", "Focus", "explain"]
