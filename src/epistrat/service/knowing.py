"""Questions about one state of a simulation: who knows what, and which formulae are true.

Small systems are explored; for others engines are asked.  A question may take so many seconds; what is not known by then is said to be
unknown.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

from epistrat.answers import Misuse, Question, Verdict
from epistrat.engines.contract import Options
from epistrat.jobs import Portfolio
from epistrat.logic.formula import ForAll, Formula, Globally, Implies, Not, Test, is_state
from epistrat.model.conditions import NoCondition, as_condition, is_condition
from epistrat.model.explore import explore
from epistrat.model.initial import each_initial_state
from epistrat.model.state import State, indistinguishable
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.service.hindsight import Hindsight, looks_back
from epistrat.service.labelling import labelled
from epistrat.service.requests import Given, LabelRequest
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.terms import Expr, Terms, Value

SECONDS = 10.0
"""How long a question may take."""
_EXPLORED = 20_000  # states to look for look-alikes in
_EXPLORING = 3.0  # seconds


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What an agent sees, and which propositions it knows to be true, knows to be false, or is unsure about.

    ``look_alikes`` is None where states are too many to count; ``undecided`` are propositions about which that was not found out in time.
    """

    agent: str
    sees: tuple[tuple[str, Value], ...]
    look_alikes: int | None
    knows_true: tuple[str, ...]
    knows_false: tuple[str, ...]
    unsure: tuple[str, ...]
    undecided: tuple[str, ...] = ()


