"""The engine called ``reference``: the judge, behind the contract that all engines share."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from epistrat.answers.advice import Advice, Setting
from epistrat.engines.contract import (
    About,
    Engine,
    Facts,
    Options,
    Outcome,
    Progress,
    Session,
    Strategies,
    Verdict,
    Watcher,
    silent,
)
from epistrat.engines.needs import Accepts, Constraints, needs, undefined
from epistrat.engines.readings import Refused, is_pruned
from epistrat.engines.reference.early import decided_early
from epistrat.engines.reference.judge import Judge
from epistrat.engines.reference.judge_space import early_evidence, space_of, under_strategy, uniform_strategy
from epistrat.engines.witness.attempts import defeated, refuted
from epistrat.engines.witness.facts import facts_of
from epistrat.engines.witness.outcome import needs_no_labels, with_evidence
from epistrat.logic.formula import Formula, Group
from epistrat.logic.fragment import OF_HISTORIES, OF_NAMES, Feature, fragment, history_quantifiers
from epistrat.model.explore import ReachableGraph, TooManyStates, explore
from epistrat.model.initial import InfinitelyManyInitialStates, initial_states
from epistrat.model.step import Stepper
from epistrat.model.system import Blocking, Scheduling, System
from epistrat.records import dataclass, field, replace
from epistrat.solvers.budget import Budget, OutOfBudget

if TYPE_CHECKING:
    from epistrat.engines.reference.uniform import PrunedStepper

DEFAULT_LIMIT = 200_000
"""How many states are explored where the budget does not say otherwise."""

_ADVICE = (Setting("time"), Setting("states"), "another engine")
_ADVICE_ON_INITIAL_STATES = ("give each unbounded variable a value, or two bounds, in InitStates",)


class ReferenceEngine(Engine):
    """Explicit states, evaluated by the definitions.  Slow; the other engines are tested against it."""

    name = "reference"
    about = About(
        "the definitions, literally",
        "small models; the other engines are tested against it",
        "everything, also where few states of an unbounded model are reachable",
    )
    accepts = Accepts(
        frozenset(Feature) - OF_HISTORIES,
        unbounded=True,
        fairness=Constraints.PAST,
        asynchronous=frozenset(Strategies),
        blocking=frozenset(Blocking),
        scheduling=frozenset(Scheduling),
    )

    def open(self, system: System, options: Options, budget: Budget, watch: Watcher = silent) -> Session:
        """A session on the system."""
        return ReferenceSession(system, options, budget, watch)


@dataclass
class ReferenceSession(Session):
    """The judge at work on one system; the reachable states are found once, unless somebody has ``reached`` them before."""

    system: System
    options: Options
    budget: Budget
    watch: Watcher = silent
    reached: ReachableGraph | None = None
    _stopped: TooManyStates | None = None
    _judge: Judge | None = None
    _facts: Facts | None = None
    _pruned: tuple[PrunedStepper, ReachableGraph] | None = None
    _statistics: dict[str, Any] = field(default_factory=dict)

    def check(self, formula: Formula) -> Outcome:
        """The verdict by the definitions, or Unknown where a limit was reached first."""
        meaningless = undefined(needs(self.system, formula, self.options))
        if meaningless is not None:
            return Outcome(Verdict.UNKNOWN, reason=meaningless)
        try:
            if is_pruned(formula, self.options):
                holds = self._some_pruning_satisfies(formula)
            else:
                holds = self._open_judge().satisfied(formula)
        except OutOfBudget as reason:
            return self._cut_short(formula, reason)
        except Refused as reason:
            return Outcome(Verdict.UNKNOWN, reason=str(reason), statistics=self.statistics())
        outcome = Outcome(Verdict.HOLDS if holds else Verdict.FAILS, statistics=self.statistics())
        if fragment(formula).features & OF_NAMES or not self.options.evidence:
            return outcome
        return self._with_evidence(outcome, formula)

    def _cut_short(self, formula: Formula, reason: OutOfBudget) -> Outcome:
        """Unknown, unless the states that were found decide the formula already."""
        holds = None
        if isinstance(reason, TooManyStates) and self.options.strategies is not Strategies.UNIFORM:
            self._stopped = reason
            holds = decided_early(Stepper(self.system), reason.seen, formula)
        if holds is None:
            advice: Advice = _ADVICE_ON_INITIAL_STATES if isinstance(reason, InfinitelyManyInitialStates) else _ADVICE
            return Outcome(Verdict.UNKNOWN, reason=str(reason), advice=advice, statistics=self.statistics())
        note = "decided by the states that were found before the limit was reached"
        verdict = Verdict.HOLDS if holds else Verdict.FAILS
        outcome = Outcome(verdict, notes=(note,), statistics=self.statistics())
        if not self.options.evidence or not isinstance(reason, TooManyStates):
            return outcome
        return early_evidence(outcome, formula, Stepper(self.system), reason.seen)

    def _with_evidence(self, outcome: Outcome, formula: Formula) -> Outcome:
        if self.options.strategies is Strategies.UNIFORM:
            if self._pruned is not None:
                return self._under_strategy(outcome, formula, *self._pruned)
            return refuted(outcome, formula, self.system, self._followers(), self._open_pruned)
        shown = self._shown(outcome, formula, self._open_judge(), Stepper(self.system), self._reach())
        return defeated(shown, formula, self.system, self.options, self._open_pruned)

    def _open_pruned(self, system: System) -> Session:
        """A session on a system whose agents follow a strategy."""
        options = replace(self.options, strategies=Strategies.ANY, uniform_group=None)
        return ReferenceSession(system, options, self.budget, self.watch)

    def _shown(
        self, outcome: Outcome, formula: Formula, judge: Judge, stepper: Stepper, reached: ReachableGraph
    ) -> Outcome:
        space = space_of(judge, stepper, reached, self.options.strategies)
        if space is None or (history_quantifiers(formula) and not needs_no_labels(outcome, formula)):
            return outcome
        return with_evidence(outcome, formula, self.options, lambda: space)

    def _under_strategy(
        self, outcome: Outcome, formula: Formula, stepper: PrunedStepper, reached: ReachableGraph
    ) -> Outcome:
        judge = Judge(stepper, reached, self.options.strategies, self.budget)
        shown = self._shown(outcome, formula, judge, stepper, reached)
        group = Group(self._followers())
        return under_strategy(shown, uniform_strategy(stepper, reached, group, stepper.decisions))

    def _followers(self) -> tuple[str, ...]:
        names = self.options.uniform_group
        return names if names is not None else tuple(agent.name for agent in self.system.agents)

    def _some_pruning_satisfies(self, formula: Formula) -> bool:
        """Whether some uniform choice of all agents (or of the group asked for) makes the formula true."""
        from epistrat.engines.reference.uniform import prunings

        followers = frozenset(self._followers())
        self._pruned = None
        for tried, (stepper, reached) in enumerate(prunings(self.system, followers, self._explore, self.budget), 1):
            self._statistics["strategies"] = tried
            if Judge(stepper, reached, self.options.strategies, self.budget, self.options).satisfied(formula):
                self._pruned = stepper, reached
                return True
        return False

    def facts(self) -> Facts:
        """What the reachable states look like."""
        if self._facts is None:
            try:
                judge = self._open_judge()
                world = judge.world()
                fair = len({world.graph.state[node] for node in world.nodes}) if self.system.fairness else None
                self._facts = facts_of(Stepper(self.system), self._reach(), fair, self.budget)
            except OutOfBudget as reason:
                return Facts(states=None, reason=str(reason))
        return self._facts

    def statistics(self) -> Mapping[str, Any]:
        """Sizes and seconds so far."""
        return dict(self._statistics)

    def close(self) -> None:
        """Forget the states."""
        self.reached = self._judge = self._stopped = None

    def _open_judge(self) -> Judge:
        if self._judge is None:
            self._judge = Judge(Stepper(self.system), self._reach(), self.options.strategies, self.budget, self.options)
        return self._judge

    def _reach(self) -> ReachableGraph:
        if self._stopped is not None:
            raise self._stopped
        if self.reached is None:
            started = time.monotonic()
            self.reached = self._explore(Stepper(self.system))
            self._statistics["states"] = len(self.reached.states)
            self._statistics["steps"] = sum(map(len, self.reached.steps))
            self._statistics["seconds exploring"] = time.monotonic() - started
        return self.reached

    def _explore(self, stepper: Stepper) -> ReachableGraph:
        limit = self.budget.states if self.budget.states is not None else DEFAULT_LIMIT
        initial = initial_states(self.system, limit, self.budget)
        return explore(stepper, initial, limit, self.budget, self._tell)

    def _tell(self, found: int, expanded: int) -> None:
        self.watch(Progress("exploring", {"states": found, "expanded": expanded}))
