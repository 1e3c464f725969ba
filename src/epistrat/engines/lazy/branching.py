"""Branching questions that proof search for invariants answers: an AG inside an AG, and EF of a condition.

``AG (p -> AG q)`` is an invariant over what has been true (`epistrat.logic.nested`).  ``EF p`` fails if from *some* initial state nothing
leads to p; so initial states without p are taken one by one, and of each it is asked whether p stays false for ever.
"""

from __future__ import annotations

from collections.abc import Callable

from epistrat.encoding.smt.initial import some_initial_states
from epistrat.engines.contract import Outcome, Verdict
from epistrat.engines.lazy.provers import Provers
from epistrat.engines.lazy.search import InvariantSearch
from epistrat.evidence import Along, Invariant, Part, Path, Reason, Region, Tree
from epistrat.evidence.conditions import StateConditions
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, operands
from epistrat.logic.nested import is_plain
from epistrat.logic.rewrite import negation
from epistrat.logic.show import show
from epistrat.model.conditions import as_condition, is_condition
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.model.transform.rules import equals
from epistrat.proving.contract import Partly
from epistrat.records import replace
from epistrat.terms import Terms

_MOST_STARTS = 8  # initial states that are looked at, one by one

Tell = Callable[[int, int], None]


def reaching(system: System, formula: Formula, goal: Formula, provers: Provers, tell: Tell, evidence: bool) -> Outcome:
    """Whether ``EF goal`` holds; raises `Partly` where that is not found out."""
    starts, all_of_them = _starts(system, goal, provers)
    never = logic.ForAll(logic.Globally(negation(goal)))
    shown: Tree | None = None
    for start in starts:
        narrowed = _starting(system, start)
        own = Provers(narrowed, provers.tuning, provers.budget)
        found = InvariantSearch(narrowed, never, own, tell).outcome(evidence)
        tree = None if found.evidence is None else _turned(found.evidence, formula, goal)
        if found.verdict is Verdict.HOLDS:
            return Outcome(Verdict.FAILS, statistics=found.statistics, evidence=tree)
        shown = shown or tree
    if all_of_them:
        return Outcome(Verdict.HOLDS, evidence=shown)
    raise Partly(f"from {len(starts)} initial states some run comes to `{show(goal)}`; there are more of them")


def _starts(system: System, goal: Formula, provers: Provers) -> tuple[list[State], bool]:
    """Initial states in which the goal is not met at once, and whether there are no others; one of all where it is met in all."""
    most, budget = provers.budget.patience.most(_MOST_STARTS), provers.budget
    if not is_condition(goal):
        return some_initial_states(system, most, budget)
    terms = Terms()
    unmet = terms.conjunction((system.initial, terms.negate(as_condition(system, goal))))
    starts, all_of_them = some_initial_states(replace(system, initial=unmet), most, budget)
    return (starts, all_of_them) if starts or not all_of_them else (some_initial_states(system, 1, budget)[0], True)


def _starting(system: System, state: State) -> System:
    """The system with this initial state alone."""
    terms = Terms()
    here = terms.conjunction(equals(terms, system, place, [value]) for place, value in enumerate(state))
    return replace(system, initial=here)


def _turned(tree: Tree, formula: Formula, goal: Formula) -> Tree:
    """Evidence about "the goal is never met" as evidence about "the goal can be met"."""
    because: list[Reason] = []
    for reason in tree.because:
        match reason:
            case Invariant(condition):
                because.append(Region(condition))
            case Along(path):
                because.append(Along(path, ((len(path.actions), Tree(path.last, goal, True)),)))
            case _:
                because.append(reason)
    return Tree(tree.state, formula, not tree.holds, tuple(because))


class Violations:
    """Shows on one run that invariants inside each other fail: where the outer one lets go, and where the inner one breaks."""

    def __init__(self, system: System, run: Path) -> None:
        self._run = run
        self._conditions = StateConditions(system)

    def tree(self, claim: Formula, place: int = 0) -> Tree | None:
        """Why a claim is false at a place of the run; None if the run does not show it."""
        state = self._run.states[place]
        if is_plain(claim):
            return None if self._conditions.holds(claim, state) else Tree(state, claim, False)
        if isinstance(claim, logic.ForAll) and isinstance(claim.arg, logic.Globally):
            for end in range(place, len(self._run.states)):
                inner = self.tree(claim.arg.arg, end)
                if inner is not None:
                    path = Path(self._run.states[place : end + 1], self._run.actions[place:end])
                    return Tree(state, claim, False, (Along(path, ((end - place, inner),)),))
            return None
        known = {part: shown for part in operands(claim) if (shown := self._part(part, place)) is not None}
        truths = {part: shown.holds for part, shown in known.items()}
        if self._conditions.value(claim, state, truths) is not False:
            return None
        return Tree(state, claim, False, tuple(Part(shown) for shown in known.values()))

    def _part(self, part: Formula, place: int) -> Tree | None:
        """An operand with its truth, as far as the state or the run show it."""
        state = self._run.states[place]
        if is_plain(part):
            return Tree(state, part, self._conditions.holds(part, state))
        return self.tree(part, place)
