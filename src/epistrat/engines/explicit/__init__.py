"""Explicit states packed into machine words, with partial order reduction."""
