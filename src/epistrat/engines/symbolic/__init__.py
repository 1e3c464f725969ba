"""Finite systems by binary decision diagrams: CTL, knowledge, correct behaviour, strategies, fairness."""

from epistrat.engines.symbolic.engine import SymbolicEngine


def engine() -> SymbolicEngine:
    """The engine."""
    return SymbolicEngine()
