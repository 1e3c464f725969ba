"""The words of every answer: which verdicts there are, and how strategies are read."""

from __future__ import annotations

from enum import Enum

from epistrat.logic.formula import Tag
from epistrat.records import dataclass


class Verdict(Enum):
    """The answer to "does the system satisfy the formula?"."""

    HOLDS = "holds"
    FAILS = "fails"
    UNKNOWN = "unknown"


class Strategies(Enum):
    """How the coalition operators are read; see docs/semantics/atl.md."""

    ANY = "any"
    UNIFORM = "uniform"
    OBJECTIVE = "objective"
    SUBJECTIVE = "subjective"


class Watching(Enum):
    """What strategies with memory see of the past in equilibria, besides states."""

    ACTIONS = "actions"
    STATES = "states"


@dataclass(frozen=True, slots=True)
class Named:
    """How strategies are read where they have names or form equilibria, and whether coalitions over path formulae remember.

    ``states_only``: in equilibria with memory strategies see states and not actions.
    """

    names: Tag = Tag.VIEWS
    equilibria: Tag = Tag.PERFECT
    remembering: bool = True
    states_only: bool = False


UNIFORM = (Strategies.OBJECTIVE, Strategies.SUBJECTIVE)
"""The readings under which every coalition has a uniform strategy of its own."""
