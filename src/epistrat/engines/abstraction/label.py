"""Labels on an abstraction: the abstract states where a formula is surely true and those where it is surely false.

"Surely" means in every reachable concrete state that the abstract one stands for.
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.encoding.part import variables_of
from epistrat.engines.abstraction.enumerate import Rank
from epistrat.engines.abstraction.force import Anything, Everything, Forcing, Members, Others, Player
from epistrat.engines.abstraction.space import AbstractSpace
from epistrat.engines.abstraction.truth import Label, ThreeValued
from epistrat.engines.fixpoints.fixpoint import until
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.solvers.bdd import Bdd
from epistrat.terms import Expr


class AbstractLabels(ThreeValued[Bdd, Player]):
    """The labels of formulae on one abstraction.

    ``counts`` are the abstract states that formulae may range over, ``surely_counts`` those that they do range over if they are reached;
    ``sure`` are states that stand for some reachable state each.
    """

    def __init__(self, space: AbstractSpace, sure: Bdd, ranks: Sequence[Rank] = (), depth: int = 0) -> None:
        super().__init__(space.system, space.budget, space.algebra.true, space.algebra.false)
        self.space = space
        self.forcing = Forcing(space)
        self._algebra = space.algebra
        self.counts = self.surely_counts = space.reached
        self.sure = sure & space.reached
        self.ranks = tuple(ranks)
        self.depth = depth

    def kept(self, formula: Formula, value: Label[Bdd]) -> Label[Bdd]:
        """The part that counts."""
        return Label(value.yes & self.counts, value.no & self.counts)

    def where(self, condition: Expr) -> Label[Bdd]:
        """Where a condition holds: predicates tell for sure."""
        where = self.space.conditions.part(condition).function
        return Label(where, ~where)

    # -- time and strategies --------------------------------------------------------------------------------------

    def player(self, formula: logic.ForAll | logic.Exists | logic.Coalition) -> tuple[Player, Player]:
        """Whoever chooses all that happens, or the group; and who chooses the rest."""
        if isinstance(formula, logic.Coalition):
            return Members(formula.group), Others(formula.group)
        return Anything(), Everything()

    def _step(self, player: Player, goal: Bdd) -> Bdd:
        return self.forcing.step(player, goal)

    def _soon(self, player: Player, before: Bdd, goal: Bdd) -> Bdd:
        return self.forcing.eventually(player, before, goal, self.ranks, self.depth)

    def _ever(self, player: Player, stay: Bdd, leave: Bdd) -> Bdd:
        return self.forcing.for_ever(player, stay, leave)

    # -- knowledge ------------------------------------------------------------------------------------------------

    def _look_alike(self, positions: Sequence[int], states: Bdd) -> Bdd:
        """The reachable states that agree with some of the given ones on everything an observer of the positions can compute."""
        hidden = self.space.state_mask & ~self.space.visible(positions)
        return self._algebra.exists(states, self._algebra.cube(variables_of(hidden))) & self.counts

    def confusing(self, formula: logic.Knows | logic.Distributed, states: Bdd) -> Bdd:
        """The reachable states that look like one of the given ones and in which the body of the formula is not sure."""
        views = self.space.system.views
        seen = (
            views[formula.agent] if isinstance(formula, logic.Knows) else self.space.system.pooled_view(formula.group)
        )
        return self._look_alike(seen, states) & ~self.label(formula.arg).yes

    def _certain(self, positions: Sequence[int], body: Label[Bdd]) -> Label[Bdd]:
        """Knowledge of whoever sees the positions.

        It is surely false where the body is; and, if the observer sees no numbers, where a state that is surely reached looks the same and
        the body is surely false there.  With numbers the look-alike might have other ones.
        """
        yes = self.counts & ~self._look_alike(positions, self.counts & ~body.yes)
        no = body.no
        if self.space.exact(positions):
            no = no | self._look_alike(positions, self.sure & body.no)
        return Label(yes, no)

    def _common(self, views: Sequence[Sequence[int]], body: Label[Bdd]) -> Label[Bdd]:
        unsure = self._chains(views, self.counts & ~body.yes, self.counts)
        exact = [positions for positions in views if self.space.exact(positions)]
        no = body.no | self._chains(exact, self.sure & body.no, self.sure)
        return Label(self.counts & ~unsure, no)

    def _chains(self, views: Sequence[Sequence[int]], start: Bdd, through: Bdd) -> Bdd:
        """Everything linked with the start by look-the-same steps, all but the last through states of the given set."""

        def linked(states: Bdd) -> Bdd:
            found = self._algebra.false
            for positions in views:
                found = found | self._look_alike(positions, states & through)
            return found

        return until(self._algebra, linked, self._algebra.true, start, True, step=self.forcing.tick)

    def _correct(self, green: Bdd, body: Label[Bdd]) -> Label[Bdd]:
        some = (self.sure & green & body.no) != self._algebra.false
        everywhere = self._algebra.implies(self.counts & green, body.yes)
        true, false = self._algebra.true, self._algebra.false
        return Label(true if everywhere else false, true if some else false)
