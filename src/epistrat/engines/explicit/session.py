"""The explicit engine at work on one system."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from epistrat.answers.advice import Setting
from epistrat.engines.contract import Facts, Options, Outcome, Session, Strategies, Verdict, Watcher
from epistrat.engines.explicit.facts import facts_of, facts_of_reduced
from epistrat.engines.explicit.interleaved import InterleavedSuccessors
from epistrat.engines.explicit.label import MaskLabels
from epistrat.engines.explicit.layout import Layout
from epistrat.engines.explicit.mask_space import MaskSpace
from epistrat.engines.explicit.reduction.automata import NotReducible
from epistrat.engines.explicit.reduction.space import Reducer
from epistrat.engines.explicit.space import ExplicitSpace, full_successors
from epistrat.engines.explicit.tables.decisions import FEW_NODES, NODES
from epistrat.engines.explicit.tuning import ExplicitTuning
from epistrat.engines.explicit.verdict import by_proposals, propositional_invariant, quantified, satisfied
from epistrat.engines.readings import Refused, readings
from epistrat.engines.witness.attempts import defeated
from epistrat.engines.witness.linear import TooLarge
from epistrat.engines.witness.outcome import plain_states_suffice, remarked, with_evidence
from epistrat.logic.formula import Coalition, ForAll, Formula, Tagged, is_state, subformulae
from epistrat.logic.fragment import OF_HISTORIES, OF_NAMES, fragment
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.solvers.bdd import OutOfNodes
from epistrat.solvers.budget import Budget, OutOfBudget

_ADVICE = (Setting("time"), Setting("memory"), Setting("states"), Setting("engine", "symbolic"))


class ExplicitSession(Session):
    """Explores the states once (and each reduced space once) and answers every formula on them."""

    def __init__(self, system: System, options: Options, budget: Budget, watch: Watcher) -> None:
        self._system, self._options = system, options
        self._budget, self._watch = budget, watch
        layout = Layout(system, budget.patience)
        self._successors = full_successors(layout)
        self._full = ExplicitSpace(layout, self._successors, budget, watch, options.strategies)
        self._reducer: Reducer | None = None
        if isinstance(self._successors, InterleavedSuccessors):
            self._reducer = Reducer(self._successors, budget, watch, options.strategies)
        self._facts: Facts | None = None
        self._seconds = 0.0
        self._mode = options.tuned(ExplicitTuning).reduce

    def check(self, formula: Formula) -> Outcome:
        """Does every initial state satisfy the formula?"""
        started = time.monotonic()
        asked, formula = formula, self._quantified(formula)
        notes: tuple[str, ...] = ()
        space = self._full
        try:
            if fragment(asked).features & OF_NAMES:
                self._full.record((formula,))
                holds, labels = self._with_names(formula)
                outcome = self._outcome(holds, space, notes)
                return self._shown(outcome, asked, labels) if self._options.evidence else outcome
            space, notes = self._space(formula)
            holds = self._holds(space, formula)
            assert not self._budget.patience.self_checks or holds is self._holds_everywhere(formula), "a short cut"
        except OutOfBudget as limit:
            return self._unknown(limit, notes)
        except Refused as refusal:
            return Outcome(Verdict.UNKNOWN, reason=str(refusal), statistics=self._sizes(space))
        finally:
            self._seconds += time.monotonic() - started
            space.forget_some()
        outcome = self._outcome(holds, space, notes)
        if not self._options.evidence:
            return outcome
        if fragment(asked).features & OF_HISTORIES:
            return self._with_histories(outcome, asked, space)
        return self._with_evidence(outcome, asked, space)

    def _outcome(self, holds: bool, space: ExplicitSpace, notes: tuple[str, ...]) -> Outcome:
        return Outcome(Verdict.HOLDS if holds else Verdict.FAILS, notes=notes, statistics=self._sizes(space))

    def remark(self, formula: Formula, verdict: Verdict) -> Outcome:
        """One tree, or notes, about all states."""
        if not self._full.complete or fragment(formula).features & (OF_NAMES | OF_HISTORIES):
            return Outcome(verdict)
        return remarked(verdict, formula, lambda: MaskSpace(self._full.labels(), False))

    def facts(self) -> Facts:
        """What the reachable states look like.

        If formulae were checked on reduced spaces, all states are counted only where they are few; dead ends are known all the same.
        """
        if self._facts is None:
            try:
                self._facts = self._find_facts()
            except OutOfBudget as limit:
                return Facts(states=None, reason=f"{limit} after {len(self._full.explorer):,} states")
        return self._facts

    def statistics(self) -> Mapping[str, Any]:
        """Sizes and seconds so far."""
        reduced = [self._sizes(space) for space in self._reducer.spaces()] if self._reducer else []
        return self._sizes(self._full) | {"seconds": self._seconds} | ({"reduced spaces": reduced} if reduced else {})

    def seen(self) -> int:
        """How many states were found."""
        return len(self._full.explorer)

    def fewest(self) -> int:
        """How many states were found."""
        return len(self._full.explorer)

    def close(self) -> None:
        """Forget the states."""
        self._reducer = None
        self._full = self._fresh(self._budget)

    def unfinished(self, limit: OutOfBudget) -> Outcome:
        """Unknown, with how many states were found."""
        return self._unknown(limit, ())

    def _space(self, formula: Formula) -> tuple[ExplicitSpace, tuple[str, ...]]:
        """Where to check the formula, and what to tell about that choice."""
        if self._mode == "off" or self._reducer is None or fragment(formula).features & OF_HISTORIES:
            self._full.record((formula,) if self._system.interleaved else (formula, *self._system.formulae))
            return self._full, ()
        try:
            return self._reducer.space(formula, self._mode), ()
        except NotReducible as reason:
            return self._full, (f"checked on all states: {reason}",)

    def _quantified(self, formula: Formula) -> Formula:
        """With A in front where it is meant; below names, goals are about the runs that strategies leave."""
        if not fragment(formula).features & OF_NAMES:
            return quantified(formula)
        return formula if is_state(formula) else ForAll(formula, star=True)

    def _shown(self, outcome: Outcome, formula: Formula, labels: MaskLabels | None) -> Outcome:
        """With evidence about strategies of other kinds than ATL's."""
        if labels is None:  # found by proposals: diagrams of all tables are too large
            return replace(outcome, notes=(*outcome.notes, "no evidence: the tables of all strategies are too large"))
        if not plain_states_suffice(formula):
            return outcome
        try:
            with labels.guard():
                return with_evidence(outcome, formula, self._options, lambda: MaskSpace(labels))
        except OutOfNodes:
            return replace(outcome, notes=(*outcome.notes, "no evidence: the limit of nodes was reached"))

    def _with_names(self, formula: Formula) -> tuple[bool, MaskLabels | None]:
        """Whether all initial states satisfy a formula with strategies of other kinds than ATL's; by tables, or games with memory."""
        asked = formula.arg if isinstance(formula, Tagged) else formula
        for nodes in (FEW_NODES, NODES):
            labels = self._full.read(readings(formula, self._options), nodes)
            try:
                with labels.guard():
                    return satisfied(labels, asked), labels
            except OutOfNodes:
                pass
            if nodes == FEW_NODES:
                found = self._by_proposals(formula, asked)
                if found is not None:
                    return found, None
        raise OutOfBudget("the limit of nodes for strategies was reached")

    def _by_proposals(self, formula: Formula, asked: Formula) -> bool | None:
        """As `_with_names`, one proposal after the other; None where that cannot be, or where diagrams are too large again."""
        labels = self._full.read(readings(formula, self._options), NODES)
        try:
            with labels.guard():
                return by_proposals(labels, asked)
        except OutOfNodes:
            return None

    def _holds(self, space: ExplicitSpace, formula: Formula) -> bool:
        """An invariant that is a condition needs no labels, and ends with the first state that violates it.

        Assumes no fairness: a state that violates it may lie on no fair path.
        """
        body = propositional_invariant(self._system, formula)
        if body is not None and not self._system.fairness:
            return space.always(body)
        return satisfied(space.labels(), formula)

    def _holds_everywhere(self, formula: Formula) -> bool:
        """As `_holds`, by labels of all states: without reduction, and without ending early."""
        return satisfied(self._fresh(self._budget).labels(), formula)

    def _fresh(self, budget: Budget) -> ExplicitSpace:
        """All states, none of them seen yet, with strategies read as this session reads them."""
        return ExplicitSpace(self._full.layout, self._successors, budget, self._watch, self._options.strategies)

    def _with_evidence(self, outcome: Outcome, formula: Formula, space: ExplicitSpace) -> Outcome:
        body = propositional_invariant(self._system, formula)
        if isinstance(formula, ForAll) and body is not None and outcome.verdict is Verdict.FAILS and not space.complete:
            return replace(outcome, evidence=space.violation(formula, body))
        try:
            if space is not self._full and any(isinstance(part, Coalition) for part in subformulae(formula)):
                space = self._for_strategies()
            labels = space.labels()
        except OutOfBudget as limit:
            return replace(outcome, notes=(*outcome.notes, f"no evidence: {limit}"))
        if not plain_states_suffice(formula):
            return outcome
        shown = with_evidence(outcome, formula, self._options, lambda: MaskSpace(labels, space is not self._full))
        return defeated(shown, formula, self._system, self._options, self._open_pruned)

    def _with_histories(self, outcome: Outcome, formula: Formula, space: ExplicitSpace) -> Outcome:
        """With a tree about histories; where a limit ends the search for it, without."""
        if not (self._options.examples or outcome.verdict is Verdict.FAILS):
            return outcome
        from epistrat.engines.explicit.histories.shown import shown

        try:
            tree = shown(space.labels(), formula, outcome.verdict is Verdict.HOLDS)
        except (Refused, TooLarge):
            return outcome
        except OutOfBudget as limit:
            return replace(outcome, notes=(*outcome.notes, f"no evidence: {limit}"))
        return replace(outcome, evidence=tree)

    def _open_pruned(self, system: System) -> Session:
        """A session on a system whose agents follow a strategy."""
        options = replace(self._options, strategies=Strategies.ANY, uniform_group=None)
        return ExplicitSession(system, options, self._budget, self._watch)

    def _for_strategies(self) -> ExplicitSpace:
        """All states, as long as they are few: a strategy is shown with what it does in all states that its plays visit."""
        most = self._budget.patience.shown_states
        few = replace(self._budget, states=min(most, self._budget.states or most))
        space = self._fresh(few)
        space.explored()
        self._full = space
        return space

    def _find_facts(self) -> Facts:
        reduced = [space for space in self._reducer.spaces() if space.complete] if self._reducer else []
        if reduced and not self._full.explorer.done:
            most = self._budget.patience.counted_states
            few = replace(self._budget, states=min(most, self._budget.states or most))
            space = self._fresh(few)
            try:
                space.explored()
            except OutOfBudget:
                self._budget.check()
                return facts_of_reduced(reduced[0])
            self._full = space
        return facts_of(self._full)

    def _unknown(self, limit: OutOfBudget, notes: tuple[str, ...]) -> Outcome:
        spaces = [self._full, *(self._reducer.spaces() if self._reducer else [])]
        furthest = max(spaces, key=lambda space: len(space.explorer))
        return Outcome(
            Verdict.UNKNOWN,
            reason=f"{limit} after {len(furthest.explorer):,} states",
            advice=_ADVICE,
            notes=notes,
            statistics=self._sizes(furthest),
        )

    def _sizes(self, space: ExplicitSpace) -> dict[str, Any]:
        return {"states": len(space.explorer), **space.statistics()}
