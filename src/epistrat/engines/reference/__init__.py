"""The judge: explicit states and textbook definitions, for every formula of the logic.  The measure of all other engines."""

from epistrat.engines.contract import Engine
from epistrat.engines.reference.engine import ReferenceEngine

__all__ = ["ReferenceEngine", "engine"]


def engine() -> Engine:
    """The engine, for the registry."""
    return ReferenceEngine()
