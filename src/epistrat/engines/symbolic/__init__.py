"""Finite systems by binary decision diagrams: CTL, knowledge, correct behaviour, strategies, fairness."""
