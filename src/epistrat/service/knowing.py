"""Questions about one state of a simulation: who knows what, and which formulae are true.

Small systems are explored; for others engines are asked.  A question may take so many seconds; what is not known by then is said to be
unknown.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise

from epistrat.answers import Misuse, Question, Verdict
from epistrat.encoding.smt.initial import some_initial_states
from epistrat.engines.contract import Options
from epistrat.jobs import Portfolio
from epistrat.logic.formula import Announced, ForAll, Formula, Globally, Implies, Next, Not, Reading, Test, is_state
from epistrat.logic.histories import read_as, unreadable
from epistrat.model.conditions import NoCondition, as_condition, is_condition
from epistrat.model.explore import explore
from epistrat.model.initial import each_initial_state
from epistrat.model.state import State, indistinguishable
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.service.hindsight import Hindsight, looks_back
from epistrat.service.labelling import labelled
from epistrat.service.levels import MOST_HISTORIES, Levels, Said
from epistrat.service.requests import Given, LabelRequest
from epistrat.service.worlds import Worlds, worlds
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
    ``reading`` says what the agent compares.
    """

    agent: str
    sees: tuple[tuple[str, Value], ...]
    look_alikes: int | None
    knows_true: tuple[str, ...]
    knows_false: tuple[str, ...]
    unsure: tuple[str, ...]
    undecided: tuple[str, ...] = ()
    reading: Reading = Reading.OBSERVATION


