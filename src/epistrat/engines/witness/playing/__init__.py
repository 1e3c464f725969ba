"""Strategies with memory as evidence, found on listed positions of games, with the state sets of the engine that decided."""
