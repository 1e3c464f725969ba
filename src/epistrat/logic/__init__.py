"""Formulae: one type for time, knowledge, strategies and correct behaviour."""
