"""A little more than was asked: why a formula fails, in one sentence; that one holds for a trivial reason.

The reference engine finds both where the model is small.  What is small is counted in work, not in seconds, so that the same request gives
the same remarks on every machine; and as the verdict is found a second time on the way, the two are compared.  On larger models the engine
that answered finds them, within a stated part of the work it has done (`epistrat.jobs.Portfolio.remark`).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from epistrat.answers import Outcome, Result, Strategies, Verdict
from epistrat.answers.verdict import UNIFORM
from epistrat.engines.contract import Options
from epistrat.engines.registry import load
from epistrat.jobs import Disagreement
from epistrat.logic.formula import PAST, TEMPORAL, Coalition, Exists, ForAll, Formula, subformulae
from epistrat.model.initial import each_initial_state
from epistrat.model.system import Blocking, Scheduling, System
from epistrat.model.visited import Visited
from epistrat.records import dataclass, replace
from epistrat.solvers.budget import Budget, OutOfBudget

if TYPE_CHECKING:
    from epistrat.engines.reference.engine import ReferenceSession
    from epistrat.evidence.replay import Replayer

MOST_WORK = 60_000
"""Agents and variables looked at over all steps: about a tenth of a second."""

FEWEST_STATES = 200
"""A model so large that not even so many states could be looked at is not searched for initial states."""

MOST_LABELS = 200_000
"""Subformulae times steps, each linear operator doubling them: about as much."""

TOO_LARGE = MOST_LABELS + 1
"""The size of a model that is not looked at."""

MOST_LOOKS = 3_000
"""Looks at the budget of the reference engine where it searches for strategies: about a tenth of a second."""

MOST_REMARKS = 12
"""Formulae of one request."""


Further = Callable[[Result, float], Outcome]


class Remarks:
    """Remarks on the answers about one system."""

    def __init__(
        self, system: System, options: Options, budget: Budget, questions: int = 1, visited: Visited | None = None
    ) -> None:
        self._system = system
        self._visited = visited or Visited(system)
        self._expected = max(1, min(questions, MOST_REMARKS))
        # Where a formula holds there are notes alone, but on strategies of interleaved systems they are about evidence.
        self._options = replace(options, evidence=True, examples=int(system.interleaved))
        self._shown = options.evidence
        self._budget = budget
        self._left = MOST_REMARKS
        self._size: int | None = None
        self._reference: ReferenceSession | None = None
        self._replayer: Replayer | None = None
        self._can_end: bool | None = None

    def on(self, result: Result, further: Further, seen: Callable[[], int] = lambda: 0) -> Result:
        """The result with what there is to say about it.

        ``further`` asks the engine that answered, for so much of the work that all remarks may cost; ``seen`` tells how many states there
        are at least.
        """
        plays = any(isinstance(part, Coalition) for part in subformulae(result.formula))
        uniform = (
            result.reading in UNIFORM and plays
        )  # where there are no strategies it makes no difference how they are read
        strategic = uniform and self._system.interleaved
        if result.verdict is Verdict.UNKNOWN or result.reading is Strategies.UNIFORM or not self._left:
            return result
        if uniform and not strategic:
            return result
        if self._size is None:
            most = self._budget.patience.remarked_states
            self._size = _size(self._visited, most) if seen() <= most else TOO_LARGE
        self._left -= 1
        if strategic:
            small = self._size * _weight(result.formula) <= MOST_LABELS
            return self._on_strategies(result) if small else result
        if self._size * _weight(result.formula) > MOST_LABELS:
            share = min(1.0, (MOST_REMARKS - self._left) / self._expected)
            return self._told(result, self._replayed(result, further(result, share), seen()), seen())
        return self._again(result)

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

    def _looked_up(self, system: System, options: Options, result: Result) -> Outcome:
        limit = _Counted(states=self._budget.patience.remarked_states, left=MOST_LOOKS)
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

    def _told(self, result: Result, found: Outcome, seen: int = 0) -> Result:
        """The result with the notes, and with the evidence in one sentence."""
        why = result.why
        if found.verdict is Verdict.FAILS and found.evidence is not None and not self._shown:
            from epistrat.explain.endings import MOST_STATES, runs_can_end
            from epistrat.explain.narrate import explain

            def ends(system: System) -> bool:
                if self._can_end is None:
                    self._can_end = seen > MOST_STATES or runs_can_end(system)
                return self._can_end

            why = explain(self._system, found.evidence, ends=ends, reading=result.reading).sentence
        return replace(result, notes=tuple(dict.fromkeys([*result.notes, *found.notes])), why=why)


def _compare(result: Result, found: Outcome) -> None:
    """Raises `Disagreement` where the reference engine says something else."""
    if found.verdict is not result.verdict:
        said = f"{result.engine} says {result.verdict.value}, reference says {found.verdict.value}"
        raise Disagreement(f"formula {result.index}: {said}")


@dataclass
class _Counted(Budget):
    """A budget that ends after so many looks at it."""

    left: int = 5_000

    def check(self) -> None:
        """Count."""
        self.left -= 1
        if self.left < 0:
            raise OutOfBudget("too much work")


def _size(visited: Visited, most_states: int) -> int:
    """How many steps the system has, or more than will be looked at where it is not small."""
    system = visited.system
    each = len(system.agents) + len(system.variables) + 1
    most = min(most_states, MOST_WORK // each)
    if most < min(FEWEST_STATES, most_states):
        return TOO_LARGE
    try:  # not where initial states are infinitely many, or hard to find
        if len(list(islice(each_initial_state(system, _Counted()), most + 1))) > most:
            return TOO_LARGE
    except OutOfBudget:
        return TOO_LARGE
    graph = visited.within(most_states, MOST_WORK // each)
    return TOO_LARGE if graph is None else max(sum(map(len, graph.steps)), len(graph.states), 1)


def _weight(formula: Formula) -> int:
    """How often the steps are gone through for a formula: once for a subformula, twice as often for every linear operator."""
    parts = list(subformulae(formula))
    linear = any(isinstance(part, PAST) or (isinstance(part, (ForAll, Exists)) and part.star) for part in parts)
    operators = sum(isinstance(part, TEMPORAL) for part in parts) if linear else 0
    return len(parts) << min(operators, 20)
