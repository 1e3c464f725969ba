"""The search for a uniform strategy of a group, between the two bounds.

Decisions that matter are proposed by a SAT solver, completed by the default strategy, and tried; what refutes a trial becomes lessons
(`lessons`), which serve all later trials, also those from other starting points.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from time import thread_time

from epistrat.encoding.lazily import lazy
from epistrat.engines.fixpoints.fixpoint import closure
from epistrat.engines.fixpoints.label import Labelling
from epistrat.engines.fixpoints.strategic import Strategic
from epistrat.engines.symbolic.space import SymbolicSpace
from epistrat.engines.symbolic.uniform.arena import Arena, Plays, Situation, Strategy
from epistrat.engines.symbolic.uniform.bounds import EpistemicBound
from epistrat.engines.symbolic.uniform.lessons import SITUATIONS, Lessons, note_trial
from epistrat.engines.symbolic.uniform.nogood import Nogoods
from epistrat.engines.symbolic.uniform.objective import Objective
from epistrat.engines.symbolic.uniform.trial import Lost, Node, Phase, Refutation, Trial
from epistrat.logic.formula import Group
from epistrat.model.state import Act, State
from epistrat.records import dataclass, field
from epistrat.solvers.bdd import Bdd


@dataclass
class _Clock:
    """Processor seconds: when the search began, and how many of them went into finding out what is to blame."""

    started: float = field(default_factory=thread_time)
    blaming: float = 0.0


class UniformSearch:
    """Strategies of one group for one objective, over the universe of a labelling.

    ``domain`` are the states that plays from the starting points can visit.
    """

    def __init__(
        self, space: SymbolicSpace, labelling: Labelling, group: Group, objective: Objective, domain: Bdd | None = None
    ) -> None:
        self.labelling = labelling
        self.group = group
        self.objective = objective
        self.algebra = labelling.algebra
        self.arena = Arena(space, group.members, space.reachable if space.system.interleaved else labelling.universe)
        self._domain = domain
        self._patience = space.work.budget.patience
        self._looked: set[Node] = set()
        self._clock = _Clock()
        self.tried = 0
        self.found: Strategy | None = None

    # -- bounds ------------------------------------------------------------------------------------------------------

    @lazy
    def upper(self) -> Bdd:
        """The states from which the group wins if it sees everything."""
        if self.objective.single:
            return self.labelling.strategic.next(self.group, self.objective.goal)
        return self.upper_without(self.algebra.false)

    def upper_without(self, hopeless: Bdd) -> Bdd:
        """The states from which the group wins if it sees everything but must not visit the hopeless ones while it waits.

        A memoryless strategy that wins, and visits a state before it has won, wins from there too.
        """
        strategic, objective = self.labelling.strategic, self.objective
        if objective.forever:
            return strategic.globally(self.group, objective.through & ~hopeless)
        return strategic.until(self.group, objective.through & ~hopeless, objective.goal)

    @lazy
    def domain(self) -> Bdd:
        """The states that plays can visit before they are over, as long as the group does nothing hopeless."""
        if self._domain is None:
            return self.arena.universe
        arena = self.arena
        inside = arena.universe & self.upper
        going_on = ~self.losing & ~self.objective.goal
        return closure(
            self.algebra,
            lambda states: arena.post(states & going_on, arena.anything) & inside,
            self._domain & arena.universe,
        )

    @lazy
    def losing(self) -> Bdd:
        """States and choices of the group after which an outcome is lost."""
        return self.arena.into(self.arena.universe & ~self.upper & ~self.objective.goal)

    @lazy
    def bound(self) -> EpistemicBound:
        """The lower bound, with the strategy behind it."""
        return EpistemicBound(self.arena, self.objective, self.upper, self.domain)

    @lazy
    def lower(self) -> Bdd:
        """States from which one and the same uniform strategy wins."""
        return self.bound.won

    # -- trials ------------------------------------------------------------------------------------------------------

    @lazy
    def _trial(self) -> Trial:
        waiting = self.arena.universe & ~self.objective.goal & ~self.upper
        avoidable = self.algebra.true
        if self.labelling.fairness:
            avoidable = self._strategic.globally(self.group, self.algebra.false)
        return Trial(
            self.arena, self.objective, Lost(waiting, self.arena.universe & ~avoidable), self.labelling.fairness
        )

    @lazy
    def _nogoods(self) -> Nogoods:
        return Nogoods(self.arena, self.objective, self.domain, self.losing, self._trial.lost.waiting)

    @property
    def _strategic(self) -> Strategic:
        return self.labelling.strategic

    @lazy
    def _plays(self) -> Plays:
        return Plays(self.arena, self.bound.default)

    @lazy
    def _lessons(self) -> Lessons:
        return Lessons(self.arena, self._plays)

    def wins_from(self, starts: Bdd, trials: int | None = None) -> bool:
        """Whether one uniform strategy wins from all the given states, which must be among those that the search was made for.

        With ``trials``: whether one of so many that are tried does.
        """
        algebra = self.algebra
        assert algebra.implies(starts, self.arena.universe if self._domain is None else self._domain)
        if not algebra.implies(starts, self.upper):
            return False
        if not self.objective.single and algebra.implies(starts, self.lower):
            self.found = self.bound.default
            won = True
        else:
            counts = self.arena.space.work.counts
            counts[SITUATIONS] = sum(self.arena.count(player, self.domain) for player in self.arena.players)
            self._clock = _Clock()
            won = self._search(starts, self._lessons.start(), trials)
        assert not (won and self.arena.space.self_checks) or algebra.implies(starts, self.win_everywhere())
        return won

    def _search(self, starts: Bdd, start: int, trials: int | None) -> bool:
        work = self.arena.space.work
        while True:
            decisions = self._lessons.decide(start)
            if decisions is None or self.tried == trials:
                return False
            self.tried += 1
            note_trial(work, self._lessons)
            strategy = self._plays.strategy(decisions)
            refutations = self._trial.refute(strategy, starts)
            if not refutations:
                self.found = strategy
                return True
            for refutation in refutations:
                self._lessons.begins(start, refutation.nodes[0])
                self._lessons.learn(refutation, decisions)
                for node in refutation.nodes:
                    self._look_ahead(node)
            self._blame(refutations, decisions, start, starts)

    def _blame(
        self, refutations: Sequence[Refutation], decisions: dict[Situation, Act], start: int, starts: Bdd
    ) -> None:
        """Find out which decisions are really to blame, as long as that takes no longer than the trials do."""
        if self.labelling.fairness or self.objective.single or self.tried < self._patience.trials:
            return
        for refutation in refutations:
            began = thread_time()
            if self._clock.blaming > self._patience.side_work * (began - self._clock.started - self._clock.blaming):
                return
            steps = len(refutation.nodes) if refutation.loop is None else None
            blamed = self._lessons.taken_on(refutation, decisions)
            self._lessons.never_together(start, self._nogoods.shrink(blamed, starts, steps))
            self._clock.blaming += thread_time() - began

    def _look_ahead(self, node: Node) -> None:
        """Exclude all choices that lose at once in a state that plays visit."""
        if node.phase is not Phase.WAITING or node in self._looked:
            return
        self._looked.add(node)
        here = self.losing & self.arena.space.encoding.singleton(node.state)
        if here == self.algebra.false:
            return
        situations = self._lessons.literals(node.state)
        options = [self.arena.allowed(situation, node.state) for situation in situations]
        count = 1
        for actions in options:
            count *= len(actions)
        if count > self._patience.joint_choices:
            return
        does = {player.name: player.does for player in self.arena.players}
        for choice in product(*options):
            left = here
            for situation, action in zip(situations, choice, strict=True):
                left = left & does[situation.agent][action]
            if left != self.algebra.false:
                self._lessons.exclude(node, list(zip(situations, choice, strict=True)))

    def decisions(self, states: list[State]) -> dict[Situation, Act]:
        """What the strategy found does in the situations of the given states."""
        assert self.found is not None
        plays = Plays(self.arena, self.found)
        return {situation: plays.preferred(situation) for state in states for situation in self.arena.situations(state)}

    def win_everywhere(self) -> Bdd:
        """All states from which the strategy found last wins."""
        assert self.found is not None
        return self._trial.wins(self.found, self.arena.universe)

    def close(self) -> None:
        """Release the solver, if one was needed."""
        if "_lessons" in self.__dict__:
            self._lessons.close()
