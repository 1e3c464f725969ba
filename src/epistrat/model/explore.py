"""The reachable states of a system and the steps between them, breadth first, with a shortest way to each state."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from epistrat.model.state import Joint, State, idle
from epistrat.model.step import Step, Stepper
from epistrat.records import dataclass, field
from epistrat.solvers.budget import Budget, OutOfBudget

# How often limits are looked at and progress is told, in states expanded.
_EVERY = 256
# The same in steps of one state.
_MANY = 16_384


class TooManyStates(OutOfBudget):
    """More states are reachable than may be stored.  ``seen`` holds those that were found; not all have their steps."""

    def __init__(self, message: str, seen: ReachableGraph) -> None:
        super().__init__(message)
        self.seen = seen


@dataclass
class FoundStates:
    """States in the order in which they were found; ``parent[i]`` is the step by which state i was found first, None for initial states."""

    states: list[State] = field(default_factory=list)
    number: dict[State, int] = field(default_factory=dict)
    initial: list[int] = field(default_factory=list)
    parent: list[tuple[int, Joint] | None] = field(default_factory=list)

    def path_to(self, target: int) -> tuple[list[State], list[Joint]]:
        """A shortest way from an initial state: its states, and the joint actions between them."""
        states, actions = [self.states[target]], []
        origin = self.parent[target]
        while origin is not None:
            before, joint = origin
            states.append(self.states[before])
            actions.append(joint)
            origin = self.parent[before]
        return states[::-1], actions[::-1]

    def add(self, state: State, parent: tuple[int, Joint] | None) -> int:
        """The number of the state, which is new or known."""
        found = self.number.get(state)
        if found is None:
            found = self.number[state] = len(self.states)
            self.states.append(state)
            self.parent.append(parent)
        return found


@dataclass
class ReachableGraph(FoundStates):
    """All reachable states; ``steps[i]`` are the steps from state i, targets as numbers.

    At an interleaved dead end the self-loop stands in ``steps``; ``dead_ends`` lists the states that have no step of their own, in both
    compositions.
    """

    steps: list[list[tuple[Joint, int]]] = field(default_factory=list)
    dead_ends: list[int] = field(default_factory=list)


def explore(
    stepper: Stepper,
    initial: Iterable[State],
    limit: int | None = None,
    budget: Budget | None = None,
    watch: Callable[[int, int], None] | None = None,
    steps: int | None = None,
) -> ReachableGraph:
    """All states reachable from the initial ones.

    Raises `TooManyStates` beyond ``limit`` states (or the budget's) or so many ``steps``, and `OutOfBudget` when the budget ends.
    ``watch`` is told now and then how many states were found and how many of them are expanded.
    """
    graph = ReachableGraph()
    for state in initial:
        found = graph.add(state, None)
        if found == len(graph.initial):
            graph.initial.append(found)
    budget = budget or Budget()
    limits = [most for most in (limit, budget.states) if most is not None]
    _expand_all(graph, stepper, min(limits, default=None), budget, watch, steps)
    return graph


def _patiently(steps: Iterable[Step], budget: Budget, most: float) -> list[Step]:
    """The steps as a list, not more than one above ``most``; limits are looked at while they are listed: there may be millions."""
    found: list[Step] = []
    for step in steps:
        found.append(step)
        if len(found) > most:
            break
        if len(found) % _MANY == 0:
            budget.check()
    return found


def _expand_all(
    graph: ReachableGraph,
    stepper: Stepper,
    limit: int | None,
    budget: Budget,
    watch: Callable[[int, int], None] | None,
    most_steps: int | None,
) -> None:
    current, left = 0, float("inf") if most_steps is None else most_steps
    while current < len(graph.states):
        if current % _EVERY == 0:
            budget.check()
            if watch:
                watch(len(graph.states), current)
        steps = _patiently(stepper.steps(graph.states[current]), budget, left)
        left -= len(steps)
        if not steps:
            graph.dead_ends.append(current)
            if stepper.system.interleaved:
                steps = [Step(idle(stepper.system), graph.states[current])]
        graph.steps.append([(joint, graph.add(target, (current, joint))) for joint, target in steps])
        if limit is not None and len(graph.states) > limit:
            found = len(graph.states)
            raise TooManyStates(f"limit of {limit:,} states reached: {found:,} found, {current + 1:,} expanded", graph)
        if left < 0:
            raise TooManyStates(f"limit of {most_steps:,} steps reached", graph)
        current += 1
