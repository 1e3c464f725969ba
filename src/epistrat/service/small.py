"""Models that are small enough for the reference engine to look at beside: counted in work, so that it is the same on every machine."""

from __future__ import annotations

from itertools import islice

from epistrat.logic.formula import PAST, TEMPORAL, Exists, ForAll, Formula, subformulae
from epistrat.model.initial import each_initial_state
from epistrat.model.system import System
from epistrat.model.visited import Visited, step_work
from epistrat.records import dataclass
from epistrat.solvers.budget import Budget, OutOfBudget

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

MOST_LOOKS_AT_NAMES = 200
"""The same where strategies have names: each look is at one strategy, and all the runs that it leaves."""


class Small:
    """Whether a model is small; it is walked through when that is first asked."""

    def __init__(self, visited: Visited, most_states: int) -> None:
        self._visited, self._most = visited, most_states
        self._steps: int | None = None

    def enough(self, formula: Formula, seen: int) -> bool:
        """For this formula; ``seen`` is how many states there are at least."""
        if self._steps is None:
            self._steps = steps_of(self._visited, self._most) if seen <= self._most else TOO_LARGE
        return self._steps * _weight(formula) <= MOST_LABELS


@dataclass
class Looks(Budget):
    """A budget that ends after so many looks at it."""

    left: int = 5_000

    def check(self) -> None:
        """Count."""
        self.left -= 1
        if self.left < 0:
            raise OutOfBudget("too much work")


def most_steps(system: System) -> int:
    """Through how many steps of the system one may walk for a remark."""
    return MOST_WORK // step_work(system)


def steps_of(visited: Visited, most_states: int) -> int:
    """How many steps the system has, or more than will be looked at where it is not small."""
    system = visited.system
    steps = most_steps(system)
    most = min(most_states, steps)
    if most < min(FEWEST_STATES, most_states):
        return TOO_LARGE
    try:  # not where initial states are infinitely many, or hard to find
        if len(list(islice(each_initial_state(system, Looks()), most + 1))) > most:
            return TOO_LARGE
    except OutOfBudget:
        return TOO_LARGE
    graph = visited.within(most_states, steps)
    return TOO_LARGE if graph is None else max(sum(map(len, graph.steps)), len(graph.states), 1)


def _weight(formula: Formula) -> int:
    """How often the steps are gone through for a formula: once for a subformula, twice as often for every linear operator."""
    parts = list(subformulae(formula))
    linear = any(isinstance(part, PAST) or (isinstance(part, (ForAll, Exists)) and part.star) for part in parts)
    operators = sum(isinstance(part, TEMPORAL) for part in parts) if linear else 0
    return len(parts) << min(operators, 20)
