"""``<<x>> [[y]] goal`` without memory where diagrams of all tables are too large: guided by counterexamples.

A solver proposes tables for the strategies that are to succeed.  A second one looks for tables of the others, together with a run that they
leave and that violates the goal: a choice of one step in each pair of a state and a state of an automaton that the run comes to, with
a number that falls until the automaton accepts.  What the run used of the proposal is a lesson: some of these entries must change, for
the same tables and the same run refute every proposal with the same entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from typing import TypeAlias

from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.tables.decisions import Decisions
from epistrat.engines.explicit.tables.plays import Plays
from epistrat.logic.automaton import Automaton, automaton
from epistrat.logic.body import split
from epistrat.logic.formula import Formula, Prop, Tag
from epistrat.logic.sentences import OneGoal, Player
from epistrat.model.state import Act
from epistrat.records import dataclass
from epistrat.solvers.sat import Sat

Point: TypeAlias = tuple[int, int, int]
"""A state, a state of the automaton, and the acceptance set that is waited for."""


@dataclass(frozen=True)
class _Step:
    target: Point
    accepting: bool
    needed: tuple[int, ...]
    """The entries of tables that it needs, as literals."""


def guided(
    plays: Plays,
    decisions: Decisions,
    shape: OneGoal,
    tag: Tag,
    label: Callable[[Formula], Mask],
    tick: Callable[[], None],
) -> Callable[[int], bool] | None:
    """Whether a sentence holds in a state, every agent being bound once; None where its prefix has another shape.

    With ``[[x]]`` first the sentence fails where ``<<x>> [[y]]`` holds for the goal denied, as only one run is left.
    """
    kinds = [player.some for player in shape.players]
    if not kinds or (kinds != sorted(kinds, reverse=True) and kinds != sorted(kinds)):
        return None
    begins = kinds[0]
    if not begins and (plays.system.interleaved or not plays.one_outcome):
        return None
    machine = automaton(split(shape.goal, negated=begins).formula, lambda part: isinstance(part, Prop), tick)
    leaves = split(shape.goal, negated=begins).leaves
    search = _Search(plays, decisions, shape.players, begins, tag, tick)
    if not search.complete:
        return None
    search.read(machine, {leaf: label(part) for leaf, part in leaves.items()})
    return lambda node: search.succeeds(node) is begins


class _Search:
    """The two solvers; entries of tables have the same variables in both."""

    def __init__(
        self,
        plays: Plays,
        decisions: Decisions,
        players: Sequence[Player],
        begins: bool,
        tag: Tag,
        tick: Callable[[], None],
    ) -> None:
        self._plays, self._players, self._tick = plays, players, tick
        self._proposals, self._replies = Sat(tick), Sat(tick)
        self._options: list[list[dict[Act | None, int | None]]] = []
        self._proposed: list[list[int]] = []
        self.complete = True
        for player in players:
            entries: list[dict[Act | None, int | None]] = [{} for _ in range(plays.count)]
            for nodes in decisions.situations(player.agents, tag):
                acts = decisions.offered(player.agents, nodes)
                self.complete &= bool(acts)
                entry = self._entry(acts, player.some is begins)
                for node in nodes:
                    entries[node] = entry
            self._options.append(entries)
        self._points: dict[Point, int] = {}
        self._steps: dict[Point, list[tuple[int, _Step]]] = {}
        self._ranks: dict[Point, list[int]] = {}

    def _variable(self) -> int:
        self._proposals.variable()
        return self._replies.variable()

    def _entry(self, acts: Sequence[Act | None], proposed: bool) -> dict[Act | None, int | None]:
        """What is done in one situation: exactly one of these."""
        if len(acts) == 1:
            return {acts[0]: None}
        found = {act: self._variable() for act in acts}
        variables = list(found.values())
        for solver in (self._proposals, self._replies):
            for one, other in combinations(variables, 2):
                solver.add((-one, -other))
        self._proposals.add(variables)
        if proposed:
            self._proposed.append(variables)
        return dict(found)

    # runs that the automaton accepts

    def read(self, machine: Automaton, leaves: dict[Prop, Mask]) -> None:
        """The points that runs come to, and what a run is."""
        moves = _Moves(self._plays, self._players, self._options)
        work = [self._point((node, 0, 0)) for node in range(self._plays.count)]
        while work:
            self._tick()
            point = work.pop()
            if point in self._steps:
                continue
            node, state, waiting = point
            self._steps[point] = []
            for one in machine.transitions:
                if one.source == state and all(bool(leaves[atom][node]) is value for atom, value in one.literals):  # type: ignore[index]  # leaves
                    reached = waiting
                    while reached < machine.acceptance and reached in one.sets:
                        reached += 1
                    accepting = reached >= machine.acceptance
                    for needed, target in moves.of(node):
                        after = target, one.target, 0 if accepting else reached
                        self._steps[point].append((self._variable(), _Step(after, accepting, needed)))
                        work.append(self._point(after))
        bits = len(self._points).bit_length()
        self._ranks = {point: [self._variable() for _ in range(bits)] for point in self._points}
        for point, steps in self._steps.items():
            self._tick()
            self._replies.add([-self._points[point], *(variable for variable, _ in steps)])
            falling: dict[Point, int] = {}
            for variable, step in steps:
                self._replies.add((-variable, self._points[step.target]))
                for literal in step.needed:
                    self._replies.add((-variable, literal))
                if not step.accepting:
                    if step.target not in falling:
                        falling[step.target] = self._below(self._ranks[step.target], self._ranks[point])
                    self._replies.add((-variable, falling[step.target]))

    def _point(self, point: Point) -> Point:
        if point not in self._points:
            self._points[point] = self._variable()
        return point

    def _below(self, one: Sequence[int], other: Sequence[int]) -> int:
        """A variable that implies that a number is smaller; bits from the highest."""
        below = found = self._variable()
        for number, (a, b) in enumerate(zip(one, other, strict=True)):
            last = number + 1 == len(one)
            # a <= b, and less here or below in the rest
            self._replies.add((-below, -a, b))
            if last:
                self._replies.add((-below, -a))
                self._replies.add((-below, b))
                break
            rest = self._variable()
            self._replies.add((-below, rest, -a))
            self._replies.add((-below, rest, b))
            below = rest
        return found

    # proposals and replies

    def succeeds(self, node: int) -> bool:
        """Whether some proposal has no reply when runs begin in this state."""
        start = node, 0, 0
        lessons: list[list[int]] = []
        guard = self._proposals.variable()
        while self._proposals.solve([guard]):
            chosen = [one for some in self._proposed for one in some if self._proposals.value(one)]
            if not self._replies.solve([self._points[start], *chosen]):
                return True
            used = sorted(self._used(start) & set(chosen))
            lessons.append(used)
            self._proposals.add([-guard, *(-one for one in used)])
        return False

    def _used(self, start: Point) -> set[int]:
        """The entries that the run of the last reply uses."""
        found: set[int] = set()
        seen: set[Point] = set()
        point = start
        while point not in seen:
            seen.add(point)
            step = next(step for variable, step in self._steps[point] if self._replies.value(variable))
            found.update(step.needed)
            point = step.target
        return found


class _Moves:
    """Steps of the system with the entries that they need."""

    def __init__(
        self, plays: Plays, players: Sequence[Player], options: Sequence[Sequence[dict[Act | None, int | None]]]
    ) -> None:
        self._plays, self._players, self._options = plays, players, options
        self._known: dict[int, list[tuple[tuple[int, ...], int]]] = {}

    def of(self, node: int) -> list[tuple[tuple[int, ...], int]]:
        """The entries that a step from a state needs, and where it leads."""
        if node not in self._known:
            self._known[node] = list(dict.fromkeys(self._listed(node)))
        return self._known[node]

    def _listed(self, node: int) -> Iterator[tuple[tuple[int, ...], int]]:
        for taken in product(*[options[node].items() for options in self._options]):
            chosen = {
                agent: act for player, (act, _) in zip(self._players, taken, strict=True) for agent in player.agents
            }
            needed = tuple(literal for _, literal in taken if literal is not None)
            for target in self._plays.targets(node, chosen):
                yield needed, target
