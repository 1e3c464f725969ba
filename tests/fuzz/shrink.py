"""A smaller case with the same fault: leave things out one after the other, as long as the fault stays."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace

from tests.generators.features import Case

from epistrat.logic.formula import Formula, Truth, is_state, operands
from epistrat.logic.rewrite import with_operands
from epistrat.model.agent import Agent
from epistrat.model.system import System
from epistrat.solvers.patience import PATIENT, Patience
from epistrat.terms import TRUE, And, Expr, Or

Fault = Callable[[Case], bool]


def shrink(case: Case, faulty: Fault, seconds: float = 60.0) -> Case:
    """The smallest case found within the time that is still faulty."""
    until = time.monotonic() + seconds
    progress = True
    while progress:
        progress = False
        for smaller in _smaller(case):
            if time.monotonic() > until:
                return case
            if faulty(smaller):
                case, progress = smaller, True
                break
    return case


def _smaller(case: Case) -> Iterator[Case]:
    for index in range(len(case.formulae)):
        if len(case.formulae) > 1:
            yield replace(case, formulae=case.formulae[:index] + case.formulae[index + 1 :])
    yield from (replace(case, switches={}) for _ in range(bool(case.switches)))
    if case.patience != PATIENT:
        yield replace(case, patience=PATIENT)
        for one in fields(Patience):
            usual = getattr(PATIENT, one.name)
            if getattr(case.patience, one.name) != usual:
                yield replace(case, patience=replace(case.patience, **{one.name: usual}))
    for index, formula in enumerate(case.formulae):
        for simpler in _simpler(formula):
            yield replace(case, formulae=(*case.formulae[:index], simpler, *case.formulae[index + 1 :]))
    for system in _smaller_systems(case.system):
        yield replace(case, system=system)


def _simpler(formula: Formula) -> Iterator[Formula]:
    """Formulae with one operator fewer, or with a constant for a part."""
    parts = operands(formula)
    yield from (part for part in parts if is_state(part))
    for index, part in enumerate(parts):
        constants = () if isinstance(part, Truth) or not is_state(part) else (Truth(True), Truth(False))
        for other in (*constants, *_simpler(part)):
            if is_state(part) == is_state(other):
                yield with_operands(formula, (*parts[:index], other, *parts[index + 1 :]))


def _smaller_systems(system: System) -> Iterator[System]:
    for index in range(len(system.fairness)):
        yield replace(system, fairness=system.fairness[:index] + system.fairness[index + 1 :])
    for index, constraint in enumerate(system.fairness):
        for simpler in _simpler(constraint):
            yield replace(system, fairness=(*system.fairness[:index], simpler, *system.fairness[index + 1 :]))
    for place, agent in enumerate(system.agents):
        yield replace(system, agents=system.agents[:place] + system.agents[place + 1 :])
        for smaller in _smaller_agents(agent):
            yield replace(system, agents=(*system.agents[:place], smaller, *system.agents[place + 1 :]))
    for initial in _weaker(system.initial):
        yield replace(system, initial=initial)
    for name, condition in system.propositions.items():
        for weaker in _weaker(condition):
            yield replace(system, propositions={**system.propositions, name: weaker})


def _smaller_agents(agent: Agent) -> Iterator[Agent]:
    for index in range(len(agent.evolution)):
        yield replace(agent, evolution=agent.evolution[:index] + agent.evolution[index + 1 :])
    for index in range(len(agent.protocol)):
        yield replace(agent, protocol=agent.protocol[:index] + agent.protocol[index + 1 :])
    for action in agent.actions:
        if len(agent.actions) > 1:
            yield _without(agent, action)
    if agent.red is not None:
        yield replace(agent, red=None)
    for index in range(len(agent.observes)):
        yield replace(agent, observes=agent.observes[:index] + agent.observes[index + 1 :])
    for index in range(len(agent.variables)):
        yield replace(agent, variables=agent.variables[:index] + agent.variables[index + 1 :])
    for index, line in enumerate(agent.evolution):
        for guard in _weaker(line.guard):
            lines = (*agent.evolution[:index], replace(line, guard=guard), *agent.evolution[index + 1 :])
            yield replace(agent, evolution=lines)


def _without(agent: Agent, action: str) -> Agent:
    """The agent without one of its actions; lines that mention it make the result no model, and that is noticed."""

    def rest(actions: tuple[str, ...]) -> tuple[str, ...]:
        return tuple([one for one in actions if one != action])

    lines = tuple([replace(line, actions=rest(line.actions)) for line in agent.protocol])
    other = None if agent.other is None else rest(agent.other)
    return replace(agent, actions=rest(agent.actions), protocol=lines, other=other)


def _weaker(condition: Expr) -> Iterator[Expr]:
    if isinstance(condition, (And, Or)):
        yield from condition.args
    elif condition != TRUE:
        yield TRUE
