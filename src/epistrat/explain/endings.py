"""Whether runs can end, and where a strategy makes them end: sentences about all runs must not promise what dead ends give for nothing."""

from __future__ import annotations

from collections import deque

from epistrat.evidence import Strategy
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.strategy import Follower
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.state import Act, Joint, State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.model.visited import Visited, step_work
from epistrat.records import dataclass

MOST_STATES = 1_000
"""How many states are visited in search of a dead end; where there are more, sentences allow for one."""
MOST_WORK = 60_000
"""Agents and variables looked at over all steps on that way: about a tenth of a second."""


def runs_can_end(system: System, visited: Visited | None = None) -> bool:
    """Whether some run may end, in a dead end or by an assignment that leaves its range.

    False only where all states were visited, and everything that is allowed there leads on.  Who has ``visited`` states of the system
    already shares what is known of them.
    """
    if system.interleaved:
        return False
    stepper = Stepper(system)
    left = MOST_WORK // step_work(system)
    starts = (visited or Visited(system)).starts(MOST_STATES)
    if starts is None:
        return True
    queue = list(dict.fromkeys(starts))
    seen = set(queue)
    for state in queue:
        leads_on = False
        for joint in stepper.joint_actions(state):
            targets = set(stepper.outcomes(state, joint))
            left -= max(1, len(targets))
            leads_on = bool(targets)
            queue += targets - seen
            seen |= targets
            if not leads_on or left < 0 or len(seen) > MOST_STATES:
                return True
        if not leads_on:
            return True
    return False


@dataclass(frozen=True, slots=True)
class Stop:
    """In ``state``, ``joint`` is allowed but leads nowhere: an assignment would leave its range."""

    state: State
    joint: Joint


def ending(system: System, start: State, strategy: Strategy, arg: Formula, conditions: StateConditions) -> Stop | None:
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
                return Stop(state, joint)
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
