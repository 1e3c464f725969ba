"""Which formulae this engine answers: those of users, and those it makes itself on the way to a verdict."""

from __future__ import annotations

from epistrat.engines.readings import Kind
from epistrat.logic.fragment import Feature

ACCEPTED = frozenset(Feature) - {
    Feature.OPEN,
    Feature.PAST_OF_FUTURE,
    Feature.STRATEGIES_OVER_PAST,
    Feature.STRATEGIES_AND_HISTORIES,
    Feature.GENERAL_STRATEGIES_AND_HISTORIES,
}
KINDS = frozenset({Kind.AIMS_REMEMBERING, Kind.NAMES_REMEMBERING, Kind.NAMES_FORCED, Kind.EQUILIBRIA_REMEMBERING})