class Knowing:
    """Answers questions about states of one system."""

    def __init__(self, system: System, seconds: float = SECONDS) -> None:
        self._system = system
        self._seconds = seconds
        self._stepper = Stepper(system)
        self._terms = Terms()
        self._reachable: list[State] | None = None

    def knowledge(self, agent: str, state: State) -> Knowledge:
        """What the agent knows in the state about the model's propositions."""
        if agent not in self._system.views:
            raise LookupError(f"there is no agent {agent}; there are {', '.join(self._system.views)}")
        sees = tuple((str(self._system.variables[i]), state[i]) for i in self._system.views[agent])
        states = self.look_alikes(agent, state)
        places: dict[frozenset[bool] | None, list[str]] = {
            frozenset({True}): [],
            frozenset({False}): [],
            frozenset({True, False}): [],
            None: [],
        }
        budget = Budget(seconds=self._seconds)
        with self._engines(budget) as engines:
            for name, condition in self._system.propositions.items():
                if states is None and budget.elapsed > self._seconds:
                    places[None].append(name)
                elif states is None:
                    places[self._possible(engines, agent, state, condition)].append(name)
                else:
                    holds = self._stepper.evaluator.holds
                    places[frozenset(holds(condition, other) for other in states)].append(name)
        count = None if states is None else len(states)
        return Knowledge(agent, sees, count, *map(tuple, places.values()))

    def look_alikes(self, agent: str, state: State) -> list[State] | None:
        """The reachable states that look like this one to the agent; None where they are too many, or fairness leaves some out."""
        reachable = self.reachable()
        return reachable and [other for other in reachable if indistinguishable(self._system, agent, state, other)]

    def reachable(self) -> list[State] | None:
        """The reachable states; None where they are too many, or fairness leaves some out."""
        if self._system.fairness:
            return None
        if self._reachable is None:
            try:
                budget = Budget(seconds=_EXPLORING)
                graph = explore(self._stepper, each_initial_state(self._system, budget), _EXPLORED, budget)
                self._reachable = graph.states
            except OutOfBudget:
                self._reachable = []
        return self._reachable or None

    def holds(self, formula: Formula, state: State) -> bool | None:
        """Whether a state formula (or a linear one, read with A) is true in the state; None if that was not found out in time.

        Under fairness, formulae range over the states in which a fair run starts; in any other state only conditions have a truth value.
        """
        with suppress(LookupError):
            return self._stepper.evaluator.holds(self.condition(formula), state)
        here = self._described(state)
        with self._engines(Budget(seconds=self._seconds)) as engines:
            if self._system.fairness and self._everywhere(engines, Not(here)):
                raise LookupError("no fair run starts here, so only conditions on the state are true or false")
            asked = formula if is_state(formula) else ForAll(formula, star=True)
            return self._everywhere(engines, Implies(here, asked))

    def along(self, formula: Formula, run: Sequence[State]) -> bool | None:
        """Whether a formula is true at the last state of a run; what it says of the past is read along that run.

        Raises LookupError where the run does not begin in an initial state: then it has no past to look back at.
        """
        if not looks_back(formula):
            return self.holds(formula, run[-1])
        if not self._stepper.evaluator.holds(self._system.initial, run[0]):
            raise LookupError("the run does not begin in an initial state, so nothing is known of what was before it")
        with self._engines(Budget(seconds=self._seconds)) as engines:
            hindsight = Hindsight(run, self.holds, lambda body: self._always(engines, body), self._described)
            return hindsight.holds(formula, len(run) - 1)

    def film(self, formula: Formula, run: Sequence[State]) -> list[bool | None]:
        """Whether a formula is true at each moment of a run, as in `along`; None where that was not found out in time."""
        began = time.monotonic()
        if is_state(formula) and not looks_back(formula) and not self._system.fairness and len(run) > 1:
            with suppress(LookupError):
                if self._stepper.evaluator.holds(self._system.initial, run[0]):  # so all its states are reachable
                    true = self.where(formula)
                    return [state in true for state in run]
        found: list[bool | None] = []
        for moment in range(len(run)):
            late = time.monotonic() - began > self._seconds
            found.append(None if late else self.along(formula, run[: moment + 1]))
        return found

    def where(self, formula: Formula) -> frozenset[State]:
        """The reachable states in which a state formula is true; raises LookupError, in words, where that cannot be found out."""
        request = LabelRequest(model=Given(self._system), formulae=(formula,), most=_EXPLORED)
        try:
            found = labelled(request, self._system, Budget(seconds=self._seconds))
        except Misuse as misuse:
            raise LookupError(str(misuse)) from None
        except OutOfBudget as reached:
            raise LookupError(
                f"not found: {reached}; only a condition on a single state is looked for in larger models"
            ) from None
        return frozenset(found.reached.states[number] for number in found.labels[formula])

    def condition(self, formula: Formula) -> Expr:
        """A formula without temporal, epistemic and strategic operators, as a condition."""
        if not is_condition(formula):
            raise LookupError("only a condition on a single state can be looked for")
        try:
            return as_condition(self._system, formula)
        except NoCondition as problem:
            raise LookupError(str(problem)) from None

    def _engines(self, budget: Budget) -> Portfolio:
        return Portfolio(self._system, "auto", Options(), budget)

    def _possible(self, engines: Portfolio, agent: str, state: State, condition: Expr) -> frozenset[bool] | None:
        """The truth values that the condition takes in the states that look like this one; None if that was not found out in time."""
        here = self._terms.conjunction(self._equations(state, self._system.views[agent]))
        found = set()
        for truth in (True, False):
            body = condition if truth else self._terms.negate(condition)
            never = self._everywhere(engines, Implies(Test(here), Test(self._terms.negate(body))))
            if never is None:
                return None
            if not never:
                found.add(truth)
        return frozenset(found)

    def _everywhere(self, engines: Portfolio, formula: Formula) -> bool | None:
        result = engines.answer(Question(1, ForAll(Globally(formula)), ""))
        return None if result.verdict is Verdict.UNKNOWN else result.verdict is Verdict.HOLDS

    def _always(self, engines: Portfolio, body: Formula) -> bool | None:
        """Whether a formula is true at all moments of all runs."""
        result = engines.answer(Question(1, ForAll(Globally(body), star=True), ""))
        return None if result.verdict is Verdict.UNKNOWN else result.verdict is Verdict.HOLDS

    def _described(self, state: State) -> Formula:
        return Test(self._terms.conjunction(self._equations(state, range(len(state)))))

    def _equations(self, state: State, positions: tuple[int, ...] | range) -> Iterator[Expr]:
        for index in positions:
            variable, value = self._system.variables[index], state[index]
            reference = self._terms.variable(*variable.key, variable.domain.sort)
            yield self._terms.equals(reference, value)
