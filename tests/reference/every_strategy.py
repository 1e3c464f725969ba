"""Coalitions by going through every strategy and looking for one run that defeats it.  Only for tiny systems.

Nothing is shared with the reference engine: from the steps of the system, a table of choices; from a strategy, a graph; in the graph,
a cycle on which the operator is violated (and, under fairness, every constraint is met).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from epistrat.engines.contract import Strategies
from epistrat.logic.formula import Finally, Formula, Globally, Group, Next, Release, Until, WeakUntil
from epistrat.model.explore import ReachableGraph
from epistrat.model.state import View
from epistrat.model.step import Stepper
from epistrat.model.system import Blocking

Nodes = frozenset[int]
Graph = dict[int, frozenset[int]]
"""What a strategy leaves of the system.  A state in which nobody can act is no key."""

Situation = tuple[str, View]
PENDING, GOOD, BAD = "pending", "good", "bad"


@dataclass(frozen=True)
class Operands:
    """The states that satisfy the operands of a temporal operator; a unary operator has its operand twice."""

    left: Nodes
    right: Nodes


class EveryStrategy:
    """The states from which a group can enforce an operator, for each reading of strategies."""

    def __init__(self, stepper: Stepper, reached: ReachableGraph, fair: tuple[Nodes, ...] | None) -> None:
        self._stepper, self._system = stepper, stepper.system
        self._states = reached.states
        self._fair = fair
        self._joint = [
            [(joint, frozenset(reached.number[t] for t in stepper.outcomes(state, joint))) for joint in joints]
            for state in reached.states
            for joints in [list(stepper.joint_actions(state))]
        ]

    def enforceable(self, group: Group, shape: Formula, args: Operands, reading: Strategies, asked: Nodes) -> Nodes:
        """The states among those asked about from which some strategy of the group enforces the operator."""
        uniform = reading is not Strategies.ANY
        pooled = self._system.pooled_view(group) if reading is Strategies.SUBJECTIVE else None
        classes: dict[object, set[int]] = {}
        for number in asked:
            state = self._states[number]
            key = number if pooled is None else tuple(state[index] for index in pooled)
            classes.setdefault(key, set()).add(number)
        won: set[int] = set()
        for graph in self.left_over(group, uniform):
            good = {number for number in asked if self.succeeds(graph, shape, args, number)}
            won |= {number for members in classes.values() if members <= good for number in members}
        return frozenset(won)

    def left_over(self, group: Group, uniform: bool) -> Iterator[Graph]:
        """The graph that each memoryless strategy of the group leaves."""
        if self._system.interleaved:
            yield from self._events_left(group, uniform)
            return
        names = [agent.name for agent in self._system.agents]
        members = [name for name in names if name in group.members]
        seats = [names.index(name) for name in members]

        def situation(name: str, number: int) -> Situation:
            state = self._states[number]
            return name, tuple(state[index] for index in self._system.views[name]) if uniform else (number,)

        options: dict[Situation, set[str | None]] = {}
        for number, joints in enumerate(self._joint):
            for joint, _ in joints:
                for name, seat in zip(members, seats, strict=True):
                    options.setdefault(situation(name, number), set()).add(joint[seat])
        for picked in product(*(sorted(actions, key=str) for actions in options.values())):
            rule = dict(zip(options, picked, strict=True))
            graph: Graph = {}
            for number, joints in enumerate(self._joint):
                for joint, outcomes in joints:
                    if all(
                        joint[seat] == rule[situation(name, number)] for name, seat in zip(members, seats, strict=True)
                    ):
                        graph[number] = graph.get(number, frozenset()) | outcomes
            yield graph

    def _events_left(self, group: Group, uniform: bool) -> Iterator[Graph]:
        """The same in an interleaved system, where members choose sets of events; where nothing is left, the state repeats itself."""
        assert self._system.blocking is Blocking.WAIT
        members = [(seat, agent) for seat, agent in enumerate(self._system.agents) if agent.name in group.members]
        options: dict[tuple[int, object], list[frozenset[str]]] = {}
        situations: list[list[tuple[int, object]]] = []
        for number, state in enumerate(self._states):
            situations.append([])
            for seat, agent in members:
                view = tuple(state[index] for index in self._system.views[agent.name]) if uniform else number
                choices = self._stepper.choices(agent, state)
                options[seat, view] = [frozenset([one] if isinstance(one, str) else one) for one in choices] or [
                    frozenset()
                ]
                situations[-1].append((seat, view))
        for picked in product(*options.values()):
            rule = dict(zip(options, picked, strict=True))
            graph: Graph = {}
            for number, joints in enumerate(self._joint):
                chosen = [(seat, rule[seat, view]) for seat, view in situations[number]]
                targets = [
                    outcomes
                    for joint, outcomes in joints
                    if all(joint[seat] is None or joint[seat] in events for seat, events in chosen)
                ]
                graph[number] = frozenset().union(*targets) or frozenset((number,))
            yield graph

    def succeeds(self, graph: Graph, shape: Formula, args: Operands, start: int) -> bool:
        """Whether every (fair) play from the state satisfies the operator."""
        if self._fair is None:
            return start in _unfolded(graph, len(self._states), shape, args)
        step, violating = _monitor(shape, args)
        plays = _closure({(start, step(None, start))}, lambda play: _next_plays(graph, step, play))
        for play in plays:
            status = play[1]
            if status in violating and self._fair_cycle(graph, step, play, violating):
                return False
        return True

    def _fair_cycle(
        self, graph: Graph, step: Callable[[str | None, int], str], play: tuple[int, str], violating: frozenset[str]
    ) -> bool:
        """Whether the play can go on for ever, come back infinitely often, meet every constraint and stay violating."""

        def onwards(now: tuple[int, str]) -> set[tuple[int, str]]:
            return {following for following in _next_plays(graph, step, now) if following[1] in violating}

        ahead = _closure(onwards(play), onwards)
        cycle = {other for other in ahead if play in _closure(onwards(other), onwards)}
        assert self._fair is not None
        return play in ahead and all(any(number in constraint for number, _ in cycle) for constraint in self._fair)


def _next_plays(graph: Graph, step: Callable[[str | None, int], str], play: tuple[int, str]) -> set[tuple[int, str]]:
    number, status = play
    return {(target, step(status, target)) for target in graph.get(number, frozenset())}


def _closure(
    start: set[tuple[int, str]], following: Callable[[tuple[int, str]], set[tuple[int, str]]]
) -> set[tuple[int, str]]:
    found = set(start)
    work = list(start)
    while work:
        fresh = following(work.pop()) - found
        found |= fresh
        work.extend(fresh)
    return found


def _monitor(shape: Formula, args: Operands) -> tuple[Callable[[str | None, int], str], frozenset[str]]:
    """What a play has shown so far, and with which of it a play that goes on for ever violates the operator."""
    left, right = args.left, args.right

    def verdict(status: str | None, number: int) -> str:
        if status in (GOOD, BAD):
            return status
        match shape:
            case Next():
                return PENDING if status is None else (GOOD if number in left else BAD)
            case Finally():
                return GOOD if number in left else PENDING
            case Globally():
                return PENDING if number in left else BAD
            case Until() | WeakUntil():
                return GOOD if number in right else PENDING if number in left else BAD
            case Release():
                return BAD if number not in right else GOOD if number in left else PENDING
            case _:
                raise TypeError(shape)

    return verdict, frozenset({BAD, PENDING} if isinstance(shape, (Finally, Until)) else {BAD})


def _unfolded(graph: Graph, size: int, shape: Formula, args: Operands) -> Nodes:
    """Without fairness, coalitions are fixpoints of one step: a dead end enforces no X, a choice without outcome every X."""
    left, right = args.left, args.right
    everything = frozenset(range(size))

    def enforced(goal: Nodes) -> Nodes:
        return frozenset(number for number, targets in graph.items() if targets <= goal)

    def one_round(now: Nodes) -> Nodes:
        match shape:
            case Next():
                return enforced(left)
            case Finally():
                return left | enforced(now)
            case Globally():
                return left & enforced(now)
            case Until() | WeakUntil():
                return right | (left & enforced(now))
            case _:
                return right & (left | enforced(now))

    now = frozenset[int]() if isinstance(shape, (Next, Finally, Until)) else everything
    for _ in range(size + 1):
        now = one_round(now)
    return now
