"""Proof search over symbolic transition systems, shared by engines: IC3, bounded search, induction, fair runs, ranks."""