class Knowing:
    """Answers questions about states of one system."""

    def __init__(self, system: System, seconds: float = SECONDS) -> None:
        self._system = system
        self._seconds = seconds
        self._stepper = Stepper(system)
        self._terms = Terms()
        self._reachable: list[State] | None = None

    def knowledge(self, agent: str, run: Sequence[State], said: Sequence[Said] = ()) -> Knowledge:
        """What the agent knows at the end of the run about the model's propositions, once it was said what was said."""
        if agent not in self._system.views:
            raise LookupError(f"there is no agent {agent}; there are {', '.join(self._system.views)}")
        state, reading = run[-1], self._system.knowledge
        if self._system.fairness and (said or reading is not Reading.OBSERVATION):
            raise LookupError(
                "what agents know who count, remember or were told something is not listed under fairness"
            )
        sees = tuple((str(self._system.variables[i]), state[i]) for i in self._system.views[agent])
        states = self.look_alikes(agent, run, said)
        places: dict[frozenset[bool] | None, list[str]] = {
            frozenset({True}): [],
            frozenset({False}): [],
            frozenset({True, False}): [],
            None: [],
        }
        budget = Budget(seconds=self._seconds)
        with self._engines(budget) as engines:
            for name, condition in self._system.propositions.items():
                if states is not None:
                    holds = self._stepper.evaluator.holds
                    places[frozenset(holds(condition, other) for other in states)].append(name)
                elif budget.elapsed > self._seconds or said or reading is not Reading.OBSERVATION:
                    places[None].append(name)
                else:
                    places[self._possible(engines, agent, state, condition)].append(name)
        count = None if states is None else len(states)
        true, false, unsure, undecided = map(tuple, places.values())
        return Knowledge(agent, sees, count, true, false, unsure, undecided, reading)

    def look_alikes(self, agent: str, run: Sequence[State], said: Sequence[Said] = ()) -> list[State] | None:
        """The states that may be the end of the run for all that the agent sees, or has seen where it counts or remembers.

        None where they are too many, or fairness leaves some out.
        """
        if self._system.fairness:
            return None
        if self._system.knowledge is Reading.OBSERVATION and not said:
            reachable = self.reachable()
            return reachable and [
                other for other in reachable if indistinguishable(self._system, agent, run[-1], other)
            ]
        self._from_the_start(run)
        if self._system.knowledge is Reading.CHANGES and not said:
            return self._after_changes(agent, run)
        levels = self.levels()
        *_, (_, level) = levels.along(run, said)
        place = levels.place(agent)
        together = level.classes([place])[level.marks[0][place],]
        return list(dict.fromkeys(level.states[number] for number in together))

    def _after_changes(self, agent: str, run: Sequence[State]) -> list[State]:
        """The states that may be the end of the run for who saw these changes, and does not know how long it took."""
        view = self._system.views[agent]
        possible = self._while_unchanged(self._initially(), [run[0][index] for index in view], view)
        for before, state in pairwise(run):
            seen = [state[index] for index in view]
            if seen != [before[index] for index in view]:
                steps = (step.target for one in possible for step in self._stepper.successors(one))
                possible = self._while_unchanged(steps, seen, view)
        return possible

    def _while_unchanged(self, states: Iterable[State], seen: Sequence[Value], view: Sequence[int]) -> list[State]:
        """Those of the states that look so, and what can follow them as long as nothing else is seen."""
        found = dict.fromkeys(one for one in states if [one[index] for index in view] == seen)
        pending = list(found)
        for one in pending:
            if len(pending) > _EXPLORED:
                raise LookupError(f"more than {_EXPLORED:,} states may be the end of this run")
            for step in self._stepper.successors(one):
                if step.target not in found and [step.target[index] for index in view] == seen:
                    found[step.target] = None
                    pending.append(step.target)
        return pending

    def worlds(self, run: Sequence[State], said: Sequence[Said] = ()) -> list[Worlds]:
        """What agents consider possible at each moment of a run; raises LookupError where that cannot be listed."""
        if self._system.knowledge is not Reading.OBSERVATION:
            self._from_the_start(run)
        return worlds(self.levels(), run, said)

    def levels(self) -> Levels:
        """The worlds of the moments of a run; raises LookupError where they cannot be listed."""
        timeless = self._system.knowledge is Reading.OBSERVATION
        if self._system.fairness or (timeless and self.reachable() is None):
            why = "under fairness" if self._system.fairness else "where so many states are reachable"
            raise LookupError(f"what agents consider possible is not listed {why}")
        return Levels(self._system, self._listed if timeless else self._initially)

    def _listed(self) -> list[State]:
        return self.reachable() or []

    def _initially(self) -> list[State]:
        found, complete = some_initial_states(self._system, MOST_HISTORIES, Budget(seconds=_EXPLORING))
        if not complete:
            raise LookupError(
                f"what agents consider possible is not listed for more than {MOST_HISTORIES:,} initial states"
            )
        return found

    def _from_the_start(self, run: Sequence[State]) -> None:
        if not self._stepper.evaluator.holds(self._system.initial, run[0]):
            raise LookupError("the run does not begin in an initial state, so nothing is known of what was before it")

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

    def along(self, formula: Formula, run: Sequence[State], said: Sequence[Said] = ()) -> bool | None:
        """Whether a formula is true at the last state of a run, once it was said what was said.

        What depends on the past is read along that run.  Raises LookupError where the run does not begin in an initial state: then it has
        no past to look back at.
        """
        asked, end = self._told(self._read(formula), run, said)
        wrong = unreadable(asked)
        if wrong is not None:
            raise LookupError(wrong)
        if not looks_back(asked):
            return self.holds(asked, run[end])
        self._from_the_start(run)
        with self._engines(Budget(seconds=self._seconds)) as engines:
            hindsight = Hindsight(run, self.holds, lambda body: self._always(engines, body), self._described)
            return hindsight.holds(asked, end)

    def _read(self, formula: Formula) -> Formula:
        """The formula with knowledge as the model reads it."""
        return read_as(formula, self._system.knowledge)

    def _told(self, formula: Formula, run: Sequence[State], said: Sequence[Said]) -> tuple[Formula, int]:
        """What to ask at which moment: that after all that was said, and after the steps in between, the formula is true."""
        end = len(run) - 1
        first = min((moment for moment, _ in said), default=end)
        for moment in range(end, first - 1, -1):
            if moment < end:
                formula = ForAll(Next(Implies(self._described(run[moment + 1]), formula)), star=True)
            for told in [told for at, told in said if at == moment][::-1]:
                formula = Announced(self._read(told), formula)
        return formula, first

    def film(self, formula: Formula, run: Sequence[State], said: Sequence[Said] = ()) -> list[bool | None]:
        """Whether a formula is true at each moment of a run, as in `along`; None where that was not found out in time."""
        began = time.monotonic()
        plain = not (looks_back(self._read(formula)) or said or self._system.fairness)
        if is_state(formula) and plain and len(run) > 1:
            with suppress(LookupError):
                if self._stepper.evaluator.holds(self._system.initial, run[0]):  # so all its states are reachable
                    true = self.where(formula)
                    return [state in true for state in run]
        found: list[bool | None] = []
        for moment in range(len(run)):
            late = time.monotonic() - began > self._seconds
            before = [one for one in said if one[0] <= moment]
            found.append(None if late else self.along(formula, run[: moment + 1], before))
        return found

    def where(self, formula: Formula) -> frozenset[State]:
        """The reachable states in which a state formula is true; raises LookupError, in words, where that cannot be found out."""
        formula = self._read(formula)
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
