"""How a player forces a goal, stage by stage: the fixpoints of `force.Forcing.eventually` once more, with what they pass on the way.

A stage is a set of abstract states and the steps (next states and changes of ranks) that the player forces there.  Its key says why this
ends: numbers of stages and ranks by turns, compared from the left; every step makes the key smaller, see `evidence.tree.Descent`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from epistrat.engines.abstraction.enumerate import Rank
from epistrat.engines.abstraction.force import Forcing, Player
from epistrat.records import dataclass, field
from epistrat.solvers.bdd import Bdd

Key: TypeAlias = tuple[int | Rank, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """In ``states`` the player forces a step in ``good``."""

    states: Bdd
    good: Bdd
    key: Key


@dataclass
class Descents:
    """The stages of one player."""

    forcing: Forcing
    player: Player
    stages: list[Stage] = field(default_factory=list)

    def to(self, before: Bdd, goal: Bdd, ranks: Sequence[Rank], depth: int) -> list[Stage]:
        """The stages from which the goal is forced through states in ``before``; a state is in the first that contains it."""
        space = self.forcing.space
        goal = goal & space.reached
        self._win(before & space.reached & ~goal, goal, space.algebra.true, tuple(ranks), depth, ())
        return self.stages

    def _win(self, before: Bdd, target: Bdd, kept: Bdd, ranks: tuple[Rank, ...], depth: int, key: Key) -> None:
        algebra = self.forcing.space.algebra
        won = self._layers(before, target, kept, algebra.false, key)
        size: Bdd | None = None
        while depth and won != size and not algebra.implies(before, won):
            size = won
            for rank in ranks:
                open_target = target | (kept & won)
                inside = self.forcing.with_rank(self.player, before, open_target, kept, rank, ranks, depth)
                if algebra.implies(inside, won):
                    continue
                falls, level = (algebra.var[bit] for bit, _ in self.forcing.space.layout.changes[rank])
                others = tuple(other for other in ranks if other != rank)
                wanted = open_target | (kept & falls & inside)
                self._win(inside, wanted, kept & level, others, depth - 1, (*key, len(self.stages), rank))
                won = self._layers(before, target, kept, won | inside, key)

    def _layers(self, before: Bdd, target: Bdd, kept: Bdd, won: Bdd, key: Key) -> Bdd:
        while True:
            self.forcing.space.budget.check()
            good = target | (kept & won)
            more = before & self.forcing.step(self.player, good) & ~won
            if more == self.forcing.space.algebra.false:
                return won
            self.stages.append(Stage(more, good, (*key, len(self.stages))))
            won = won | more
