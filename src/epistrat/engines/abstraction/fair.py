"""Labels under fairness: paths are infinite and meet every constraint again and again, and only states on such paths count.

For ``E`` two sets are computed.  The larger one follows steps that may be, and leaves out where no fair path can stay: by the usual
fixpoint, and by ranks that never rise and have to fall once per visit of a constraint.  The smaller one follows steps that the player of
``E`` can force.  ``A`` is the negation.  A label speaks of the fair states of an abstract state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from epistrat.engines.abstraction.enumerate import Rank
from epistrat.engines.abstraction.force import Anything, Everything, Player
from epistrat.engines.abstraction.label import AbstractLabels
from epistrat.engines.abstraction.space import AbstractSpace
from epistrat.engines.abstraction.truth import Label
from epistrat.engines.fixpoints.fixpoint import always, until
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.solvers.bdd import Bdd


class FairLabels(AbstractLabels):
    """Labels on one abstraction under fairness constraints, which are conditions."""

    def __init__(
        self, space: AbstractSpace, sure: Bdd, fairness: Sequence[Formula], ranks: Sequence[Rank] = (), depth: int = 0
    ) -> None:
        super().__init__(space, sure, ranks, depth)
        self._visits = [self.label(constraint) for constraint in fairness]
        self.labels.clear()
        possible, self.surely_counts = self._may_stay(space.reached), self._must_stay(space.reached)
        self.counts = possible
        self.sure = self.sure & self.surely_counts

    def player(self, formula: logic.ForAll | logic.Exists | logic.Coalition) -> tuple[Player, Player]:
        """Whoever chooses all that happens."""
        if isinstance(formula, logic.Coalition):
            raise TypeError("strategies under fairness are not abstracted")
        return super().player(formula)

    def next(self, player: tuple[Player, Player], goal: Label[Bdd]) -> Label[Bdd]:
        """EX: the successor lies on a fair path, too."""
        good = self.forcing.step(Anything(), goal.yes & self.surely_counts)
        return Label(good, ~self._before(self._perhaps(goal)))

    def until(
        self, player: tuple[Player, Player], stay: Label[Bdd], goal: Label[Bdd], stop: Callable[[Label[Bdd]], bool]
    ) -> Label[Bdd]:
        """E U: the goal lies on a fair path."""
        met = goal.yes & self.surely_counts
        surely = self.forcing.eventually(Anything(), stay.yes, met, self.ranks, self.depth)
        return Label(surely, ~self._may_reach(self._perhaps(stay), self._perhaps(goal)))

    def unless(
        self, player: tuple[Player, Player], stay: Label[Bdd], goal: Label[Bdd], stop: Callable[[Label[Bdd]], bool]
    ) -> Label[Bdd]:
        """E W and EG."""
        for_ever = Label(self._must_stay(stay.yes), ~self._may_stay(self._perhaps(stay)))
        if goal is self.nothing:
            return for_ever
        return self.of.some((self.until(player, stay, goal, stop), for_ever))

    def _perhaps(self, label: Label[Bdd]) -> Bdd:
        return self.counts & ~label.no

    def _before(self, states: Bdd) -> Bdd:
        return self.space.may.preimage(states) & self.space.reached

    def _may_reach(self, through: Bdd, goal: Bdd) -> Bdd:
        return until(self._algebra, self._before, through, goal, True, step=self.forcing.tick)

    # -- fair paths -----------------------------------------------------------------------------------------------

    def _must_stay(self, inside: Bdd) -> Bdd:
        """From here, fair paths inside the set surely exist: each constraint can be met again and again."""
        current = inside & self.space.reached
        while True:
            following = current
            for visit in self._visits:
                goal = current & visit.yes
                reaches = self.forcing.eventually(Anything(), current, goal, self.ranks, self.depth)
                following = following & self.forcing.step(Anything(), reaches)
            if following == current:
                return current
            current = following

    def _may_stay(self, inside: Bdd) -> Bdd:
        """Outside of this set no fair path stays inside the given one."""
        current = inside & self.space.reached
        while True:
            size = current
            for visit in self._visits:
                current = current & self._before(self._may_reach(current, current & ~visit.no))
            if current == size:
                current = self._without_falling(current)
            if current == size:
                return current

    def _without_falling(self, inside: Bdd) -> Bdd:
        """The set without states from where a rank would have to fall for ever, since it falls once per visit of some constraint."""
        if not self.depth:
            return inside
        for rank in self.ranks:
            falls, level = (self._algebra.var[bit] for bit, _ in self.space.layout.changes[rank])
            for visit in self._visits:
                inside = inside & ~self._exhausting(inside, visit, falls, level)
        return inside

    def _exhausting(self, inside: Bdd, visit: Label[Bdd], falls: Bdd, level: Bdd) -> Bdd:
        """Where a rank that does not rise falls once per visit: sooner or later after it, or in the step that leads to it."""
        everything, leaving = Everything(), ~inside

        def falls_later(states: Bdd) -> Bdd:
            wanted = leaving | (falls & states)
            soon = self.forcing.attract(everything, states, wanted, level, self._algebra.false)
            return soon | (visit.no & self.forcing.step(everything, wanted | (level & states)))

        def falls_before(states: Bdd) -> Bdd:
            return self.forcing.step(everything, leaving | (falls & states) | (level & states & visit.no))

        return self._largest(inside, falls_later) | self._largest(inside, falls_before)

    def _largest(self, states: Bdd, kept: Callable[[Bdd], Bdd]) -> Bdd:
        """The largest set within the given one that keeps all of its states."""
        return always(self._algebra, kept, states, (), False, step=self.forcing.tick)
