"""Fair scheduling in interleaved systems: plays in which somebody is passed over for ever do not count.

Given a strategy, a play counts iff there is no event e and no moment from which on e is always left and no event happens that shares an
agent with e.  On pairs of a state and the event that led to it this is a generalised Büchi condition: for each e, again and again e is not
left, or the last event shared an agent with e.

All uniform strategies are tried, decision by decision, each on the graph of these pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epistrat.engines.reference import temporal
from epistrat.engines.reference.graph import Graph, Nodes, World
from epistrat.engines.reference.uniform import Decisions, Situation, goal_of
from epistrat.logic.formula import Formula, Group
from epistrat.model.play import Play
from epistrat.model.state import Act, Joint, State, idle, view
from epistrat.model.step import Stepper
from epistrat.solvers.budget import Budget

Pair = tuple[State, Joint]


class _Open(Exception):
    def __init__(self, situation: Situation, acts: Sequence[Act | None]) -> None:
        super().__init__(situation)
        self.situation, self.acts = situation, acts


class FairPlays:
    """Uniform strategies of one group for one temporal operator, under fair scheduling.

    ``args`` are the nodes that satisfy the operands, ``fair`` those of the system's fairness constraints; nodes are states by number.
    """

    def __init__(
        self,
        stepper: Stepper,
        number: Mapping[State, int],
        group: Group,
        shape: Formula,
        args: list[Nodes],
        fair: tuple[Nodes, ...],
        budget: Budget,
    ) -> None:
        self._stepper, self._system = stepper, stepper.system
        self._play = Play(stepper)
        self._number = number
        self._members = [name for name in group.members if name in stepper.system.agent]
        self._shape, self._args, self._fair = shape, args, fair
        # With fairness constraints what happens beyond the goal matters to plays that violated the operator before they came there.
        self._goal = frozenset() if fair else goal_of(shape, args)
        self._budget = budget

    def succeeds(self, starts: Sequence[State]) -> bool:
        """Whether one uniform strategy makes the operator true on all plays that count, from all the states."""
        open_ends: list[Decisions] = [{}]
        while open_ends:
            self._budget.check()
            decisions = open_ends.pop()
            try:
                if self._holds(starts, decisions):
                    return True
            except _Open as met:
                open_ends.extend({**decisions, met.situation: act} for act in met.acts if act is not None)
        return False

    def _chosen(self, state: State, decisions: Decisions) -> dict[str, Act | None]:
        chosen: dict[str, Act | None] = {}
        for name in self._members:
            options = self._play.options(name, state)
            situation = (name, view(self._system, name, state))
            if len(options) > 1 and situation not in decisions:
                raise _Open(situation, options)
            chosen[name] = decisions[situation] if len(options) > 1 else options[0]
        return chosen

    def _holds(self, starts: Sequence[State], decisions: Decisions) -> bool:
        """Whether the operator is true on all plays that count, under decisions that cover what play meets."""
        nothing = idle(self._system)
        pairs: dict[Pair, int] = {(state, nothing): place for place, state in enumerate(starts)}
        order = list(pairs)
        left: list[frozenset[Joint] | None] = []
        child: list[dict[int, int]] = []
        for state, _ in order:
            self._budget.check()
            if self._number[state] in self._goal:  # nothing matters any more: a play that counts goes on for ever
                left.append(None)
                child.append({len(left) - 1: len(left) - 1})
                continue
            steps = self._play.steps(state, self._chosen(state, decisions)) or ()
            left.append(frozenset(joint for joint, _ in steps if any(joint)))
            targets: dict[int, int] = {}
            for joint, target in steps:
                pair = (target, joint)
                if pair not in pairs:
                    pairs[pair] = len(order)
                    order.append(pair)
                targets[pairs[pair]] = pairs[pair]
            child.append(targets)
        return self._judged(order, left, child, len(starts))

    def _judged(
        self, order: list[Pair], left: list[frozenset[Joint] | None], child: list[dict[int, int]], starts: int
    ) -> bool:
        nodes = range(len(order))
        graph = Graph(nodes, child, list(range(starts)), nodes)
        events = {joint for some in left if some is not None for joint in some}
        fair = [
            frozenset(
                node
                for node in nodes
                if (some := left[node]) is None or event not in some or _share(order[node][1], event)
            )
            for event in events
        ]
        met = [None if left[node] is None else self._number[order[node][0]] for node in nodes]
        fair += [frozenset(n for n in nodes if met[n] is None or met[n] in one) for one in self._fair]
        anything = World(graph, graph.nodes, tuple(fair))
        world = World(graph, temporal.fair_nodes(anything), tuple(fair))
        args = [frozenset(n for n in nodes if self._number[order[n][0]] in arg) & world.nodes for arg in self._args]
        return world.initial <= temporal.for_all(world, self._shape, args)


def _share(one: Joint, other: Joint) -> bool:
    """Whether two events have an agent in common."""
    return any(a is not None and b is not None for a, b in zip(one, other, strict=True))
