"""No uniform strategy of a group enforces its goal: each of them, with a play that defeats it.

The play is a run of the system whose members follow the strategy: there the goal is not true on all runs.  Goals are about conditions, so
that they mean the same in both systems.  Under fair scheduling the run must not pass over an event for ever.
"""

from __future__ import annotations

from epistrat.answers.verdict import UNIFORM, Strategies
from epistrat.evidence.cycles import passes_over
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.strategy import actors
from epistrat.evidence.survey import Survey
from epistrat.evidence.tree import Around, Restricted, Tree, walk
from epistrat.logic.formula import Coalition, ForAll, operands
from epistrat.model.conditions import is_condition
from epistrat.model.explore import explore
from epistrat.model.play import Play
from epistrat.model.state import State
from epistrat.model.system import Blocking, Scheduling, System
from epistrat.solvers.budget import OutOfBudget


def misfit(tree: Tree, reason: Restricted, system: System, reading: Strategies, survey: Survey) -> str | None:
    """Why a strategy with a play that defeats it is no part of a refutation of the tree's claim; None if it may be one."""
    claim, play = tree.claim, reason.tree
    if tree.holds or reading not in UNIFORM or not isinstance(claim, Coalition):
        return "only a whole answer under the uniform reading can rest on a fixed strategy"
    if not shows_defeats(claim, system):
        return "a play under one strategy says nothing about it"
    if (play.claim, play.holds) != (ForAll(claim.arg), False):
        return "a strategy is said to be defeated by something else"
    members = set(claim.group.members)
    if set(reason.strategy.group.members) != members or not set(actors(reason.strategy)) <= members:
        return "the strategy is not one of the group"
    if play.state != tree.state and (
        reading is Strategies.OBJECTIVE or not _alike(claim, play.state, tree.state, system)
    ):
        return "the play against a strategy starts elsewhere"
    starts = survey.look_alikes(claim.group.members, tree.state)
    if play.state != tree.state and starts is not None and play.state not in starts:
        return "the play against a strategy starts where nobody gets"
    return None


def _alike(claim: Coalition, one: State, other: State, system: System) -> bool:
    """Whether the group's members together see the same in two states."""
    return all(one[place] == other[place] for place in system.pooled_view(claim.group))


def shows_defeats(claim: Coalition, system: System) -> bool:
    """Whether runs of the system under a strategy are the plays of the strategy, and the goal means the same there."""
    waits = system.blocking is Blocking.WAIT or not system.interleaved
    return waits and all(map(is_condition, (*operands(claim.arg), *system.fairness)))


def unfairly_scheduled(play: Tree, narrowed: RunChecker) -> str | None:
    """Under fair scheduling: why a run of the tree does not count among those of the system whose members follow the strategy."""
    if narrowed.system.scheduling is not Scheduling.FAIR:
        return None
    steps = Play(narrowed.stepper)
    for reason in (reason for tree in walk(play) for reason in tree.because):
        if isinstance(reason, Around):
            lasso = reason.lasso
            left = [steps.possible(state).keys() for state in lasso.states[lasso.loop :]]
            if passes_over(left, lasso.actions[lasso.loop :]):
                return "the play against a strategy passes over an event for ever"
    return None


def leaves_a_choice(narrowed: RunChecker, followers: set[str], starts: list[State], limit: int) -> bool | None:
    """Whether a follower still has several choices in a state that can be reached; None if these are too many."""
    agents = [agent for agent in narrowed.system.agents if agent.name in followers]
    try:
        reached = explore(narrowed.stepper, starts, limit)
    except OutOfBudget:
        return None
    return any(len(narrowed.stepper.choices(agent, state)) > 1 for state in reached.states for agent in agents)
