"""Whether runs can end, and where a strategy makes them end: sentences about all runs must not promise what dead ends give for nothing."""

from __future__ import annotations

from collections import deque

from epistrat.evidence import Strategy
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.strategy import Follower
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.state import Act, Joint, State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.solvers.budget import Budget, OutOfBudget

MOST_STATES = 1_000
"""How many states are visited in search of a dead end; where there are more, sentences allow for one."""
MOST_ACTIONS = 12
"""Joint actions are tried one by one: so many choices at most, as a power of two."""


def runs_can_end(system: System) -> bool:
    """Whether some run may end, in a dead end or by an assignment that leaves its range.

    False only where all states were visited, and everything that is allowed there leads on.
    """
    if system.interleaved:
        return False
    if sum(len(agent.actions) > 1 for agent in system.agents) > MOST_ACTIONS:
        return True
    stepper = Stepper(system)
    try:
        reached = explore(stepper, initial_states(system, MOST_STATES), MOST_STATES, Budget())
    except OutOfBudget:
        return True
    if reached.dead_ends:
        return True
    for state, steps in zip(reached.states, reached.steps, strict=True):
        done = {joint for joint, _ in steps}
        if any(joint not in done for joint in stepper.joint_actions(state)):
            return True
    return False


@dataclass(frozen=True, slots=True)
class Ending:
    """In ``state``, ``joint`` is allowed but leads nowhere: an assignment would leave its range."""

    state: State
    joint: Joint


def ending(
    system: System, start: State, strategy: Strategy, arg: Formula, conditions: StateConditions
) -> Ending | None:
    """A step without outcome that the strategy makes before the goal of ``arg`` is reached; None if none was found."""
    if system.interleaved:
        return None
    stepper, follower = Stepper(system), Follower(system, strategy)
    goal = arg.right if isinstance(arg, logic.Until) else arg.arg if isinstance(arg, logic.Finally) else None
    seen, queue = {start}, deque([start])
    while queue and len(seen) <= MOST_STATES:
        state = queue.popleft()
        done = follower.at(state)
        reached = goal is not None and conditions.decides(goal) and conditions.holds(goal, state)
        if done is None or reached:
            continue
        for joint in _consistent(stepper, state, done):
            targets = list(stepper.outcomes(state, joint))
            if not targets:
                return Ending(state, joint)
            if not isinstance(arg, logic.Next):
                queue.extend(dict.fromkeys(target for target in targets if target not in seen))
                seen.update(targets)
    return None


def _consistent(stepper: Stepper, state: State, done: dict[str, Act | None]) -> list[Joint]:
    """The joint actions in which the members do what the strategy says, MOST_STATES of them at most."""
    agents = stepper.system.agents
    found: list[Joint] = []
    for number, joint in enumerate(stepper.joint_actions(state)):
        if number > MOST_STATES:
            break
        if all(done.get(agent.name, action) == action for agent, action in zip(agents, joint, strict=True)):
            found.append(joint)
    return found
