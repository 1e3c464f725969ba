"""A game of two players as a table: a row for each strategy without memory of the first, a column for each of the second.

Strategies with the same results, whatever the other does, are one.  Only where all of them are few, every step has one
outcome, and goals are about conditions on states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod

from epistrat.evidence import Lasso
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.linear import LassoTruth
from epistrat.explain.words import facts
from epistrat.logic.formula import Formula
from epistrat.model.initial import initial_states
from epistrat.model.play import Play
from epistrat.model.state import Joint, State, show_act
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.model.visited import Visited
from epistrat.records import dataclass
from epistrat.solvers.budget import OutOfBudget

MOST_STATES = 200
"""Reachable states of a game that is told as a table."""
MOST_CELLS = 256
"""Pairs of strategies that are played."""
MOST_COLUMNS = 12
"""Columns of a table: more are not read, and have no letters."""

Plan = Mapping[State, str]


@dataclass(frozen=True, slots=True)
class Cell:
    """What comes of two strategies: who gets its goal, and whether nobody gains by another strategy."""

    gets: tuple[str, ...]
    balanced: bool


@dataclass(frozen=True, slots=True)
class Matrix:
    """``plans`` are the strategies of each player, in words; cells are given row by row."""

    players: tuple[str, str]
    plans: tuple[tuple[str, ...], tuple[str, ...]]
    cells: tuple[tuple[Cell, ...], ...]


def matrix(system: System) -> Matrix | None:
    """The table of a small game of two; None where it is not one."""
    graph = Visited(system).within(MOST_STATES)
    try:
        starts = initial_states(system, 2)
    except OutOfBudget:
        return None
    conditions = StateConditions(system)
    if graph is None or len(starts) != 1 or system.interleaved or system.fairness:
        return None
    stepper = Stepper(system)
    options = {
        agent.name: {state: acts for state in graph.states if len(acts := tuple(stepper.allowed(agent, state))) > 1}
        for agent in system.agents
        if agent.actions
    }
    players = [name for name, choices in options.items() if choices]
    sizes = [prod(map(len, options[name].values())) for name in players]
    if len(players) != 2 or prod(sizes) > MOST_CELLS:
        return None
    game = _Game(system, (players[0], players[1]), starts[0], conditions)
    plans = [list(_plans(options[name])) for name in players]
    outcomes = [[game.played((one, other)) for other in plans[1]] for one in plans[0]]
    if any(cell is None for row in outcomes for cell in row):
        return None
    return game.table(plans, outcomes)  # type: ignore[arg-type]


def _plans(choices: Mapping[State, tuple[str, ...]]) -> Iterator[Plan]:
    for acts in product(*choices.values()):
        yield dict(zip(choices, acts, strict=True))


class _Game:
    def __init__(self, system: System, players: tuple[str, str], start: State, conditions: StateConditions) -> None:
        self._system, self._players, self._start, self._conditions = system, players, start, conditions
        self._play = Play(Stepper(system))

    def played(self, plans: tuple[Plan, Plan]) -> Lasso | None:
        """The run of two strategies; None where a step has several outcomes, or none."""
        states: list[State] = [self._start]
        joints: list[Joint] = []
        while True:
            chosen = {
                name: plan[states[-1]] for name, plan in zip(self._players, plans, strict=True) if states[-1] in plan
            }
            steps = self._play.steps(states[-1], chosen) or []
            if len(steps) != 1:
                return None
            joints.append(steps[0].joint)
            if steps[0].target in states:
                return Lasso(tuple(states), tuple(joints), states.index(steps[0].target))
            states.append(steps[0].target)

    def _gets(self, goal: Formula, run: Lasso) -> bool | None:
        def base(at: int, part: Formula) -> bool | None:
            return self._conditions.value(part, run.states[at], {})

        return LassoTruth(len(run.states), run.loop, base).word(goal).at(0)

    def table(self, plans: list[list[Plan]], outcomes: list[list[Lasso]]) -> Matrix | None:
        """The table, in which strategies with the same results are one."""
        goals = {name: goal for name, goal in self._system.goals if name in self._players}
        everything: list[list[tuple[str, ...]]] = []
        for row in outcomes:
            everything.append([])
            for run in row:
                values = {name: self._gets(goal, run) for name, goal in goals.items()}
                if None in values.values():
                    return None
                everything[-1].append(tuple(name for name, value in values.items() if value))
        rows = _alike([tuple(row) for row in everything])
        columns = _alike([tuple(row[number] for row in everything) for number in range(len(plans[1]))])
        if len(columns) > MOST_COLUMNS:
            return None
        gains = [[everything[row[0]][column[0]] for column in columns] for row in rows]
        first, second = self._players

        def balanced(row: int, column: int) -> bool:
            here = gains[row][column]
            others = any(first in gains[other][column] for other in range(len(rows)))
            across = any(second in gains[row][other] for other in range(len(columns)))
            return (first in here or not others) and (second in here or not across)

        cells = tuple(
            tuple(Cell(gains[row][column], balanced(row, column)) for column in range(len(columns)))
            for row in range(len(rows))
        )
        where = [
            tuple(self._words([some[number] for number in alike]) for alike in classes)
            for some, classes in zip(plans, (rows, columns), strict=True)
        ]
        return Matrix(self._players, (where[0], where[1]), cells)

    def _words(self, alike: list[Plan]) -> str:
        """What strategies with the same results have in common, or what one of them does."""
        common = [state for state in alike[0] if len({plan[state] for plan in alike}) == 1] or list(alike[0])
        places = [
            place for place in range(len(self._system.variables)) if len({state[place] for state in alike[0]}) > 1
        ]
        said = []
        for state in common:
            where = ", ".join(facts(self._system, places, state))
            said.append(f"{show_act(alike[0][state])} where {where}" if where else show_act(alike[0][state]))
        return "; ".join(said)


def _alike(results: list[tuple[tuple[str, ...], ...]]) -> list[list[int]]:
    """The numbers of those with the same results, class by class."""
    classes: dict[tuple[tuple[str, ...], ...], list[int]] = {}
    for number, one in enumerate(results):
        classes.setdefault(one, []).append(number)
    return list(classes.values())
