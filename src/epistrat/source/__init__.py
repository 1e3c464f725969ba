"""Source text, positions in it, and messages about it."""
