"""The first part of the concrete state space, labelled with three truth values.

States are explored breadth first.  Where exploration stopped, nothing is known but what an abstraction says of those states; where
all successors are known, operators are evaluated by their definitions.  So a short run, a look-alike or a strategy that wins soon is
found at once, whatever the rest of the system is like; and a system with few reachable states is decided for good.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from math import prod
from typing import NamedTuple, TypeAlias

from epistrat.engines.abstraction.truth import Label, ThreeValued
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group
from epistrat.model.explore import FoundStates
from epistrat.model.state import Joint, State, idle
from epistrat.model.step import Stepper
from epistrat.records import dataclass, field
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr

Guess: TypeAlias = Callable[[Formula, State], bool | None]
"""What is known of a formula in a reachable state from elsewhere; None for nothing."""

_MOST_WORK = 50  # joint actions per state asked for
_EXPANSION = 100  # work of finding the outcomes of a joint action


@dataclass
class Prefix(FoundStates):
    """Explored states; ``moves[n]`` exists for expanded ones: the joint actions with the states they lead to."""

    stepper: Stepper = field(kw_only=True)
    budget: Budget = field(kw_only=True)
    moves: list[list[tuple[Joint, tuple[int, ...]]]] = field(default_factory=list)
    all_initial: bool = True
    work: int = 0

    def start(self, states: Iterable[State], complete: bool) -> None:
        """Begin with initial states; ``complete`` says that there are no others."""
        self.all_initial = complete
        for state in states:
            self.initial.append(self.add(state, None))

    @property
    def complete(self) -> bool:
        """Whether all reachable states are here."""
        return self.all_initial and len(self.moves) == len(self.states)

    @property
    def endless(self) -> bool:
        """Whether no explored state is a dead end, and all were explored."""
        return self.complete and all(any(targets for _, targets in found) for found in self.moves)

    def expand(self, count: int) -> None:
        """Explore until so many states are expanded, or all are, or their joint actions become too many."""
        while len(self.moves) < min(count, len(self.states)):
            if len(self.moves) % 64 == 0:
                self.budget.check()
            now = len(self.moves)
            state = self.states[now]
            actions = self._joint_actions(state)
            self.work += actions
            self.budget.spend(_EXPANSION * actions)
            if self.work > self.budget.patience.most(_MOST_WORK * count):
                return
            found: list[tuple[Joint, tuple[int, ...]]] = []
            for joint in self.stepper.joint_actions(state):
                targets = self.stepper.outcomes(state, joint)
                found.append((joint, tuple([self.add(target, (now, joint)) for target in targets])))
            if self.stepper.system.interleaved and not any(targets for _, targets in found):
                found = [(idle(self.stepper.system), (now,))]
            self.moves.append(found)

    def _joint_actions(self, state: State) -> int:
        """How many joint actions are allowed (at most)."""
        if self.stepper.system.interleaved:
            return 1
        agents = self.stepper.system.agents
        return prod(max(1, len(self.stepper.allowed(agent, state))) for agent in agents if agent.actions)


Nodes: TypeAlias = set[int]


class Side(NamedTuple):
    """A player: whether it forces a set from a node in one step, and the nodes that it is known to win from elsewhere."""

    forces: Callable[[int, Nodes], bool]
    seeds: Nodes


class PrefixLabels(ThreeValued[Nodes, Side]):
    """Labels on a prefix, with the help of an abstraction's guesses."""

    def __init__(self, prefix: Prefix, guess: Guess) -> None:
        self._nodes = range(len(prefix.states))
        self._all: Nodes = set(self._nodes)
        super().__init__(prefix.stepper.system, prefix.budget, self._all, set())
        self._prefix = prefix
        self._guess = guess
        self._expanded = range(len(prefix.moves))

    def kept(self, formula: Formula, value: Label[Nodes]) -> Label[Nodes]:
        """With what is known of it from elsewhere."""
        if not isinstance(formula, (logic.ForAll, logic.Exists, logic.Coalition, *logic.KNOWING)):
            return value
        seeds = self._seeds(formula)
        return Label(value.yes | seeds.yes, value.no | seeds.no)

    def _seeds(self, formula: Formula) -> Label[Nodes]:
        found: Label[Nodes] = Label(set(), set())
        if self._prefix.complete:
            return found
        for node in self._nodes:
            value = self._guess(formula, self._prefix.states[node])
            if value is not None:
                (found.yes if value else found.no).add(node)
        return found

    def where(self, condition: Expr) -> Label[Nodes]:
        """Where a condition holds."""
        holds = self._prefix.stepper.evaluator.meaning(condition)
        yes = {node for node in self._nodes if holds(self._prefix.states[node], ())}
        return Label(yes, self._all - yes)

    # -- time and strategies --------------------------------------------------------------------------------------

    def player(self, formula: logic.ForAll | logic.Exists | logic.Coalition) -> tuple[Side, Side]:
        """Whoever chooses all that happens, or the group; and who chooses the rest."""
        moves, seeds = self._prefix.moves, self._seeds(formula)

        def every(node: int, goal: Nodes) -> bool:
            return all(target in goal for _, targets in moves[node] for target in targets)

        def some(node: int, goal: Nodes) -> bool:
            return any(target in goal for _, targets in moves[node] for target in targets)

        if isinstance(formula, logic.ForAll):  # the refuter
            return Side(some, seeds.no), Side(every, seeds.yes)
        if isinstance(formula, logic.Exists):
            return Side(some, seeds.yes), Side(every, seeds.no)
        choices = self._choices(formula.group)

        def enforce(node: int, goal: Nodes) -> bool:
            return any(outcomes <= goal for outcomes in choices[node])

        def against(node: int, goal: Nodes) -> bool:
            return all(not outcomes.isdisjoint(goal) for outcomes in choices[node])

        return Side(enforce, seeds.yes), Side(against, seeds.no)

    def _choices(self, group: Group) -> list[list[frozenset[int]]]:
        """The outcomes of each choice of the group, by node."""
        members = [index for index, agent in enumerate(self._system.agents) if agent.name in group.members]
        found = []
        for node in self._expanded:
            outcomes: dict[Joint, set[int]] = {}
            for joint, targets in self._prefix.moves[node]:
                outcomes.setdefault(tuple([joint[member] for member in members]), set()).update(targets)
            found.append([frozenset(targets) for targets in outcomes.values()])
        return found

    def _step(self, player: Side, goal: Nodes) -> Nodes:
        return {node for node in self._expanded if player.forces(node, goal)}

    def _soon(self, player: Side, before: Nodes, goal: Nodes) -> Nodes:
        found = goal | player.seeds
        open_nodes = [node for node in reversed(self._expanded) if node in before and node not in found]
        while True:
            self._budget.check()
            left = []
            for node in open_nodes:
                if player.forces(node, found):
                    found.add(node)
                else:
                    left.append(node)
            if len(left) == len(open_nodes):
                return found
            open_nodes = left

    def _ever(self, player: Side, stay: Nodes, leave: Nodes) -> Nodes:
        won = leave | player.seeds
        current = won | {node for node in self._expanded if node in stay}
        while True:
            self._budget.check()
            gone = {node for node in current if node not in won and not player.forces(node, current)}
            if not gone:
                return current
            current -= gone

    # -- knowledge ------------------------------------------------------------------------------------------------

    def _classes(self, positions: Sequence[int]) -> Collection[Nodes]:
        classes: dict[State, Nodes] = {}
        for node, state in enumerate(self._prefix.states):
            classes.setdefault(tuple([state[position] for position in positions]), set()).add(node)
        return classes.values()

    def _certain(self, positions: Sequence[int], body: Label[Nodes]) -> Label[Nodes]:
        yes, no = set(self._all) if self._prefix.complete else set(), set(body.no)
        for nodes in self._classes(positions):
            if nodes & body.no:
                no |= nodes
            if not nodes <= body.yes:
                yes -= nodes
        return Label(yes, no)

    def _common(self, views: Sequence[Sequence[int]], body: Label[Nodes]) -> Label[Nodes]:
        unsure = self._linked(views, self._all - body.yes)
        return Label(self._all - unsure if self._prefix.complete else set(), self._linked(views, body.no))

    def _linked(self, views: Sequence[Sequence[int]], start: Nodes) -> Nodes:
        found = set(start)
        while True:
            size = len(found)
            for positions in views:
                for nodes in self._classes(positions):
                    if nodes & found:
                        found |= nodes
            if len(found) == size:
                return found

    def _correct(self, green: Nodes, body: Label[Nodes]) -> Label[Nodes]:
        sure = self._prefix.complete and green <= body.yes
        return Label(self._all if sure else set(), self._all if green & body.no else set())
