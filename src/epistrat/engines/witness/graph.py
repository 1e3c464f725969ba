"""Evidence from an explicit graph: sets are sets of state numbers, steps are looked up.

Serves every engine that stores its reachable states one by one; what differs between them is only who says which states satisfy a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TypeAlias

from epistrat.encoding.lazily import lazy
from epistrat.engines.contract import Strategies
from epistrat.engines.witness.space import WitnessSpace
from epistrat.evidence import Choice, Path
from epistrat.logic.formula import Formula, Group
from epistrat.model.explore import ReachableGraph
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper

States: TypeAlias = frozenset[int]


class GraphSpace(WitnessSpace[States]):
    """The states of a stored reachable graph."""

    def __init__(
        self,
        stepper: Stepper,
        reached: ReachableGraph,
        worlds: States,
        fairness: Sequence[States],
        satisfying: Callable[[Formula], States],
        strategies: Strategies,
    ) -> None:
        super().__init__(stepper, worlds, worlds.intersection(reached.initial), fairness, strategies)
        self._reached = reached
        self._satisfying = satisfying
        self._view_tables: dict[tuple[str, ...], list[State]] = {}
        self._outcome_tables: dict[tuple[Group, int], dict[Choice, States]] = {}

    def satisfying(self, formula: Formula) -> States:
        """The states of W where a state formula holds."""
        return self._satisfying(formula) & self.worlds

    # Sets

    def minus(self, one: States, other: States) -> States:
        """The states in the first set only."""
        return one - other

    def is_empty(self, points: States) -> bool:
        """Whether the set has no states."""
        return not points

    def has(self, points: States, point: State) -> bool:
        """Whether the state is in the set."""
        return self._reached.number.get(point) in points

    def only(self, point: State) -> States:
        """The set of this state alone."""
        return frozenset((self._reached.number[point],))

    def pick(self, states: States) -> State:
        """The state of the set that was found first."""
        return self._reached.states[min(states)]

    def size(self, states: States) -> int:
        """How many states the set has."""
        return len(states)

    # Steps and runs

    @lazy
    def _parents(self) -> list[list[int]]:
        parents: list[list[int]] = [[] for _ in self._reached.states]
        for source, steps in enumerate(self._reached.steps):
            if source in self.worlds:
                for target in {target for _, target in steps}:
                    parents[target].append(source)
        return parents

    def before(self, points: States) -> States:
        """The states of W with a step into the set."""
        return frozenset(source for target in points for source in self._parents[target])

    def step(self, point: State, into: States) -> tuple[Joint, State] | None:
        """A step from the state into the set; the target that was found first."""
        steps = [
            (target, joint) for joint, target in self._reached.steps[self._reached.number[point]] if target in into
        ]
        if not steps:
            return None
        target, joint = min(steps, key=lambda step: step[0])
        return joint, self._reached.states[target]

    def run_to(self, target: States) -> Path:
        """A shortest run from an initial state into the set: states are numbered in the order of their distance."""
        states, actions = self._reached.path_to(min(target))
        return Path(tuple(states), tuple(actions))

    # Knowledge

    def alike(self, agents: tuple[str, ...], states: States) -> States:
        """The states of W that the agents together cannot tell from some state of the set."""
        views = self._views(agents)
        seen = {views[number] for number in states}
        return frozenset(number for number in self.worlds if views[number] in seen)

    def _views(self, agents: tuple[str, ...]) -> list[State]:
        found = self._view_tables.get(agents)
        if found is None:
            positions = self.system.pooled_view(Group(agents))
            found = [tuple([state[index] for index in positions]) for state in self._reached.states]
            self._view_tables[agents] = found
        return found

    # Games

    def _choices(self, group: Group, state: State) -> Iterator[Choice]:
        yield from product(*[self.play.options(name, state) for name in group.members])

    def opposed(self, group: Group, bad: States) -> States:
        """The states of W where each choice of the group has an outcome in ``bad``, or where nobody may act."""
        return frozenset(number for number in self.worlds if self._is_opposed(group, number, bad))

    def _is_opposed(self, group: Group, number: int, bad: States) -> bool:
        outcomes = self._outcomes(group, number)
        return all(not targets.isdisjoint(bad) for targets in outcomes.values())

    def _outcomes(self, group: Group, number: int) -> dict[Choice, States]:
        """The outcomes of each choice of the group; empty where the protocols allow no joint action."""
        found = self._outcome_tables.get((group, number))
        if found is None:
            state = self._reached.states[number]
            found = {}
            if self.play.can_act(state):
                for choice in self._choices(group, state):
                    found[choice] = self._targets(group, state, choice)
            self._outcome_tables[group, number] = found
        return found

    def _targets(self, group: Group, state: State, choice: Choice) -> States:
        steps = self.play.steps(state, dict(zip(group.members, choice, strict=True))) or ()
        return frozenset(self._reached.number[step.target] for step in steps)

    def choice(self, group: Group, state: State, bad: States) -> Choice | None:
        """What the group can choose in the state so that no outcome is in ``bad``."""
        outcomes = self._outcomes(group, self._reached.number[state])
        return next((choice for choice, targets in outcomes.items() if targets.isdisjoint(bad)), None)
