"""Deterministic automata of path formulae, for games: after every prefix of a run one state, and a parity condition."""
