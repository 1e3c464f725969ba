"""What the child process of ``epistrat info`` does."""

from __future__ import annotations

import argparse
from typing import Any

from epistrat import pipeline
from epistrat.cli.check import tuning_of
from epistrat.cli.supervise import Send
from epistrat.cli.work import load_file, paced, tell_facts
from epistrat.engines.choose import NoEngine, choose
from epistrat.engines.contract import Options
from epistrat.logic.formula import Formula
from epistrat.logic.fragment import fragment
from epistrat.logic.show import show
from epistrat.model.agent import Agent
from epistrat.model.system import System
from epistrat.render.as_json import plain
from epistrat.solvers.budget import Budget
from epistrat.terms import FiniteDomain


def describe_file(file: str, arguments: argparse.Namespace, send: Send, budget: Budget) -> None:
    """Tell what the model consists of; then, unless told not to, explore its states."""
    loaded = load_file(file, arguments, send)
    if loaded is None or loaded.system is None:
        return
    system = loaded.system
    options = Options(tuning=tuning_of(arguments))
    send({"event": "info", "info": info(system, options)})
    if arguments.reduce is not None:
        for index, formula in enumerate(system.formulae, start=1):
            send({"event": "reduction", "reduction": _reduction(system, index, formula, arguments, budget, send)})
    if arguments.no_states:
        return
    report = pipeline.check(system, [], engine=arguments.engine, options=options, budget=budget, watch=paced(send))
    facts = report.facts
    tell_facts(loaded, system, facts, send)
    counts: dict[str, Any] = {
        "states": facts.states,
        "dead_ends": facts.dead_ends,
        "overflows": facts.overflows,
        "fair_states": facts.fair_states,
        "reason": facts.reason,
        "statistics": plain(dict(report.statistics)),
    }
    send({"event": "info", "info": counts})


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
    system: System, index: int, formula: Formula, arguments: argparse.Namespace, budget: Budget, send: Send
) -> dict[str, Any]:
    """What partial order reduction does for a formula, and, if asked, whether that stands a comparison with all states."""
    from epistrat.engines.explicit.layout import TooWide
    from epistrat.engines.explicit.reduction import NotReducible, reduction_report, self_check

    if not system.finite:
        return {"index": index, "full_states": None, "reduced_states": None, "reason": "some variables are unbounded"}
    try:
        found = reduction_report(system, formula, arguments.reduce, budget, paced(send))
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
    if arguments.self_check and found.reduced_states is not None:
        try:
            compared = self_check(system, formula, arguments.reduce, budget=budget)
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
    return {"index": index, "formula": show(formula), "fragment": str(fragment(formula)), "engine": engine}


def _state_space(system: System) -> int | None:
    """How many states there would be if all were reachable; None where a domain is infinite."""
    size = 1
    for variable in system.variables:
        if not isinstance(variable.domain, FiniteDomain):
            return None
        size *= len(variable.domain)
    return size
