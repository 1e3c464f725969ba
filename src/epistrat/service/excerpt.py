"""Excerpts of the graph of states, for models whose states are too many to draw, or infinitely many.

An excerpt knows some states and, of those that were looked into, all steps; the others are open.  Seen by an agent, states that look the
same to it are one, so that a few boxes stand for thousands of states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass, field

MOST_STEPS = 60
"""So many steps of a state are shown; a state with more stays open."""


@dataclass
class Excerpt:
    """States in the order in which they were met, steps between them, and the states of which not all steps are known.

    ``stands_for[i]``: how many of the states that were met look like state i to the observer; 1 without one.
    """

    states: list[State] = field(default_factory=list)
    steps: dict[tuple[int, int], list[Joint]] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)
    stands_for: list[int] = field(default_factory=list)
    dead_ends: set[int] = field(default_factory=set)


def excerpt(
    system: System, start: Iterable[State], look_into: int, enough: Callable[[State], bool] | None = None
) -> Excerpt:
    """What is met where so many states are looked into, breadth first from the given ones.

    ``enough`` is told every state that is met; where it says so, no further state is looked into.
    """
    found = Excerpt()
    stepper = Stepper(system)
    number: dict[State, int] = {}
    full = False

    def meet(state: State) -> int:
        nonlocal full
        if enough is not None and state not in number:
            full = enough(state) or full
        if state not in number:
            number[state] = len(found.states)
            found.states.append(state)
            found.stands_for.append(1)
        return number[state]

    for state in start:
        meet(state)
    at = 0
    while not full and at < min(look_into, len(found.states)):
        steps = list(islice(stepper.steps(found.states[at]), MOST_STEPS + 1))
        for step in steps[:MOST_STEPS]:
            found.steps.setdefault((at, meet(step.target)), []).append(step.joint)
        if len(steps) > MOST_STEPS:
            found.open.add(at)
        if not steps:
            found.dead_ends.add(at)
        at += 1
    found.open.update(range(at, len(found.states)))
    return found


def as_seen(system: System, agent: str, whole: Excerpt) -> Excerpt:
    """The excerpt as an agent sees it: states that look the same to it are one; what is open for one of them is open."""
    view = system.views[agent]
    found = Excerpt()
    number: dict[tuple[object, ...], int] = {}
    home: list[int] = []
    for state in whole.states:
        seen = tuple([state[index] for index in view])
        if seen not in number:
            number[seen] = len(found.states)
            found.states.append(state)
            found.stands_for.append(0)
        home.append(number[seen])
        found.stands_for[number[seen]] += 1
    for (source, target), joints in whole.steps.items():
        known = found.steps.setdefault((home[source], home[target]), [])
        known.extend(joint for joint in joints if joint not in known)
    found.open = {home[index] for index in whole.open}
    found.dead_ends = {home[index] for index in whole.dead_ends}
    return found
