"""Strategies as tables of rules and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from epistrat.answers import Setting
from epistrat.answers.explanation import Explanation, Policy, Rules
from epistrat.evidence import StateStrategy
from epistrat.explain.words import counted, label, listed
from epistrat.model.system import System
from epistrat.render.as_json import value_json
from epistrat.render.evidence_json import strategy_json
from epistrat.render.tree import show_explanation
from epistrat.render.wording import Style
from epistrat.service.strategy import Synthesis

SCHEMA = "epistrat-strategy/1"


def show_strategy(found: Synthesis, style: Style) -> Iterator[str]:
    """What each member does, in rules tried from top to bottom."""
    system, strategy, policies = found.system, found.strategy, found.policies
    memory = "only what it sees"
    readers = [policy for policy in policies if not policy.uniform]
    if readers:
        memory = "none, but some act on more than they see"
    yield f"Yes. What each member does (memory: {memory}):"
    rules = Explanation("", True, "", (Rules(tuple(policies)),))
    yield from (f"  {line}" for line in show_explanation(system, rules, replace(style, width=style.width - 2)))
    any_ = style.wording.setting(Setting("strategies", "any"))
    for policy in readers:
        unseen = sorted(_read(policy) - set(system.views[policy.agent]))
        names = [label(system, system.variables[index]) for index in unseen]
        yield f"{policy.agent} cannot see {listed(names, 6)}; {any_} lets it act on that all the same."
    if isinstance(strategy, StateStrategy) and not strategy.complete:
        more = style.wording.setting(Setting("table", "N"))
        yield f"Only the first {counted(len(strategy.moves), 'state')} are covered; {more} covers more."


def _read(policy: Policy) -> set[int]:
    return {test.position for rule in policy.rules for test in rule.tests}


def synthesis_json(synthesis: Synthesis, model: str) -> dict[str, Any]:
    """A synthesised strategy, or that there is none, as plain data."""
    system, strategy, policies = synthesis.system, synthesis.strategy, synthesis.policies
    text = synthesis.result.text
    found: dict[str, Any] = {"schema": SCHEMA, "model": model, "formula": text, "exists": strategy is not None}
    if strategy is None:
        return found
    found["strategy"] = strategy_json(system, strategy)
    found["rules"] = {policy.agent: [_rule(system, rule) for rule in policy.rules] for policy in policies}
    return found


def _rule(system: System, rule: Any) -> dict[str, Any]:
    when = {str(system.variables[test.position]): [value_json(value) for value in test.values] for test in rule.tests}
    return {"when": when, "do": rule.action}
