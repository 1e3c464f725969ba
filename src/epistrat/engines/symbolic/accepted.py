"""Which formulae this engine answers: those of users, and those it makes itself on the way to a verdict."""

from __future__ import annotations

from epistrat.logic.fragment import Feature

ACCEPTED = frozenset(Feature) - {
    Feature.OPEN,
    Feature.PAST_OF_FUTURE,
    Feature.GENERAL_STRATEGIES,
    Feature.STRATEGIES_OVER_PAST,
}
