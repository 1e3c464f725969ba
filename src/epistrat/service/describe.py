"""Serves an `InfoRequest`: what a model consists of, how large it is, and what kinds of formulae it asks."""

from __future__ import annotations

from typing import Any

from epistrat.answers import DONE, Misuse, Setting, Strategies
from epistrat.engines import contract
from epistrat.engines.choose import NoEngine, choose
from epistrat.engines.contract import Options
from epistrat.logic.formula import Formula
from epistrat.logic.fragment import fragment
from epistrat.logic.show import show
from epistrat.model.agent import Agent
from epistrat.model.system import System
from epistrat.service import events, models, pipeline
from epistrat.service.checking import options_of, tell_states, validate
from epistrat.service.events import Finished, Produced, Progress, Send, Warned
from epistrat.service.requests import InfoRequest
from epistrat.service.survey import Visit, coverage
from epistrat.solvers.budget import Budget
from epistrat.terms import FiniteDomain

MOST_COVERED = 20_000_000
"""Agents looked at over all joint actions for a survey that was asked for: some minutes."""


def describe(request: InfoRequest, send: Send, budget: Budget) -> None:
    """Tell what the model consists of; then, unless told not to, explore its states."""
    if request.self_check and request.reduce is None:
        raise Misuse("{} needs {}", Setting("self-check"), Setting("reduce"))
    validate(request)
    system, loaded = models.load(request)
    for one in loaded.diagnostics:
        send(Warned(one))
    send(events.Loaded(system))
    options = options_of(request, system, system.formulae)
    known = info(system, options)
    send(Produced(known))
    if request.reduce is not None:
        known["reductions"] = [
            _reduction(system, index, formula, request, options.strategies, budget, send)
            for index, formula in enumerate(system.formulae, start=1)
        ]
        send(Produced(known))
    if request.coverage:
        known["coverage"] = coverage(Visit(system, MOST_COVERED, budget), loaded)
        send(Produced(known))
    if not request.explore:
        send(Finished())
        return

    def watch(event: contract.Progress) -> None:
        send(Progress(event.phase, event.counts))

    report = pipeline.check(system, [], engine=request.engine, options=options, budget=budget, watch=watch)
    tell_states(system, loaded, report.facts, send)
    send(Finished(DONE, report.facts, report.statistics))


def info(system: System, options: Options) -> dict[str, Any]:
    """The parts of a model, as plain data."""
    return {
        "composition": system.composition.value,
        "semantics": system.semantics.value,
        "finite": system.finite,
        "agents": [_agent(agent) for agent in system.agents],
        "propositions": list(system.propositions),
        "groups": {name: list(members) for name, members in system.groups.items()},
        "fairness": [show(formula) for formula in system.fairness],
        "formulae": [_formula(system, index, formula, options) for index, formula in enumerate(system.formulae, 1)],
        "state_space": _state_space(system),
    }


def _reduction(
    system: System,
    index: int,
    formula: Formula,
    request: InfoRequest,
    strategies: Strategies,
    budget: Budget,
    send: Send,
) -> dict[str, Any]:
    """What partial order reduction does for a formula, and, if asked, whether that stands a comparison with all states."""
    from epistrat.engines.explicit.layout import TooWide
    from epistrat.engines.explicit.reduction import NotReducible, reduction_report, self_check

    mode = request.reduce or "auto"

    def watch(event: contract.Progress) -> None:
        send(Progress(event.phase, event.counts))

    if not system.finite:
        return {"index": index, "full_states": None, "reduced_states": None, "reason": "some variables are unbounded"}
    try:
        found = reduction_report(system, formula, mode, budget, watch, strategies)
    except TooWide as problem:
        return {"index": index, "full_states": None, "reduced_states": None, "reason": str(problem)}
    record: dict[str, Any] = {
        "index": index,
        "full_states": found.full_states,
        "reduced_states": found.reduced_states,
        "reason": found.reason,
        "rules": found.rules,
        "visible": list(found.visible),
        "taken": dict(found.taken),
    }
    if request.self_check and found.reduced_states is not None:
        try:
            compared = self_check(system, formula, mode, budget=budget, strategies=strategies)
            record["self_check"] = {"passed": compared.passed, "formulae": compared.formulae}
        except NotReducible as problem:
            record["self_check"] = {"passed": None, "reason": str(problem)}
    return record


def _agent(agent: Agent) -> dict[str, Any]:
    return {
        "name": agent.name,
        "variables": [{"name": v.name, "domain": str(v.domain), "public": v.public} for v in agent.variables],
        "observes": list(agent.observes),
        "actions": list(agent.actions),
        "protocol_lines": len(agent.protocol) + (agent.other is not None),
        "evolution_lines": len(agent.evolution),
    }


def _formula(system: System, index: int, formula: Formula, options: Options) -> dict[str, Any]:
    try:
        engine: str | None = choose(system, formula, options).engine.name
    except NoEngine:
        engine = None
    name = system.formula_names[index - 1] if system.formula_names else None
    known = {"formula": show(formula), "fragment": str(fragment(formula)), "engine": engine}
    return {"index": index, "name": name or None, **known}


def _state_space(system: System) -> int | None:
    """How many states there would be if all were reachable; None where a domain is infinite."""
    size = 1
    for variable in system.variables:
        if not isinstance(variable.domain, FiniteDomain):
            return None
        size *= len(variable.domain)
    return size
