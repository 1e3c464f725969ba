"""Checkers for the readings of strategies in which agents act on what they see."""

from __future__ import annotations

from epistrat.encoding.lazily import lazy
from epistrat.engines.contract import Options, Strategies
from epistrat.engines.fixpoints.label import Labelling
from epistrat.engines.readings import Refused
from epistrat.engines.symbolic.candidates import Candidate
from epistrat.engines.symbolic.checker import Checker
from epistrat.engines.symbolic.uniform.label import UniformLabelling
from epistrat.engines.symbolic.uniform.lessons import begin
from epistrat.engines.symbolic.uniform.prune import Pruning
from epistrat.engines.symbolic.work import Work
from epistrat.evidence import UniformStrategy
from epistrat.logic.formula import And, Coalition, Formula, Group
from epistrat.logic.fragment import OF_HISTORIES, fragment


def open_checker(candidate: Candidate, work: Work, search: str, options: Options) -> Checker:
    """A checker for the reading of strategies that was asked for."""
    match options.strategies:
        case Strategies.ANY:
            return Checker(candidate, work, search)
        case Strategies.UNIFORM:
            return PruningChecker(candidate, work, search, options.uniform_group)
        case reading:
            return ImperfectChecker(candidate, work, search, reading is Strategies.SUBJECTIVE)


class ImperfectChecker(Checker):
    """Coalition operators need uniform strategies: from the current state, or from all that look the same."""

    def __init__(self, candidate: Candidate, work: Work, search: str, subjective: bool) -> None:
        super().__init__(candidate, work, search)
        self._subjective = subjective

    @lazy
    def plain(self) -> Labelling:
        """Labels over all reachable states, without fairness."""
        return UniformLabelling(self.space, self.space.reachable, (), self.label_paths, self._subjective)

    @lazy
    def labels(self) -> Labelling:
        """Labels as formulae are read."""
        if not self.system.fairness:
            return self.plain
        with self.work.doing("fair states"):
            universe = Labelling(self.space, self.space.reachable, self.fairness).temporal.eg(self.space.reachable)
        return UniformLabelling(self.space, universe, self.fairness, self.label_paths, self._subjective)

    def decide(self, formula: Formula) -> bool:
        """Whether the formula holds in all initial states of the universe."""
        begin(self.work)
        return super().decide(formula)

    def _holds(self, formula: Formula) -> bool:
        match formula:
            case And(args):
                return all(self._holds(arg) for arg in args)
            case Coalition():
                labels = self.labels
                assert isinstance(labels, UniformLabelling)
                return labels.holds_in(formula, self.asked)
        return super()._holds(formula)


class PruningChecker(Checker):
    """Some uniform strategies of the followers, fixed beforehand, make the whole formula true."""

    def __init__(self, candidate: Candidate, work: Work, search: str, followers: tuple[str, ...] | None) -> None:
        super().__init__(candidate, work, search)
        everybody = tuple(agent.name for agent in self.system.agents)
        self._followers = Group(everybody if followers is None else followers)
        self._pruning: Pruning | None = None

    def decide(self, formula: Formula) -> bool:
        """Whether some pruning makes the formula true in all initial states."""
        if fragment(formula).features & OF_HISTORIES:
            raise Refused("decision diagrams do not answer about histories where agents fix their rules first")
        begin(self.work)
        self._pruning = Pruning(self, self._followers, super().decide)
        return self._pruning.decide(formula)

    def strategy(self, most: int) -> UniformStrategy | None:
        """The strategy that made the last formula true, if it did and is not too long to list."""
        if self._pruning is None or self._pruning.found is None:
            return None
        with self.space.algebra.guard():
            return self._pruning.table(most)
