"""A counterexample near the start, where no engine gave evidence: a formula that fails need not be told by its meaning alone.

Only what is cheap is tried: ``AG`` over a condition, states in the order of their distance from the start, for a counted amount of work.
"""

from __future__ import annotations

from epistrat.encoding.smt.initial import some_initial_states
from epistrat.evidence import Along, Path, Tree
from epistrat.evidence.conditions import StateConditions
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.solvers.budget import Budget, OutOfBudget

_STARTING = 500_000  # work for finding initial states
MOST_WORK = 60_000
"""Agents and variables looked at over all steps: about a tenth of a second."""
MOST_STATES = 2_000
"""States whose successors are looked at: those that were found before are still judged."""
MOST_STARTS = 50
"""Initial states that are looked at; where they cannot be listed, a solver finds a few."""


def nearby(system: System, formula: Formula) -> Tree | None:
    """Evidence that the formula fails, if a run of few steps shows it."""
    match formula:
        case logic.ForAll(logic.Globally(goal), False) if not system.fairness:
            conditions = StateConditions(system)
            return _violation(system, formula, goal, conditions) if conditions.decides(goal) else None
        case _:
            return None


def _violation(system: System, formula: Formula, goal: Formula, conditions: StateConditions) -> Tree | None:
    stepper, each = Stepper(system), len(system.agents) + len(system.variables) + 1
    found: dict[State, tuple[State, Joint] | None] = {}
    try:
        found.update(dict.fromkeys(some_initial_states(system, MOST_STARTS, Budget().worth(_STARTING))[0]))
    except OutOfBudget:
        return None
    work = MOST_WORK
    for state in (queue := list(found)):
        if not conditions.holds(goal, state):
            path = _back(found, state)
            return Tree(
                path.states[0], formula, False, (Along(path, ((len(path.actions), Tree(state, goal, False)),)),)
            )
        if len(queue) > MOST_STATES:
            continue
        for step in stepper.steps(state):
            work -= each
            if work < 0:
                return None
            if step.target not in found:
                found[step.target] = state, step.joint
                queue.append(step.target)
    return None


def _back(found: dict[State, tuple[State, Joint] | None], state: State) -> Path:
    states, actions = [state], list[Joint]()
    while (before := found[states[-1]]) is not None:
        states.append(before[0])
        actions.append(before[1])
    return Path(tuple(states[::-1]), tuple(actions[::-1]))
