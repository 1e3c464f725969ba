"""A session of the lazy engine."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from epistrat.answers.advice import Setting
from epistrat.encoding.transitions import NotEncodable
from epistrat.engines.contract import Facts, Options, Outcome, Progress, Session, Verdict, Watcher, silent
from epistrat.engines.lazy.branching import Violations, reaching
from epistrat.engines.lazy.linear import LinearSearch
from epistrat.engines.lazy.provers import Provers
from epistrat.engines.lazy.question import Invariant, Linear, Refused, shape
from epistrat.engines.lazy.search import InvariantSearch, MayEnd
from epistrat.engines.lazy.stepped import joint_action
from epistrat.engines.lazy.tuning import LazyTuning
from epistrat.engines.unanswered import unanswered
from epistrat.evidence import Path, Tree
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.logic.fragment import reached
from epistrat.logic.nested import looking_back
from epistrat.model.system import System
from epistrat.proving.contract import NotARun, Partly, Trace, Undecided
from epistrat.records import dataclass, field, replace
from epistrat.solvers.budget import Budget, Cancelled, OutOfBudget

_ADVICE = (Setting("time"), "another engine")
_MOST_NOTES = 5  # lemmas that an unfinished answer names
_LONGEST_NOTE = 300  # characters of one


@dataclass
class LazySession(Session):
    """Proof search at work on one system."""

    system: System
    options: Options
    budget: Budget
    watch: Watcher = silent
    _provers: Provers | None = None
    _search: InvariantSearch | None = None
    _asked: Formula = logic.Truth(True)
    _statistics: dict[str, Any] = field(default_factory=dict)

    def check(self, formula: Formula) -> Outcome:
        """The verdict, or Unknown with what was found out."""
        self._search = None
        self._asked = formula
        try:
            outcome = self._answer(formula)
        except (NotARun, NotEncodable, Refused) as reason:
            return Outcome(Verdict.UNKNOWN, reason=str(reason), advice=_ADVICE, statistics=self.statistics())
        except OutOfBudget as reason:
            return self.unfinished(reason)
        self._statistics = dict(outcome.statistics)
        return outcome

    def _answer(self, formula: Formula) -> Outcome:
        if self._provers is None:
            tuning = self.options.tuned(LazyTuning)
            if tuning.cross_check:
                if not self.system.finite and find_spec("cvc5") is None:
                    raise Refused("there is no second solver to cross-check with: pip install 'epistrat[cross-check]'")
                self.budget = replace(self.budget, cross_check=True)
            self._provers = Provers(self.system, tuning, self.budget)
        goal = reached(formula)
        if goal is not None:
            return reaching(self.system, formula, goal, self._provers, self._tell, self.options.evidence)
        nested = looking_back(formula)
        if nested is not None:
            return self._nested(formula, nested, self._provers)
        asked = shape(formula)
        if isinstance(asked, Invariant):
            try:
                self._search = InvariantSearch(self.system, formula, self._provers, self._tell)
                return self._search.outcome(self.options.evidence)
            except MayEnd:
                if not asked.runs:
                    raise
            asked = Linear(logic.Globally(asked.body))
        linear = LinearSearch(self.system, formula, asked.body, self._provers, self._tell)
        return linear.outcome(self.options.evidence)

    def _nested(self, formula: Formula, body: Formula, provers: Provers) -> Outcome:
        """Whether an AG with further ones inside holds, by what it says looking back."""

        def exhibit(trace: Trace) -> Tree | None:
            states = tuple(tuple([values[one.key] for one in self.system.variables]) for values in trace.states)
            run = Path(states, tuple(joint_action(self.system, inputs) for inputs in trace.inputs))
            return Violations(self.system, run).tree(formula)

        always = logic.ForAll(logic.Globally(body))
        self._search = InvariantSearch(self.system, always, provers, self._tell, exhibit)
        return self._search.outcome(self.options.evidence)

    def unfinished(self, limit: OutOfBudget) -> Outcome:
        """Unknown, with what was found out before a limit was reached or nothing was left to try."""
        if isinstance(limit, Cancelled):
            return Outcome(Verdict.UNKNOWN, reason=str(limit), statistics=self.statistics())
        reached = str(limit) if isinstance(limit, Partly) else "" if self._search is None else self._search.reached
        told = unanswered(self.system, self._asked, "" if isinstance(limit, Undecided) else str(limit), reached)
        statistics, notes = self.statistics(), self._settled()
        return Outcome(Verdict.UNKNOWN, reason=told.reason, advice=told.advice, notes=notes, statistics=statistics)

    def _settled(self) -> tuple[str, ...]:
        """What was found out about knowledge before the end; everything else is open."""
        lemmas = [] if self._search is None else [str(one) for one in self._search.learnt]
        shown = [f"settled: {lemma}" for lemma in lemmas if len(lemma) < _LONGEST_NOTE][:_MOST_NOTES]
        return (*shown, "open: all other observations") if lemmas else ()

    def _tell(self, rounds: int, lemmas: int) -> None:
        self.watch(Progress("learning about knowledge", {"rounds": rounds, "lemmas": lemmas}))

    def facts(self) -> Facts:
        """Proof search does not count states."""
        return Facts(states=None, reason="proof search does not count states")

    def statistics(self) -> Mapping[str, Any]:
        """What the last question took."""
        return dict(self._statistics)

    def close(self) -> None:
        """Forget what was found out."""
        self._provers = None
