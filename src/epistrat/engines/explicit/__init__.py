"""Explicit states: vectorised exploration, CTLK and CTL*K with past, strategies, and partial order reduction."""

from epistrat.engines.contract import Engine


def engine() -> Engine:
    """The engine of this package."""
    from epistrat.engines.explicit.engine import ExplicitEngine

    return ExplicitEngine()
