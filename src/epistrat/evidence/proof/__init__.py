"""Proofs under verdicts: sets of states, obligations between them, and an encoding of its own that decides them.

No engine is asked, and nothing that an engine says is believed.
"""
