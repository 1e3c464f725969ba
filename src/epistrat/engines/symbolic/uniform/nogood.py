"""Which of the decisions of a failed attempt are really to blame.

A refutation shows that some decisions cannot be taken together.  Often fewer are enough: if the group cannot win from the starting points
even when it sees everything, as long as it keeps to *these* decisions, then whatever else it decides does not matter.  Decisions are
dropped one by one as long as that is so.  For a play that is lost after a few steps it is enough to look so many steps ahead; for one
that goes round for ever each test is a whole fixpoint, so this is for searches that take long.
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.engines.fixpoints.fixpoint import always, until
from epistrat.engines.symbolic.uniform.arena import Arena, Situation, Strategy
from epistrat.engines.symbolic.uniform.objective import Objective
from epistrat.model.state import Act
from epistrat.solvers.bdd import Bdd

Decision = tuple[Situation, Act]


class Nogoods:
    """Small sets of decisions that rule out winning, without fairness.

    ``domain`` are the states that plays can visit as long as the group makes no choice in ``losing``; ``lost`` the states of plays
    that nobody can win any more.
    """

    def __init__(self, arena: Arena, objective: Objective, domain: Bdd, losing: Bdd, lost: Bdd) -> None:
        self._arena = arena
        self._algebra = arena.algebra
        self._objective = objective
        self._domain = domain & arena.universe
        self._hopeful = ~losing
        self._lost = lost
        self._waiting = arena.universe & ~objective.goal
        self._numbers = {player.name: number for number, player in enumerate(arena.players)}

    def shrink(self, decisions: Sequence[Decision], starts: Bdd, steps: int | None) -> list[Decision]:
        """Fewer decisions that still rule out winning from all the starting points; the given ones do.

        With ``steps`` a number, play is followed for so many steps only, which is cheap and enough if it can be lost so soon.
        """
        kept = list(decisions)
        for decision in decisions:
            fewer = [other for other in kept if other != decision]
            if self.excluded(fewer, starts) if steps is None else self.lost_within(steps, fewer, starts):
                kept = fewer
        return kept

    def lost_within(self, steps: int, decisions: Sequence[Decision], starts: Bdd) -> bool:
        """Whether play from some starting point is lost after so many steps at most, as long as the group keeps to the decisions."""
        strategy, algebra = self._keeping(decisions), self._algebra
        layers = [starts & self._waiting]
        for _ in range(steps):
            layers.append(self._arena.post(layers[-1] & ~self._lost, strategy) & self._waiting)
        bad = layers[-1] & self._lost
        for layer in reversed(layers[:-1]):
            good = ~self._arena.into(bad)
            for relation in strategy:
                good = good & relation
            bad = layer & (self._lost | ~self._arena.some_choice(good))
        return bad != algebra.false

    def excluded(self, decisions: Sequence[Decision], starts: Bdd) -> bool:
        """Whether no way of playing that keeps to the decisions wins from all the starting points."""
        strategy = self._keeping(decisions)

        def enforce(states: Bdd) -> Bdd:
            good = self._hopeful & ~self._arena.into(self._domain & ~states)
            for relation in strategy:
                good = good & relation
            return self._arena.some_choice(good) & self._arena.able

        def lost(states: Bdd) -> bool:
            return not self._algebra.implies(starts, states)

        algebra, objective = self._algebra, self._objective
        if objective.forever:
            goal = objective.goal

            def stay(states: Bdd) -> Bdd:
                return goal | enforce(states)

            inside = self._domain & (objective.through | goal)
            return lost(always(algebra, stay, inside, (), False, lost))
        through, goal = self._domain & objective.through, self._domain & objective.goal
        return lost(until(algebra, enforce, through, goal, False, lambda states: not lost(states)))

    def _keeping(self, decisions: Sequence[Decision]) -> Strategy:
        """What is still allowed: the decisions where they say something, elsewhere everything."""
        result = [player.permits for player in self._arena.players]
        for situation, action in decisions:
            number = self._numbers[situation.agent]
            cube = self._arena.cube(situation)
            result[number] = result[number] & (~cube | self._arena.players[number].does[action])
        return tuple(result)
