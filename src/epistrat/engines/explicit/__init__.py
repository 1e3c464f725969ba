"""Explicit states: vectorised exploration, CTLK and CTL*K with past, strategies, and partial order reduction."""
