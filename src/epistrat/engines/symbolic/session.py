"""Sessions of the symbolic engine: build once, answer formulae one by one, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from epistrat.answers.advice import Advice, Setting
from epistrat.engines.contract import Facts, Options, Outcome, Rival, Session, Strategies, Verdict, Watcher
from epistrat.engines.readings import Kind, Refused, kinds
from epistrat.engines.symbolic.bdd_space import BddSpace
from epistrat.engines.symbolic.candidates import Candidate, Candidates
from epistrat.engines.symbolic.checker import Checker
from epistrat.engines.symbolic.facts import find_facts
from epistrat.engines.symbolic.tuning import SymbolicTuning
from epistrat.engines.symbolic.work import Work
from epistrat.engines.witness.attempts import defeated, refuted, under_strategy
from epistrat.engines.witness.outcome import needs_no_labels, plain_states_suffice, remarked, with_evidence
from epistrat.logic.formula import Formula
from epistrat.logic.fragment import OF_HISTORIES, OF_NAMES, fragment
from epistrat.logic.sentences import without_names
from epistrat.model.system import System
from epistrat.solvers.bdd import OutOfNodes
from epistrat.solvers.bdd.algebra import NODES
from epistrat.solvers.budget import Budget, OutOfBudget, memory_in_use, memory_reached

if TYPE_CHECKING:
    from epistrat.evidence.proof.prove import Hinted

T = TypeVar("T")
_NODE_BYTES = 36  # a node with its share of the unique table
_CACHE_BYTES = 90 << 20  # what the caches of operations take
_FEWEST_NODES = 1 << 16  # however little memory is left
_RIVAL_NODES = 1 << 20  # the least that another order may have
_RIVALS_JOIN = 20_000_000  # work after which another order is tried (15 million: robots 32 takes 12 s instead of 10)
_ADVICE: Advice = (Setting("time"), Setting("memory"), "another engine")


def _node_limit(budget: Budget) -> int:
    """As many nodes as are allowed and fit into the memory allowed: then no single operation can overstep the limit by much."""
    nodes = budget.nodes or NODES
    if budget.memory is None:
        return nodes
    left = budget.memory - memory_in_use() - _CACHE_BYTES
    return max(_FEWEST_NODES, min(nodes, left // _NODE_BYTES))


class SymbolicSession(Session):
    """The engine at work on one system."""

    def __init__(self, system: System, options: Options, budget: Budget, watch: Watcher) -> None:
        self.system = system
        self.options = options
        self.tuning = options.tuned(SymbolicTuning)
        self._nodes = _node_limit(budget)
        self.examples = options.examples if options.evidence and options.strategies is not Strategies.UNIFORM else 0
        self.work = Work(budget, watch)
        self._candidates: Candidates | None = None
        self._checker: Checker | None = None
        self._exhausted = False
        self._facts: Facts | None = None

    @property
    def budget(self) -> Budget:
        """What further questions may cost; may be replaced between questions."""
        return self.work.budget

    @budget.setter
    def budget(self, budget: Budget) -> None:
        self.work.budget = budget

    def check(self, formula: Formula) -> Outcome:
        """Does every initial state (in the universe) satisfy the formula?"""

        def decide(checker: Checker) -> Outcome:
            asked = formula
            if Kind.NAMES_FORCED in kinds(self.system, formula, self.options):
                checker.remembering.require_next_states()
                asked = without_names(formula)
            verdict = Verdict.HOLDS if checker.decide(asked) else Verdict.FAILS
            outcome = Outcome(verdict, statistics=checker.work.statistics())
            if not self.examples:
                return outcome
            return self._shown(outcome, formula, checker)

        outcome = self._within_budget(decide, self._unknown)
        if self.options.strategies is not Strategies.UNIFORM or not self.options.evidence:
            return outcome
        if outcome.verdict is Verdict.FAILS:
            names = self.options.uniform_group
            followers = names if names is not None else tuple(agent.name for agent in self.system.agents)
            return refuted(outcome, formula, self.system, followers, self._open_pruned)
        return self._under_strategy(outcome, formula) if outcome.verdict is Verdict.HOLDS else outcome

    def remark(self, formula: Formula, verdict: Verdict) -> Outcome:
        """One tree, or notes."""
        if (
            self.options.strategies is Strategies.UNIFORM
            or self._checker is None
            or fragment(formula).features & (OF_NAMES | OF_HISTORIES)
        ):
            return Outcome(verdict)
        checker = self._checker
        try:
            with checker.space.algebra.guard(), checker.work.doing("remark"):
                return remarked(verdict, formula, lambda: BddSpace(checker, self.options.strategy_states))
        except (OutOfNodes, MemoryError):
            return Outcome(verdict)

    def _open_pruned(self, system: System) -> Session:
        """A session on the system whose agents follow a strategy."""
        options = replace(self.options, strategies=Strategies.ANY, uniform_group=None)
        return SymbolicSession(system, options, self.budget, self.work.watch)

    def _shown(self, outcome: Outcome, formula: Formula, checker: Checker) -> Outcome:
        """With evidence, where labels over plain states suffice."""
        if fragment(formula).features & OF_HISTORIES:
            return outcome
        if not (needs_no_labels(outcome, formula) or plain_states_suffice(formula)):
            return outcome
        options = replace(self.options, examples=self.examples)
        try:
            with checker.space.algebra.guard(), checker.work.doing("evidence"):
                shown = with_evidence(outcome, formula, options, lambda: BddSpace(checker, options.strategy_states))
        except OutOfNodes:
            return replace(outcome, notes=(*outcome.notes, "no evidence: the limit of nodes was reached"))
        if fragment(formula).features & OF_NAMES:
            return shown
        return defeated(shown, formula, self.system, options, self._open_pruned)

    def _under_strategy(self, outcome: Outcome, formula: Formula) -> Outcome:
        """With evidence about the system whose agents follow the strategy that was found."""
        from epistrat.engines.symbolic.uniform.evidence import strategy_of

        strategy = self._within_budget(strategy_of, lambda *_: None)
        if strategy is None:
            return outcome
        return under_strategy(outcome, formula, self.system, strategy, self._open_pruned)

    def _unknown(self, reason: str, advice: Advice) -> Outcome:
        return Outcome(Verdict.UNKNOWN, reason, advice, statistics=self.work.statistics())

    def facts(self) -> Facts:
        """What the reachable states look like."""
        if self._facts is None:
            found = self._within_budget(find_facts, lambda reason, _: Facts(states=None, reason=reason))
            if found.reason is not None:
                return found
            self._facts = found
        return self._facts

    def statistics(self) -> Mapping[str, Any]:
        """What was done so far."""
        return self.work.statistics() | ({} if self._checker is None else self._checker.statistics())

    def seen(self) -> int:
        """How many states the search has found."""
        return 0 if self._checker is None else self._checker.space.seen

    def fewest(self) -> int:
        """How many states the search had found when it counted last."""
        return 0 if self._checker is None else self._checker.space.fewest

    def counted(self) -> int | None:
        """How many states there are, once the search is done."""
        return None if self._checker is None else self._checker.space.states

    def rivals(self) -> list[Rival]:
        """Sessions with other orders of the variables, and no more nodes than this one has."""
        if self._candidates is None or self.tuning.order != "auto" or self.tuning.plain:
            return []
        made = 0 if self._checker is None else self._checker.space.algebra.nodes()
        nodes = self._nodes if self._exhausted else min(self._nodes, max(_RIVAL_NODES, made))
        choices = self._candidates.rivals()
        others = [(choice, replace(self.tuning, order=choice.switch)) for choice in choices]
        return [Rival(str(one), self.options.with_tuning(tuning), _RIVALS_JOIN, nodes) for one, tuning in others]

    def unfinished(self, limit: OutOfBudget) -> Outcome:
        """Unknown, with how far the search has come."""
        return self._unknown(f"{limit} {self._how_far()}", _ADVICE)

    def exported(self, tick: Callable[[], object] = lambda: None) -> Hinted | None:
        """The order, and the reachable states where they were found."""
        from epistrat.engines.symbolic.exported import exported

        return None if self._checker is None else exported(self._checker, tick)

    def close(self) -> None:
        """Release the diagrams."""
        self._checker = self._candidates = None

    def _within_budget(self, job: Callable[[Checker], T], unknown: Callable[[str, Advice], T]) -> T:
        """The result, or what stands for it when time, memory or nodes run out; the session stays usable."""
        advice: Advice
        try:
            if self._checker is None:
                self._candidates = self._candidates or Candidates(self.system, self.tuning, self._nodes, self.work)
                self._checker = _open(self.options, self._candidates.first(), self.work, self.tuning.search)
            return job(self._checker)
        except Refused as refusal:
            return unknown(str(refusal), ())
        except OutOfBudget as limit:
            reason, advice = str(limit), _ADVICE
        except (OutOfNodes, MemoryError):
            self._exhausted = True
            memory = self.budget.memory
            if memory is not None:
                reason, advice = memory_reached(memory), (Setting("memory"),)
            else:
                reason = f"the limit of {self._nodes:,} nodes was reached"
                advice = (Setting("nodes"), "another order of the variables")
        if self._checker is not None:
            self._checker.space.algebra.collect()  # what was half done is garbage now
        return unknown(f"{reason} {self._how_far()}", advice)

    def _how_far(self) -> str:
        checker, counts = self._checker, self.work.counts
        if checker is None:
            return "while the model was being encoded"
        steps = counts.get("steps of the search", 0)
        if not checker.space.explored:
            return f"after step {steps} of the search for reachable states"
        if self.options.strategies is not Strategies.ANY:
            from epistrat.engines.symbolic.uniform.lessons import how_far

            searched = how_far(counts)
            if searched:
                return f"in the search for strategies: {searched}"
        rounds = counts.get("iterations of fixpoints", 0)
        return f"after all {steps} steps of the search for reachable states and {rounds} of fixpoints"


def _open(options: Options, candidate: Candidate, work: Work, search: str) -> Checker:
    """A checker for the reading of strategies that was asked for."""
    if options.strategies is Strategies.ANY:
        return Checker(candidate, work, search)
    from epistrat.engines.symbolic.uniform.checker import open_checker  # only here: it needs the SAT solver

    return open_checker(candidate, work, search, options)
