"""Which formulae this engine answers: those of users, and those it makes itself on the way to a verdict."""

from __future__ import annotations

from epistrat.logic.fragment import OF_NAMES, Feature

ACCEPTED = frozenset(Feature) - {Feature.OPEN, Feature.PAST_OF_FUTURE, Feature.STRATEGIES_OVER_PAST} - OF_NAMES
