"""Nash equilibria: every profile without memory is tried; with memory, a run and the punishments that keep everybody on it.

With memory a profile is an equilibrium with a given run iff every agent gets its goal on the run, or can be kept from it by all others
together wherever it might leave the run.  A *point* is a state with the states in which automata of the goals, and of their negations,
can be after what has happened.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, TypeAlias

from epistrat.engines.readings import Readings
from epistrat.engines.reference.graph import Graph, Nodes, World
from epistrat.engines.reference.named import MOST_STRATEGIES, plays_satisfy
from epistrat.engines.reference.paths import Product, first_atoms, leaf_masks
from epistrat.engines.reference.plays import Plays, Table
from epistrat.engines.reference.remembering import START, Buchi, Counts, Games, Move
from epistrat.engines.reference.tableau import Tableau
from epistrat.engines.reference.watching import WatchingStates
from epistrat.logic.formula import Formula, Tag
from epistrat.logic.rewrite import conjunction
from epistrat.logic.sentences import over_leaves
from epistrat.model.state import Act
from epistrat.solvers.budget import Budget, OutOfBudget

if TYPE_CHECKING:
    from epistrat.engines.reference.judge import JudgeLabels

MOST_POINTS = 20_000  # a minute's work of the judge
_EVER = 1 << 30  # more accepting transitions than any run that is read here takes
Point: TypeAlias = tuple[int, tuple[tuple[Counts, Counts], ...]]


class Equilibria:
    """The equilibria of one system."""

    def __init__(
        self, labels: JudgeLabels, plays: Plays, readings: Readings, states_only: bool, budget: Budget
    ) -> None:
        self._labels, self._plays, self._budget = labels, plays, budget
        self._tag, self._states_only = readings.equilibria, states_only
        self._goals = dict(plays.system.goals)

    def some(self, fact: Formula) -> Nodes:
        """The states in which some equilibrium has a run that satisfies the path formula."""
        self._plays.require_next_states(protocols=True)
        self._plays.require_one_outcome()
        body = self._over_labels(fact)
        goals = {name: self._over_labels(goal) for name, goal in self._goals.items()}
        if self._tag is not Tag.PERFECT:
            return self._among_profiles(body, goals)
        if self._states_only:
            return WatchingStates(self._plays, goals, self._labels, self._budget).some(body)
        return _Remembering(self._labels, self._plays, goals, self._budget).some(body)

    def _over_labels(self, body: Formula) -> Formula:
        return over_leaves(body, lambda leaf: self._labels.stand_in(leaf, self._labels.of(leaf)))

    def _among_profiles(self, body: Formula, goals: dict[str, Formula]) -> Nodes:
        """By definition: nobody with a goal gains by another strategy of its own."""
        acting = self._plays.acting
        number = 1
        for agent in acting:
            number *= self._plays.count((agent,), self._tag)
        if number > MOST_STRATEGIES:
            raise OutOfBudget(f"there are more than {MOST_STRATEGIES:,} profiles to try")
        tables = [list(self._plays.tables((agent,), self._tag)) for agent in acting]
        names = [name for name in goals if name in acting]
        got: dict[tuple[Table, ...], list[Nodes]] = {}
        held: dict[tuple[Table, ...], Nodes] = {}
        for profile in product(*tables):
            graph = self._plays.graph(dict(zip(acting, profile, strict=True)))
            world = World.unfair(graph)
            got[profile] = [plays_satisfy(world, goals[name], self._labels, self._budget) for name in names]
            held[profile] = plays_satisfy(world, body, self._labels, self._budget)
        found: Nodes = frozenset()
        for profile, nodes in held.items():
            for number, name in enumerate(names):
                place = acting.index(name)
                gains = frozenset().union(
                    *(got[(*profile[:place], other, *profile[place + 1 :])][number] for other in tables[place])
                )
                nodes -= gains - got[profile][number]
            found |= nodes
        return found


class _Remembering:
    """Equilibria of strategies that remember all states and joint actions."""

    def __init__(self, labels: JudgeLabels, plays: Plays, goals: dict[str, Formula], budget: Budget) -> None:
        self._labels, self._plays, self._budget = labels, plays, budget
        self._names = [name for name in goals if name in plays.acting]
        self._goals = goals
        self._runs = [
            (Buchi.of(goals[name], labels, True, budget), Buchi.of(goals[name], labels, False, budget))
            for name in self._names
        ]
        self._steps: dict[int, list[tuple[tuple[Act | None, ...], int]]] = {}

    def some(self, body: Formula) -> Nodes:
        points = self._points()
        punished = [self._punished(number, points) for number in range(len(self._names))]
        number_of = {point: number for number, point in enumerate(points)}
        found: set[int] = set()
        for many in range(len(self._names) + 1):
            for content in combinations(range(len(self._names)), many):
                losing = [one for one in range(len(self._names)) if one not in content]
                safe: list[dict[int, int]] = []
                for point in points:
                    ends = self._ends(point)
                    safe.append(
                        {
                            number_of[end]: number_of[end]
                            for joint, end in ends.items()
                            if all(self._safe(one, joint, ends, punished[one]) for one in losing)
                        }
                    )
                wanted = conjunction((*(self._goals[self._names[one]] for one in content), body))
                found |= self._starts(points, safe, wanted)
        return frozenset(found)

    def _points(self) -> list[Point]:
        """All points that can come about."""
        found: dict[Point, None] = {}
        work: list[Point] = [(node, ((START, START),) * len(self._names)) for node in self._plays.nodes]
        while work:
            self._budget.check()
            point = work.pop()
            if point not in found:
                if len(found) > MOST_POINTS:
                    raise OutOfBudget(f"there are more than {MOST_POINTS:,} states with what has become of the goals")
                found[point] = None
                work.extend(self._ends(point).values())
        return list(found)

    def _ends(self, point: Point) -> dict[tuple[Act | None, ...], Point]:
        """Where each joint action leads."""
        node, memory = point
        later = tuple(
            (_forget(bad.read(node, one, _EVER)), _forget(good.read(node, two, _EVER)))
            for (bad, good), (one, two) in zip(self._runs, memory, strict=True)
        )
        if node not in self._steps:
            acting = self._plays.acting
            self._steps[node] = [
                (joint, next(iter(self._plays.targets(node, tuple(zip(acting, joint, strict=True))))))
                for joint in product(*[self._plays.options(agent, node) for agent in acting])
            ]
        return {joint: (target, later) for joint, target in self._steps[node]}

    def _punished(self, number: int, points: list[Point]) -> set[Point]:
        """The points from which all others together keep the agent from its goal."""
        place = self._plays.acting.index(self._names[number])
        moves = {node: self._against(node, place) for node in self._plays.nodes}
        wrong, right = self._runs[number]
        # the others want that the goal fails: what is wrong for them are runs of the goal's automaton
        starts = {point: (point[0], point[1][number][1], point[1][number][0]) for point in points}
        won = Games(moves, self._labels, self._budget).decided(set(starts.values()), right, wrong)
        return {point for point, start in starts.items() if start in won}

    def _against(self, node: int, place: int) -> Move:
        """The others choose first, all at once, then the agent."""
        acting = self._plays.acting
        options = [self._plays.options(agent, node) for agent in acting]
        others = product(*[[None] if index == place else acts for index, acts in enumerate(options)])
        return Move(
            True,
            tuple(
                Move(
                    False,
                    tuple(
                        next(
                            iter(
                                self._plays.targets(
                                    node, tuple(zip(acting, (*chosen[:place], own, *chosen[place + 1 :]), strict=True))
                                )
                            )
                        )
                        for own in options[place]
                    ),
                )
                for chosen in others
            ),
        )

    def _safe(
        self,
        number: int,
        joint: tuple[Act | None, ...],
        ends: dict[tuple[Act | None, ...], Point],
        punished: set[Point],
    ) -> bool:
        """Whether the agent can be punished wherever it leads instead, the others doing as they do."""
        place = self._plays.acting.index(self._names[number])
        return all(
            end in punished
            for other, end in ends.items()
            if other[:place] == joint[:place] and other[place + 1 :] == joint[place + 1 :]
        )

    def _starts(self, points: list[Point], safe: list[dict[int, int]], wanted: Formula) -> set[int]:
        """The states from which some run along these steps satisfies the path formula."""
        initial = [number for number, point in enumerate(points) if point[1] == ((START, START),) * len(self._names)]
        graph = Graph([point[0] for point in points], safe, initial, range(len(points)))
        world = World.unfair(graph)
        tableau = Tableau(wanted)
        masks = leaf_masks(world, [graph_lift(points, self._labels.of(leaf)) for leaf in tableau.leaves])
        search = Product(world, tableau, masks, self._budget)
        found = search.satisfiable(dict.fromkeys(initial, first_atoms(tableau)))
        return {points[number][0] for number in found}


def _forget(counts: Counts | None) -> Counts:
    return tuple((state, 0) for state, _ in counts or ())


def graph_lift(points: list[Point], nodes: Nodes) -> Nodes:
    """The points whose state is among these."""
    return frozenset(number for number, point in enumerate(points) if point[0] in nodes)
