"""Uniform strategies: one choice per local state, searched with learning from failed trials."""
