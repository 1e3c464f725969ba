"""Verdicts in words, for people."""
