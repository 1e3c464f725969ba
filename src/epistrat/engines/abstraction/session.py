"""One system under predicate abstraction: from a formula to a verdict, refining as long as the budget lasts."""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import islice
from typing import Any

from epistrat.encoding.smt.initial import some_initial_states
from epistrat.engines.abstraction.choices import domains_of
from epistrat.engines.abstraction.cone import cone_of
from epistrat.engines.abstraction.enumerate import Enumerator
from epistrat.engines.abstraction.evidence import Witnesses
from epistrat.engines.abstraction.grids import grid_of
from epistrat.engines.abstraction.label import AbstractLabels
from epistrat.engines.abstraction.lassos import along, violating_lasso
from epistrat.engines.abstraction.point import Points
from epistrat.engines.abstraction.prefix import Guess, Prefix, PrefixLabels
from epistrat.engines.abstraction.readings import branching, over_all_runs, over_infinite_runs
from epistrat.engines.abstraction.refine import Refinement
from epistrat.engines.abstraction.space import Diagrams
from epistrat.engines.abstraction.tuning import AbstractionTuning
from epistrat.engines.contract import Facts, Options, Outcome, Progress, Session, Verdict, Watcher, silent
from epistrat.engines.unanswered import unanswered
from epistrat.engines.witness.facts import facts_of
from epistrat.evidence import Around, Derivation, Descent, Invariant, Region, Stated, Tree, walk
from epistrat.evidence.points import point_claim
from epistrat.logic.formula import And, Formula, Truth
from epistrat.model.explore import explore
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass, field, replace
from epistrat.solvers.bdd import OutOfNodes
from epistrat.solvers.budget import Budget, Cancelled, OutOfAddressSpace, OutOfBudget

_NO_BRANCHING = "no formula of branching time means the same, and others are not answered for unbounded variables"
_MOST_INITIAL = 200  # initial states that exploration starts from
_MOST_COUNTED = 1000  # states; more are not counted
_MOST_FOR_EVIDENCE = 4  # abstractions built for evidence alone
_ON_ALL_RUNS = (Invariant, Region, Descent, Derivation)
"""Reasons that, where they show ``A f`` of all runs, show it of the infinite ones."""
_MORE_SPACE = ("a larger limit on the address space (ulimit -v)", "--engine lazy")


