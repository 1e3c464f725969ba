"""A little more than was asked: why a formula fails, in one sentence; that one holds for a trivial reason.

The reference engine finds both where the model is small.  What is small is counted in work, not in seconds, so that the same request gives
the same remarks on every machine; and as the verdict is found a second time on the way, the two are compared.  On larger models the engine
that answered finds them, within a stated part of the work it has done (`epistrat.jobs.Portfolio.remark`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from epistrat.answers import Outcome, Result, Strategies, Verdict
from epistrat.answers.verdict import UNIFORM
from epistrat.engines.contract import Options
from epistrat.engines.registry import load
from epistrat.jobs import Disagreement
from epistrat.logic.formula import Coalition, subformulae
from epistrat.logic.fragment import OF_HISTORIES, OF_NAMES, fragment
from epistrat.model.system import Blocking, Scheduling, System
from epistrat.model.visited import Visited
from epistrat.records import replace
from epistrat.service.small import MOST_LOOKS, MOST_LOOKS_AT_NAMES, Looks, Small
from epistrat.solvers.budget import Budget

if TYPE_CHECKING:
    from epistrat.engines.reference.engine import ReferenceSession
    from epistrat.evidence.replay import Replayer
    from epistrat.evidence.survey import Survey

MOST_REMARKS = 12
"""Formulae of one request."""


Further = Callable[[Result, float], Outcome]


class Remarks:
    """Remarks on the answers about one system."""

    def __init__(
        self,
        system: System,
        options: Options,
        budget: Budget,
        questions: int = 1,
        visited: Visited | None = None,
        survey: Survey | None = None,
    ) -> None:
        self._system = system
        self._survey = survey
        self._visited = visited or Visited(system)
        self._expected = max(1, min(questions, MOST_REMARKS))
        # Where a formula holds there are notes alone, but on strategies of interleaved systems they are about evidence.
        self._options = replace(options, evidence=True, examples=int(system.interleaved))
        self._shown = options.evidence
        self._budget = budget
        self._left = MOST_REMARKS
        self._small = Small(self._visited, budget.patience.remarked_states)
        self._reference: ReferenceSession | None = None
        self._replayer: Replayer | None = None
        self._can_end: bool | None = None

    def on(self, result: Result, further: Further, seen: int = 0) -> Result:
        """The result with what there is to say about it.

        ``further`` asks the engine that answered, for so much of the work that all remarks may cost; ``seen`` is how many states
        there are at least.
        """
        if not self._left or not self._has_something(result):
            return result
        if fragment(result.formula).features & OF_HISTORIES:  # checked as a verdict only: `service.proofs`
            return result
        small = self._small.enough(result.formula, seen)
        self._left -= 1
        if fragment(result.formula).features & OF_NAMES:
            return self._on_names(result) if small else result
        if _on_uniform_strategies(result):
            return self._on_strategies(result) if small else result
        if small:
            return self._again(result)
        share = min(1.0, (MOST_REMARKS - self._left) / self._expected)
        return self._told(result, self._replayed(result, further(result, share), seen))

    def _has_something(self, result: Result) -> bool:
        """Whether there can be a remark: not on what is unknown, and on uniform strategies in interleaved systems only."""
        if result.verdict is Verdict.UNKNOWN or result.reading is Strategies.UNIFORM:
            return False
        return self._system.interleaved or not _on_uniform_strategies(result)

    def _again(self, result: Result) -> Result:
        """The answer of the reference engine beside the one given."""
        if self._reference is None:
            from epistrat.engines.reference.engine import ReferenceSession

            most = self._budget.patience.remarked_states
            budget = replace(self._budget.portion(), states=most)
            self._reference = ReferenceSession(self._system, self._options, budget, reached=self._visited.within(most))
        again = self._reference.check(result.formula)
        if again.verdict is Verdict.UNKNOWN:  # the user's own limit was reached meanwhile
            return result
        _compare(result, again)
        return self._told(result, again)

    def _on_names(self, result: Result) -> Result:
        """The result, which the reference engine does not contradict in few looks at the budget: it may try every strategy."""
        options = replace(self._options, evidence=False)
        found = self._looked_up(self._system, options, result, MOST_LOOKS_AT_NAMES)
        if found.verdict is not Verdict.UNKNOWN:
            _compare(result, found)
        return result

    def _on_strategies(self, result: Result) -> Result:
        """The result with what the reference engine finds out about uniform strategies, in so many looks at the budget."""
        if self._shown:
            return self._on_starvation(result)
        found = self._looked_up(self._system, self._options, result)
        if found.verdict is Verdict.UNKNOWN:
            return result
        _compare(result, found)
        return self._on_starvation(self._told(result, self._replayed(result, found)))

    def _on_starvation(self, result: Result) -> Result:
        """The result, with a hint where the group would succeed if nobody could be passed over for ever."""
        system = self._system
        usual = system.blocking is Blocking.WAIT and system.scheduling is Scheduling.ANY
        if not (system.interleaved and usual and result.reading in UNIFORM and result.verdict is Verdict.FAILS):
            return result
        fair = replace(system, scheduling=Scheduling.FAIR)
        found = self._looked_up(fair, replace(self._options, evidence=False), result)
        hint = "It holds if nobody is passed over for ever: with `--scheduling fair` such plays do not count."
        return replace(result, notes=(*result.notes, hint)) if found.verdict is Verdict.HOLDS else result

    def _looked_up(self, system: System, options: Options, result: Result, most: int = MOST_LOOKS) -> Outcome:
        limit = Looks(states=self._budget.patience.remarked_states, left=most)
        session = load("reference").open(system, options, limit)
        try:
            return session.check(result.formula)
        finally:
            session.close()

    def _replayed(self, result: Result, found: Outcome, seen: int = 0) -> Outcome:
        """What the engine found, after its evidence was re-checked; no survey is begun that as many states as were seen would end."""
        if found.evidence is not None:
            from epistrat.evidence.findings import MOST_SURVEYED
            from epistrat.evidence.replay import Replayer

            self._replayer = self._replayer or Replayer(self._system, survey=MOST_SURVEYED * (seen <= MOST_SURVEYED))
            shown = replace(result, evidence=found.evidence)
            problems = self._replayer.check(shown.certificate).problems
            if problems:
                raise Disagreement(f"the evidence for formula {result.index} does not replay: {problems[0]}")
        return found

    def _told(self, result: Result, found: Outcome) -> Result:
        """The result with the notes, and with the evidence in one sentence."""
        why = result.why
        if found.verdict is Verdict.FAILS and found.evidence is not None and not self._shown:
            from epistrat.explain.endings import runs_can_end
            from epistrat.explain.narrate import explain

            def ends(system: System) -> bool:
                if system is not self._system:
                    return runs_can_end(system)
                if self._can_end is None:
                    self._can_end = runs_can_end(system, self._visited)
                return self._can_end

            why = explain(self._system, found.evidence, ends=ends, survey=self._survey, reading=result.reading).sentence
        return replace(result, notes=tuple(dict.fromkeys([*result.notes, *found.notes])), why=why)


def _on_uniform_strategies(result: Result) -> bool:
    """Whether the answer depends on how strategies are read, and agents act on what they see."""
    return result.reading in UNIFORM and any(isinstance(part, Coalition) for part in subformulae(result.formula))


def _compare(result: Result, found: Outcome) -> None:
    """Raises `Disagreement` where the reference engine says something else."""
    if found.verdict is not result.verdict:
        said = f"{result.engine} says {result.verdict.value}, reference says {found.verdict.value}"
        raise Disagreement(f"formula {result.index}: {said}")
