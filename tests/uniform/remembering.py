"""What groups enforce by strategies with N states of memory, by their definition: all such strategies are tried."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, operands
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

Situation = tuple[str, int, tuple[object, ...]]
Strategy = dict[Situation, tuple[str, int]]
Place = tuple[int, tuple[int, ...]]
"""A state by its number, and what each member remembers there."""
MOST_TRIALS = 3_000


class TooMany(Exception):
    """There are too many strategies to try them all."""


class Remembering:
    """One system without dead ends and fairness; ``memories`` is N, ``subjective`` says that look-alikes count as starts."""

    def __init__(self, system: System, memories: int, subjective: bool) -> None:
        self.system, self._memories, self._subjective = system, memories, subjective
        self._stepper = Stepper(system)
        self.graph = explore(self._stepper, initial_states(system, 1_000, Budget()))
        assert not self.graph.dead_ends
        self._index = {agent.name: place for place, agent in enumerate(system.agents)}
        self._trials = 0

    def holds(self, formula: Formula) -> bool:
        """Whether all initial states satisfy the formula."""
        return set(self.graph.initial) <= self.where(formula)

    def where(self, formula: Formula) -> set[int]:
        """The reachable states that satisfy a formula."""
        everything = set(range(len(self.graph.states)))
        parts = [] if isinstance(formula, logic.Coalition) else [self.where(one) for one in operands(formula)]
        match formula:
            case logic.Prop(name):
                holds, condition = self._stepper.evaluator.holds, self.system.propositions[name]
                return {number for number in everything if holds(condition, self.graph.states[number])}
            case logic.Not():
                return everything - parts[0]
            case logic.And():
                return set.intersection(*parts)
            case logic.Or():
                return set.union(*parts)
            case logic.Knows(agent):
                return {one for one in everything if self._alike(one, (agent,)) <= parts[0]}
            case logic.Coalition(group, goal):
                wanted = [self.where(one) for one in operands(goal)]
                return {one for one in everything if self._enforced(group, goal, wanted, one)}
        raise AssertionError(formula)

    def _alike(self, number: int, agents: tuple[str, ...]) -> set[int]:
        places = self.system.pooled_view(Group(agents))
        states = self.graph.states
        return {
            other
            for other in range(len(states))
            if all(states[other][place] == states[number][place] for place in places)
        }

    def _enforced(self, group: Group, goal: Formula, wanted: list[set[int]], start: int) -> bool:
        starts = self._alike(start, group.members) if self._subjective else {start}
        begin = [(one, (0,) * len(group.members)) for one in sorted(starts)]
        return any(self._wins(group, goal, wanted, begin, one) for one in self._strategies(group, goal, wanted, begin))

    def _strategies(
        self, group: Group, goal: Formula, wanted: list[set[int]], begin: list[Place]
    ) -> Iterator[Strategy]:
        """All strategies, each as far as plays meet it."""
        work: list[Strategy] = [{}]
        while work:
            self._trials += 1
            if self._trials > MOST_TRIALS:
                raise TooMany
            strategy = work.pop()
            missing = self._missing(group, strategy, begin)
            if missing is None:
                yield strategy
                continue
            situation, actions = missing
            for action, memory in product(actions, range(self._memories)):
                work.append({**strategy, situation: (action, memory)})

    def _missing(
        self, group: Group, strategy: Strategy, begin: list[Place]
    ) -> tuple[Situation, tuple[str, ...]] | None:
        for place in self._visited(group, strategy, begin):
            for situation, actions in self._situations(group, place):
                if situation not in strategy:
                    return situation, actions
        return None

    def _situations(self, group: Group, place: Place) -> list[tuple[Situation, tuple[str, ...]]]:
        number, memories = place
        state = self.graph.states[number]
        return [
            ((name, memory, self._view(name, state)), self._stepper.allowed(self.system.agent[name], state))
            for name, memory in zip(group.members, memories, strict=True)
            if self.system.agent[name].actions
        ]

    def _view(self, name: str, state: State) -> tuple[object, ...]:
        return tuple(state[place] for place in self.system.views[name])

    def _visited(self, group: Group, strategy: Strategy, begin: list[Place]) -> list[Place]:
        found = list(begin)
        for place in found:
            found += [one for one in self._after(group, strategy, place) if one not in found]
        return found

    def _after(self, group: Group, strategy: Strategy, place: Place) -> set[Place]:
        """Where the next step may lead; nowhere while a member does not know what to do."""
        number, memories = place
        doing: dict[str, tuple[str, int]] = {}
        for situation, _ in self._situations(group, place):
            if situation not in strategy:
                return set()
            doing[situation[0]] = strategy[situation]
        later = tuple(
            doing[name][1] if name in doing else memory for name, memory in zip(group.members, memories, strict=True)
        )
        return {
            (target, later)
            for joint, target in self.graph.steps[number]
            if all(joint[self._index[name]] == act for name, (act, _) in doing.items())
        }

    def _wins(
        self, group: Group, goal: Formula, wanted: list[set[int]], begin: list[Place], strategy: Strategy
    ) -> bool:
        after = {place: self._after(group, strategy, place) for place in self._visited(group, strategy, begin)}
        match goal:
            case logic.Next():
                return all(later[0] in wanted[0] for place in begin for later in after[place])
            case logic.Globally():
                return all(place[0] in wanted[0] for place in after)
            case logic.Finally() | logic.Until():
                through = wanted[0] if isinstance(goal, logic.Until) else {place[0] for place in after}
                good = {place for place in after if place[0] in wanted[-1]}
                while True:
                    wider = good | {one for one, later in after.items() if one[0] in through and later <= good}
                    if wider == good:
                        return set(begin) <= good
                    good = wider
        raise AssertionError(goal)
