"""Is there no equilibrium whose run is as wanted?  Re-checked from how agents gain, by the system's steps alone.

Strategies remember states and actions.  For an agent with a goal, what has happened is remembered in a number, and for some pairs of a
state and a number a machine says how the agent gets its goal from there, whatever all others do, and whatever has happened before.  A step
of a run that the agent could leave into such a pair is *unsafe* for it: if the agent misses its goal on the run, it gains by leaving, and
the run is that of no equilibrium.  So there is none if every run as wanted misses the goal of an agent for whom one of its steps is unsafe.
Pairs of which nothing is said count as safe.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from epistrat.answers.verdict import Named
from epistrat.evidence.automata import TooLarge, some_path
from epistrat.evidence.games import Trusted, Wrong
from epistrat.evidence.left import Left, Truth
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.tree import Gain, Unbalanced
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Tag
from epistrat.logic.rewrite import conjunction
from epistrat.logic.sentences import Player
from epistrat.model.state import Joint, State

MOST_GAINING = 6
"""Agents who may gain: for every choice of them a search is made."""

Point = tuple[State, tuple[int, ...]]


def unbalanced(
    runs: RunChecker,
    claim: Formula,
    holds: bool,
    state: State,
    shown: Unbalanced,
    truth: Truth,
    limit: int,
    named: Named,
) -> None:
    """Raises `Wrong` unless no run from the state is that of an equilibrium as wanted; `Trusted` if that cannot be found out."""
    match claim:
        case logic.SomeEquilibrium(fact) if not holds:
            wanted = fact
        case logic.EveryEquilibrium(fact) if holds:
            wanted = logic.Not(fact)
        case _:
            raise Wrong("that nobody stays on a run is no reason for it")
    if named.equilibria is not Tag.PERFECT or named.states_only:
        raise Wrong("strategies are not those that remember states and actions")
    acting = {agent.name for agent in runs.system.agents if agent.actions}
    goals = {name: goal for name, goal in runs.system.goals if name in acting}
    names = [one.agent for one in shown.gains]
    if len(set(names)) < len(names) or not set(names) <= set(goals):
        raise Wrong("who is said to gain has no goal, or is named twice")
    if len(names) > MOST_GAINING:
        raise Trusted("too many agents who may gain")
    checked = [_Gaining(runs, one, goals[one.agent], state, truth, limit) for one in shown.gains]
    search = _Runs(runs, checked, state, limit)
    for many in range(len(checked) + 1):
        for staying in combinations(range(len(checked)), many):
            content = [one.goal for number, one in enumerate(checked) if number not in staying]
            if search.some(conjunction((*content, wanted)), staying, truth):
                raise Wrong("on some run as wanted everybody gets its goal, or is not shown to gain by leaving")


class _Gaining:
    """An agent that gains: what is remembered of runs for it, and where it wins; checked when it is made."""

    def __init__(self, runs: RunChecker, gain: Gain, goal: Formula, start: State, truth: Truth, limit: int) -> None:
        self._runs, self._gain, self.goal = runs, gain, goal
        self.place = next(at for at, agent in enumerate(runs.system.agents) if agent.name == gain.agent)
        self._later = {(row.state, row.memory): row.after for row in gain.machine.rows}
        self.won = frozenset(gain.won)
        self._check(start, truth, limit)

    def after(self, state: State, memory: int) -> int:
        """What is remembered when a step from the state is made."""
        found = self._later.get((state, memory))
        if found is None:
            raise Wrong(f"it is not said what is remembered of a run for {self._gain.agent}")
        return found

    def _check(self, start: State, truth: Truth, limit: int) -> None:
        """Raises `Wrong` unless every run that comes to a pair that is won, and goes on by the machine, satisfies the goal."""
        left = Left(self._runs, self._gain.machine, limit)
        pairs = [(start, 0)]
        for state, memory in pairs:  # which grow
            left.number((state, -1 - memory))
            for target in steps_of(self._runs, state).values():
                pair = target, self.after(state, memory)
                if (pair[0], -1 - pair[1]) not in left.known:
                    left.number((pair[0], -1 - pair[1]))
                    pairs.append(pair)
        begins = [0] + ([left.number((start, 0))] if (start, 0) in self.won else [])
        for state, memory in pairs:
            targets: list[int] = []
            for target in dict.fromkeys(steps_of(self._runs, state).values()):
                later = self.after(state, memory)
                targets.append(left.number((target, -1 - later)))
                if (target, later) in self.won:
                    targets.append(left.number((target, later)))
            left.steps.append(targets)
        others = [one.name for one in self._runs.system.agents if one.actions and one.name != self._gain.agent]
        left.explore([*(Player(True, (other,)) for other in others), Player(False, (self._gain.agent,))], False)
        playing = frozenset(number for number, (_, memory) in enumerate(left.nodes) if memory >= 0)
        states = [state for state, _ in left.nodes]
        if _some_run(left.steps, states, truth, [playing], logic.Not(self.goal)) & set(begins):
            raise Wrong(f"{self._gain.agent} does not get its goal by what it is said to do")


class _Runs:
    """All runs, with what is remembered of them for each agent that may gain."""

    def __init__(self, runs: RunChecker, gaining: list[_Gaining], start: State, limit: int) -> None:
        self._runs, self._gaining = runs, gaining
        first: Point = start, tuple(0 for _ in gaining)
        self._points = [first]
        number = {first: 0}
        self._steps: list[list[tuple[int, frozenset[int]]]] = []
        for point in self._points:  # which grow
            found = []
            for after, unsafe in self._leading(point):
                if after not in number:
                    if len(number) >= limit:
                        raise Trusted("too many runs to look at them all")
                    number[after] = len(self._points)
                    self._points.append(after)
                found.append((number[after], unsafe))
            self._steps.append(found)

    def _leading(self, point: Point) -> Iterator[tuple[Point, frozenset[int]]]:
        """Where each joint action leads, and for whom it is unsafe."""
        state, memories = point
        later = tuple(one.after(state, memory) for one, memory in zip(self._gaining, memories, strict=True))
        ends = steps_of(self._runs, state)
        for joint, target in ends.items():
            unsafe = [
                number
                for number, (one, memory) in enumerate(zip(self._gaining, later, strict=True))
                if any((end, memory) in one.won for end in _instead(ends, joint, one.place))
            ]
            yield (target, later), frozenset(unsafe)

    def some(self, wanted: Formula, staying: tuple[int, ...], truth: Truth) -> bool:
        """Whether some run of steps that are safe for those who stay satisfies a path formula."""
        kept = [[target for target, unsafe in steps if unsafe.isdisjoint(staying)] for steps in self._steps]
        return 0 in _some_run(kept, [state for state, _ in self._points], truth, [], wanted)


def steps_of(runs: RunChecker, state: State) -> dict[Joint, State]:
    """Where each joint action leads; raises `Wrong` where that is not one state."""
    found: dict[Joint, State] = {}
    for joint in runs.stepper.joint_actions(state):
        ends = set(runs.stepper.outcomes(state, joint))
        if len(ends) != 1:
            raise Wrong("a step has several outcomes, or none")
        (found[joint],) = ends
    if not found:
        raise Wrong("nothing can happen in some state")
    return found


def _instead(ends: dict[Joint, State], joint: Joint, place: int) -> Iterator[State]:
    """Where one agent may lead, the others doing as they do."""
    for other, end in ends.items():
        if other[:place] == joint[:place] and other[place + 1 :] == joint[place + 1 :]:
            yield end


def _some_run(
    steps: list[list[int]], states: list[State], truth: Truth, fair: list[frozenset[int]], wanted: Formula
) -> frozenset[int]:
    def where(formula: Formula) -> frozenset[int]:
        values = [truth(formula, state) for state in states]
        if None in values:
            raise Trusted("a part of the goals cannot be told from the states")
        return frozenset(number for number, value in enumerate(values) if value)

    try:
        return some_path(steps, where, fair, wanted)
    except TooLarge:
        raise Trusted("the automaton of the goals is too large") from None
