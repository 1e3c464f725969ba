"""The operators of CTL over a universe of states, with or without fairness.

The universe is closed under what matters: all reachable states without fairness, the reachable states from which a fair path starts with
it.  Everything is expressed by EX, E U and EG; see `epistrat.engines.fixpoints.label` for the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.engines.fixpoints.evaluator import never
from epistrat.engines.fixpoints.fixpoint import Stop, always, until
from epistrat.engines.fixpoints.graph import StateGraph
from epistrat.solvers.bdd import Bdd


class Temporal:
    """EX, E U and EG within a universe; fairness sets restrict the paths of EG."""

    def __init__(self, space: StateGraph, universe: Bdd, fairness: Sequence[Bdd] = ()) -> None:
        self.space = space
        self.universe = universe
        self.fairness = tuple(fairness)

    def ex(self, target: Bdd) -> Bdd:
        """Some successor in the universe is in the target."""
        return self.space.pre(target, self.universe)

    def eu(self, through: Bdd, target: Bdd, stop: Stop = never) -> Bdd:
        """Some path within the universe goes through ``through`` to ``target``."""
        step = self.space.iteration("E U")
        through = through & self.universe
        return until(self.space.algebra, self.ex, through, target & self.universe, True, stop, step)

    def eg(self, inside: Bdd, stop: Stop = never) -> Bdd:
        """Some infinite (fair) path stays inside."""
        step = self.space.iteration("EG")
        return always(self.space.algebra, self.ex, inside & self.universe, self.fairness, True, stop, step)
