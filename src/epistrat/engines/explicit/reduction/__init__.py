"""Partial order reduction for interleaved systems: which steps may be left out, and why that is safe."""
