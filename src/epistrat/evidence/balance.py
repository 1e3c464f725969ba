"""Is this the run of an equilibrium?  Its goals, and what happens to those who leave it, by the system's steps alone.

A run belongs to an equilibrium of strategies with memory, which see states and actions, if every agent with a goal either gets it on the
run, or does not get it by leaving: wherever it does something else, all others go on by a machine, and no run of the graph made of the run
itself, of all ways to leave it, and of what that machine leaves satisfies the goal.  So the whole history counts, and one check serves for
every number of rounds before it leaves.
"""

from __future__ import annotations

from epistrat.answers.verdict import Named
from epistrat.evidence.games import Trusted, Wrong
from epistrat.evidence.left import Left, Truth, all_runs
from epistrat.evidence.linear import LassoTruth
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.trace import Lasso
from epistrat.evidence.tree import Balance, Punishment
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Tag
from epistrat.logic.sentences import Player
from epistrat.logic.show import show
from epistrat.model.state import State


def balanced(
    runs: RunChecker, claim: Formula, holds: bool, state: State, shown: Balance, truth: Truth, limit: int, named: Named
) -> None:
    """Raises `Wrong` unless the run is that of an equilibrium and decides the claim; `Trusted` if that cannot be found out."""
    match claim:
        case logic.SomeEquilibrium(fact) if holds:
            wanted = fact
        case logic.EveryEquilibrium(fact) if not holds:
            wanted = logic.Not(fact)
        case _:
            raise Wrong("an equilibrium is no reason for it")
    if named.equilibria is not Tag.PERFECT or named.states_only:
        raise Wrong("strategies are not those that remember states and actions")
    wrong = runs.lasso(shown.lasso)
    if wrong is not None:
        raise Wrong(wrong)
    if shown.lasso.states[0] != state:
        raise Wrong("the run starts elsewhere")
    if not _true(wanted, shown.lasso, truth):
        raise Wrong(f"{show(wanted)} is not true on the run")
    punished = {one.agent: one for one in shown.punishments}
    if len(punished) < len(shown.punishments):
        raise Wrong("an agent is punished twice")
    acting = [agent.name for agent in runs.system.agents if agent.actions]
    for name, goal in runs.system.goals:
        if name in acting and not _true(goal, shown.lasso, truth):
            if name not in punished:
                raise Wrong(f"{name} does not get its goal, and nothing keeps it on the run")
            _kept_from(runs, goal, shown.lasso, punished[name], truth, limit)


def _true(formula: Formula, lasso: Lasso, truth: Truth) -> bool:
    found = (
        LassoTruth(len(lasso.states), lasso.loop, lambda position, part: truth(part, lasso.states[position]))
        .word(formula)
        .at(0)
    )
    if found is None:
        raise Trusted(f"whether {show(formula)} is true on the run")
    return found


def _kept_from(runs: RunChecker, goal: Formula, lasso: Lasso, punishment: Punishment, truth: Truth, limit: int) -> None:
    """Raises `Wrong` unless the agent does not get its goal, neither on the run nor by leaving it."""
    system, name = runs.system, punishment.agent
    place = next(index for index, agent in enumerate(system.agents) if agent.name == name)
    entries = {(one.at, one.act): one for one in punishment.deviations}
    if len(entries) < len(punishment.deviations):
        raise Wrong(f"it is said twice what happens when {name} leaves the run")
    left = Left(runs, punishment.machine, limit)
    # Positions of the run come first: they have memories that no row speaks of.
    on_the_run = [left.number((state, -1 - position)) for position, state in enumerate(lasso.states)]
    for position, state in enumerate(lasso.states):
        joint = lasso.actions[position]
        after = position + 1 if position + 1 < len(lasso.states) else lasso.loop
        found = [on_the_run[after]]
        _one_outcome(runs, state, joint)
        for act in runs.stepper.allowed(system.agents[place], state):
            if act == joint[place]:
                continue
            entry = entries.get((position, act))
            if entry is None:
                raise Wrong(f"nothing is said about {name} doing {act} at position {position}")
            target = _one_outcome(runs, state, (*joint[:place], act, *joint[place + 1 :]))
            if entry.state != target or entry.memory < 0:
                raise Wrong(f"the punishment of {name} starts elsewhere than where doing {act} leads")
            found.append(left.number((target, entry.memory)))
        left.steps.append(found)
    others = [agent.name for agent in system.agents if agent.actions and agent.name != name]
    players = [*(Player(True, (other,)) for other in others), Player(False, (name,))]
    left.explore(players, True)
    all_runs(left, logic.Not(goal), truth)


def _one_outcome(runs: RunChecker, state: State, joint: tuple[str | None, ...]) -> State:
    found = list(dict.fromkeys(runs.stepper.outcomes(state, joint)))
    if len(found) != 1:
        raise Wrong("a step has several outcomes, or none")
    return found[0]