@dataclass
class AbstractionSession(Session):
    """Abstraction at work on one system."""

    system: System
    options: Options
    budget: Budget
    watch: Watcher = silent
    _statistics: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._tuning = self.options.tuned(AbstractionTuning)
        self._stepper = Stepper(self.system)
        self._enumerator = Enumerator(domains_of(self.system), grid_of(self.system), self.budget)
        self._diagrams = Diagrams()
        self._prefix: Prefix | None = None
        self._infinite_runs = False
        self._labels: AbstractLabels | None = None
        self._asked: Formula = Truth(True)

    # -- checking -------------------------------------------------------------------------------------------------

    def check(self, formula: Formula) -> Outcome:
        """The verdict, or Unknown with the reason."""
        asked = branching(formula)
        if asked is None:
            return Outcome(
                Verdict.UNKNOWN,
                reason="no formula of branching time means the same, and others are not answered for unbounded variables",
            )
        self._infinite_runs = over_infinite_runs(formula) and not self.system.fairness
        self._asked = formula
        started = time.monotonic()
        self._labels = None
        try:
            verdict = self._decide(asked)
        except Cancelled as reason:
            return Outcome(Verdict.UNKNOWN, reason=str(reason), statistics=self.statistics())
        except OutOfAddressSpace as reason:
            return Outcome(Verdict.UNKNOWN, str(reason), _MORE_SPACE, statistics=self.statistics())
        except OutOfBudget as reason:
            return self._unknown(str(reason))
        except OutOfNodes:
            return self._unknown("memory for sets of states ran out")
        finally:
            self._statistics["seconds"] = self._statistics.get("seconds", 0.0) + time.monotonic() - started
        if verdict is None:
            return self._unknown("")
        found = Outcome(Verdict.HOLDS if verdict else Verdict.FAILS, statistics=self.statistics())
        return self._shown(found, formula, asked) if self.options.evidence and not self.system.fairness else found

    def _shown(self, found: Outcome, formula: Formula, asked: Formula) -> Outcome:
        """The outcome with evidence, by way of the formula in branching time that was answered in the other's place."""
        verdict = found.verdict is Verdict.HOLDS
        if not self._infinite_runs:
            return replace(found, evidence=self._evidence(asked, verdict))
        tree = self._evidence(over_all_runs(asked), verdict)
        if tree is None:
            return found
        claim = point_claim(formula)
        lasso = None if verdict else violating_lasso(self.system, self._stepper, claim, tree)
        if lasso is not None:
            return replace(found, evidence=Tree(tree.state, claim, False, (Around(lasso),)))
        moment = len(along(tree)[0].actions)
        notes = (f"it goes wrong at moment {moment} of some run",) if moment and not verdict else ()
        shown = tree.because if verdict and all(isinstance(one, _ON_ALL_RUNS) for one in tree.because) else ()
        return replace(found, evidence=Tree(tree.state, claim, verdict, shown or (Stated(),)), notes=notes)

    def _evidence(self, formula: Formula, verdict: bool) -> Tree | None:
        """A tree for the verdict, as far as the explored states and the abstractions show one."""
        tree = self._tree(formula, verdict, self._labels)
        if tree is None or not any(Stated() in one.because for one in walk(tree)):
            return tree
        try:
            for labels in islice(self._refinement(formula).rounds(), self.budget.patience.most(_MOST_FOR_EVIDENCE)):
                if self._guess(labels)(formula, tree.state) is verdict:
                    return self._tree(formula, verdict, labels) or tree
        except (OutOfBudget, OutOfNodes):
            return tree
        return tree

    def _tree(self, formula: Formula, verdict: bool, labels: AbstractLabels | None) -> Tree | None:
        guess = self._guess(labels) if labels is not None else lambda part, state: None
        try:
            return Witnesses(self.prefix(), PrefixLabels(self.prefix(), guess), labels, guess).root(formula, verdict)
        except OutOfBudget:
            return None

    def _unknown(self, limit: str) -> Outcome:
        """Unknown, with how far exploration has come; no solver and no diagram is asked."""
        count = 0 if self._prefix is None else len(self._prefix.states)
        reached = "" if count < 2 else f"{count:,} states were looked at and do not decide it"
        told = unanswered(self.system, self._asked, limit, reached)
        return Outcome(Verdict.UNKNOWN, reason=told.reason, advice=told.advice, statistics=self.statistics())

    def unfinished(self, limit: OutOfBudget) -> Outcome:
        """Unknown, with how far exploration has come."""
        return self._unknown(str(limit))

    def _decide(self, formula: Formula) -> bool | None:
        prefix = self.prefix()
        prefix.expand(self._tuning.first_look)
        verdict = self._of_prefix(prefix, formula, lambda part, state: None)
        if verdict is not None or (prefix.complete and not self.system.fairness):
            return verdict
        refinement = self._refinement(formula)
        for labels in refinement.rounds():
            space = labels.space
            self._labels = labels
            self._statistics["rounds"] = refinement.round
            self._statistics["predicates"] = len(space.basis.predicates)
            self._statistics["abstract states"] = space.count(space.reached)
            verdict = self._of_abstraction(labels, prefix, refinement.formula)
            if verdict is not None or (
                self._infinite_runs and (space.dead_ends() & labels.sure) != space.algebra.false
            ):
                return verdict
        return None

    def _refinement(self, formula: Formula) -> Refinement:
        return Refinement(
            self.system,
            self._stepper,
            cone_of(self.system, And((formula, *self.system.fairness))),
            self._enumerator,
            self._diagrams,
            self.prefix(),
            formula,
            self._tuning,
            self.budget,
            self.watch,
        )

    def _of_abstraction(self, labels: AbstractLabels, prefix: Prefix, formula: Formula) -> bool | None:
        space = labels.space
        if self._infinite_runs and space.dead_ends() != space.algebra.false:
            return None
        label = labels.label(formula)
        start = space.initial & labels.counts
        if space.algebra.implies(start, label.yes):
            return True
        if (start & label.no & labels.surely_counts) != space.algebra.false and not space.incomplete:
            return False
        return self._of_prefix(prefix, formula, self._guess(labels))

    def _guess(self, labels: AbstractLabels) -> Guess:
        """What an abstraction says of concrete states."""
        space = labels.space
        points = Points(space, self._stepper.evaluator)

        def guess(part: Formula, state: State) -> bool | None:
            point, known = points.of(state), labels.label(part)
            if space.algebra.implies(point, known.yes):
                return True
            return False if space.algebra.implies(point, known.no) else None

        return guess

    def _of_prefix(self, prefix: Prefix, formula: Formula, guess: Guess) -> bool | None:
        if self.system.fairness or (self._infinite_runs and not prefix.endless):
            return None
        known = PrefixLabels(prefix, guess).label(formula)
        start = set(prefix.initial)
        if start & known.no:
            return False
        return True if prefix.all_initial and start <= known.yes else None

    def prefix(self) -> Prefix:
        """The concrete states explored so far, from initial states of which some are listed."""
        if self._prefix is None:
            begun = Prefix(stepper=self._stepper, budget=self.budget)
            begun.start(*some_initial_states(self.system, self.budget.patience.most(_MOST_INITIAL), self.budget))
            self._prefix = begun  # not before: an interrupted start would look like a system without initial states
        return self._prefix

    # -- the rest of the contract -----------------------------------------------------------------------------------

    def facts(self) -> Facts:
        """What is known of the state space: its size, if it was small enough to be explored."""
        if self.system.fairness:
            return Facts(states=None, reason="under fairness the states of unbounded models are not counted")
        try:
            prefix = self.prefix()
            prefix.expand(max(self.budget.patience.most(_MOST_COUNTED), self._tuning.first_look))
            if prefix.complete:
                graph = explore(self._stepper, [prefix.states[number] for number in prefix.initial])
                return facts_of(self._stepper, graph, None, self.budget)
        except OutOfBudget as reason:
            return Facts(states=None, reason=str(reason))
        return Facts(states=None, reason="they are too many to be counted, perhaps infinitely many")

    def statistics(self) -> Mapping[str, Any]:
        """Sizes and seconds so far."""
        given_up = {"queries given up": self._enumerator.given_up} if self._enumerator.given_up else {}
        return dict(self._statistics) | {"solver queries": self._enumerator.queries} | given_up

    def close(self) -> None:
        """Forget the states."""
        self._prefix = None

    def tell(self, phase: str, **counts: int) -> None:
        """Report progress."""
        self.watch(Progress(phase, counts))
