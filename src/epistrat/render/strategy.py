"""Strategies as tables of rules and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from epistrat.answers import Setting, Verdict
from epistrat.answers.explanation import Explanation, Rules
from epistrat.evidence import StateStrategy
from epistrat.explain.follow import positions_read
from epistrat.explain.words import counted, label, listed
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.render.json.evidence import reason_json, strategy_json
from epistrat.render.json.report import act_json, state_json, value_json
from epistrat.render.tree import show_evidence, show_explanation
from epistrat.render.walk import show_state
from epistrat.render.wording import Style
from epistrat.service.plans import Plan
from epistrat.service.strategy import Synthesis

SCHEMA = "epistrat-strategy/1"


def show_synthesis(found: Synthesis, style: Style) -> Iterator[str]:
    """The strategies that were found, or why there is none."""
    if not found.plans:
        yield "Yes." if found.exists else "No."
        yield from show_evidence(found.system, found.result, style)
        return
    if found.result.only_because:
        yield f"Yes, but only because {found.result.only_because}."
    several = any(plan.starts for plan in found.plans)
    if several:
        many = f"{len(found.plans)} strategies are" if len(found.plans) > 1 else "The one below is"
        yield f"No strategy was found that works from all initial states. {many} for these:"
    for plan in found.plans:
        if several:
            yield ""
            for start in plan.starts:
                yield f"From {show_state(found.system, start)}"
        yield from _show_plan(
            found.system, plan, "What" if several or found.result.only_because else "Yes. What", style
        )


def _show_plan(system: System, plan: Plan, opening: str, style: Style) -> Iterator[str]:
    """What each member does, in rules tried from top to bottom."""
    strategy, policies = plan.strategy, plan.policies
    memory = "only what it sees"
    readers = [policy for policy in policies if not policy.uniform]
    if readers:
        memory = "none, but some act on more than they see"
    yield f"{opening} each member does (memory: {memory}):"
    rules = Explanation("", True, "", (Rules(tuple(policies)),))
    yield from (f"  {line}" for line in show_explanation(system, rules, replace(style, width=style.width - 2)))
    any_ = style.wording.setting(Setting("strategies", "any"))
    for policy in readers:
        unseen = sorted(positions_read(system, policy) - set(system.views[policy.agent]))
        names = [label(system, system.variables[index]) for index in unseen]
        yield f"{policy.agent} cannot see {listed(names, 6)}; {any_} lets it act on that all the same."
    if isinstance(strategy, StateStrategy) and not strategy.complete:
        more = style.wording.setting(Setting("table", "N"))
        yield f"Only the first {counted(len(strategy.moves), 'state')} are covered; {more} covers more."


def show_verified(found: Synthesis) -> Iterator[str]:
    """How the strategies were checked, in one sentence each."""
    for plan in found.plans:
        if plan.verified is Verdict.HOLDS:
            trivial = f", but only because {plan.only_because}" if plan.only_because else ""
            yield f"Checked: the model restricted to these rules satisfies {found.result.text}{trivial}."


def synthesis_json(synthesis: Synthesis, model: str) -> dict[str, Any]:
    """A synthesised strategy, or that there is none, as plain data."""
    result = synthesis.result
    found: dict[str, Any] = {
        "schema": SCHEMA,
        "model": model,
        "formula": result.text,
        "exists": synthesis.exists,
    }
    shown = synthesis.shown
    if not synthesis.plans and shown is not None:
        found |= reason_json(synthesis.system, shown)
    if result.only_because:
        found["only_because"] = result.only_because
    first, *others = [_plan(synthesis.system, plan) for plan in synthesis.plans] or [{}]
    return {**found, **first, **({"others": others} if others else {})}


def _plan(system: System, plan: Plan) -> dict[str, Any]:
    told = strategy_json(system, plan.strategy)
    if "uniform" in told:  # a table over states may still read no more than each agent sees: what counts is the rules
        told["uniform"] = all(policy.uniform for policy in plan.policies)
    data: dict[str, Any] = {
        "initial_states": [state_json(system, start) for start in plan.starts] or "all",
        "strategy": told,
        "rules": {policy.agent: [_rule(system, rule) for rule in policy.rules] for policy in plan.policies},
    }
    if plan.verified is not None:
        data["verified"] = plan.verified.value
    return data


def _rule(system: System, rule: Any) -> dict[str, Any]:
    when = {str(system.variables[test.position]): [value_json(value) for value in test.values] for test in rule.tests}
    return {"when": when, "do": act_json(rule.action)}
