"""Evidence trees built from any engine's state sets: one builder over a small protocol (`space.Space`)."""
