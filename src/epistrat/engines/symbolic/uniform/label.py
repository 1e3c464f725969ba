"""Coalition operators read as ATL with imperfect information: one uniform memoryless strategy per operator.

*Objective*: it must win from the current state.  *Subjective*: from all states of the universe that the group's pooled observation does
not tell apart from it.  Operators inside others are labelled first, all of them with the same reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import thread_time

from epistrat.encoding.lazily import lazy
from epistrat.engines.fixpoints.assignment import NOTHING, Assignment
from epistrat.engines.fixpoints.evaluator import Asked
from epistrat.engines.fixpoints.fixpoint import Stop
from epistrat.engines.fixpoints.label import Labelling, PathLabels
from epistrat.engines.symbolic.space import SymbolicSpace
from epistrat.engines.symbolic.uniform.objective import Objective, objective_of
from epistrat.engines.symbolic.uniform.search import UniformSearch
from epistrat.logic.formula import Coalition, Formula, Group, operands
from epistrat.solvers.bdd import Bdd


class UniformLabelling(Labelling):
    """Labels whose coalition operators need uniform strategies."""

    def __init__(
        self,
        space: SymbolicSpace,
        universe: Bdd,
        fairness: Sequence[Bdd] = (),
        paths: PathLabels | None = None,
        subjective: bool = False,
        given: Assignment = NOTHING,
        labels: dict[Asked, Bdd] | None = None,
    ) -> None:
        super().__init__(space, universe, fairness, paths, given, labels)
        self.played = (
            space.reachable if space.system.interleaved else universe
        )  # where play may lead: waiting can be fair
        self.space: SymbolicSpace = space
        self.subjective = subjective

    def within(self, worlds: Bdd, given: Assignment) -> UniformLabelling:
        """Labels over those of the states."""
        universe = self.universe & worlds
        return UniformLabelling(self.space, universe, self.fairness, self._paths, self.subjective, given, self.labels)

    def coalition(self, formula: Coalition, stop: Stop) -> Bdd:
        """What the group enforces by a strategy on what it sees."""
        return self.enforceable(formula.group, formula.arg, self.played)

    def holds_in(self, formula: Coalition, care: Bdd) -> bool:
        """Whether the coalition formula holds in all of the given states of the universe."""
        care = care & self.universe
        return self.algebra.implies(care, self.enforceable(formula.group, formula.arg, care, True))

    def enforceable(self, group: Group, arg: Formula, care: Bdd, all_or_nothing: bool = False) -> Bdd:
        """The states of ``care`` from which the group has a uniform strategy.

        With ``all_or_nothing`` the search ends with the first state that has none, and the rest is not looked at.
        """
        with self.space.work.doing("uniform strategies"):
            objective = objective_of(self.algebra, arg, [self.label(operand) for operand in operands(arg)])
            if objective.single and not self.fairness:
                return self._single_step(group, objective)
            starts = self._alike(group, care) if self.subjective else care
            search = UniformSearch(self.space, self, group, objective, starts if care != self.played else None)
            try:
                return self._sort_out(search, group, care, all_or_nothing)
            finally:
                search.close()

    def _single_step(self, group: Group, objective: Objective) -> Bdd:
        """X without fairness.  Only the choice in the first state matters, and what the group sees together fixes it."""
        search = UniformSearch(self.space, self, group, objective)
        if not self.subjective:
            return search.upper
        arena, algebra = search.arena, self.algebra
        good = ~arena.into(arena.universe & ~objective.goal) & arena.able
        for player in arena.players:
            good = good & player.permits
        hidden = self.knowledge.hidden(group.members)
        return arena.some_choice(~algebra.exists(self.universe & ~good, hidden)) & self.played

    def _alike(self, group: Group, states: Bdd) -> Bdd:
        """All states that play may lead to and that look to the group like one of the given ones."""
        return self.played & self.algebra.exists(states, self.knowledge.hidden(group.members))

    def _sort_out(self, search: UniformSearch, group: Group, care: Bdd, all_or_nothing: bool) -> Bdd:
        """Which of the states have a strategy: settled by the bounds, or by a search from each that is left."""
        algebra = self.algebra

        def certain(states: Bdd) -> Bdd:
            return self.knowledge.knows(group.members, states) & self.played if self.subjective else states

        possible = care & certain(search.upper)
        if all_or_nothing and possible != care:
            return algebra.false
        won = algebra.false if search.objective.single else possible & certain(search.lower)
        lost = _Lost(search)
        left = possible & ~won
        while left != algebra.false:
            self.space.work.tick()
            settled = starts = self._late(left) if care == self.played else self._some(left)
            if self.subjective:
                settled = self._alike(group, starts)
                starts = settled & self.universe
            if search.wins_from(starts):
                won = won | settled | (left & certain(search.win_everywhere()))
            elif all_or_nothing:
                return algebra.false
            elif not self.subjective and not search.objective.single:
                left = left & lost.without(starts)
            left = left & ~settled & ~won
        return won

    def _some(self, states: Bdd) -> Bdd:
        state = self.space.encoding.pick(states)
        assert state is not None
        return self.space.encoding.singleton(state)

    def _late(self, states: Bdd) -> Bdd:
        """A state of the set that is reached late: what fails there settles many earlier ones."""
        empty = self.algebra.false
        return self._some(next(layer & states for layer in reversed(self._layers) if layer & states != empty))

    @lazy
    def _layers(self) -> list[Bdd]:
        """The reachable states by distance from the initial ones."""
        layers, seen = [self.space.initial], self.space.initial
        while layers[-1] != self.algebra.false:
            layers.append(self.space.relation.image(layers[-1]) & ~seen)
            seen = seen | layers[-1]
        return layers


class _Lost:
    """States that turned out to be lost, and what follows from that for others."""

    def __init__(self, search: UniformSearch) -> None:
        self._search = search
        self._states = search.algebra.false
        self._started = thread_time()
        self._spent = 0.0

    def without(self, states: Bdd) -> Bdd:
        """The states that may still be won now that these are lost; finding out takes no longer than the searches do."""
        self._states = self._states | states
        began = thread_time()
        side_work = self._search.arena.space.work.budget.patience.side_work
        if self._spent > side_work * (began - self._started - self._spent):
            return ~states
        possible = self._search.upper_without(self._states)
        self._spent += thread_time() - began
        return possible
