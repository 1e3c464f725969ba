"""Strategies without memory in words: what is done where it matters, by whom, and what that shows."""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.answers.explanation import Block, Policy, Rules, Say, Truth
from epistrat.evidence import Chosen, Tree
from epistrat.explain.policy import decision_rules
from epistrat.explain.words import listed
from epistrat.logic import formula as logic
from epistrat.model.state import Act
from epistrat.model.system import System
from epistrat.terms import Value


def tables_summary(tree: Tree, reason: Chosen) -> Say:
    """That these strategies show the claim."""
    claim = tree.claim.arg if isinstance(tree.claim, logic.Tagged) else tree.claim
    asserts = (Truth(tree.claim, tree.holds, tree.state),)
    if isinstance(claim, logic.EQUILIBRIA):
        return Say("Nobody gains by another strategy without memory than these", asserts)
    names = [f"`{one.variable}`" for one in reason.tables]
    if isinstance(claim, logic.Coalition):
        return Say(f"{listed([one.variable for one in reason.tables])} can do it without memory", asserts)
    shown = "With this strategy" if len(names) == 1 else "With these strategies"
    return Say(f"{shown} for {listed(names)} the rest is {'true' if tree.holds else 'false'}", asserts)


def tables_blocks(system: System, reason: Chosen) -> Iterator[Block]:
    """The rules; those who share a strategy are named, and states that no play visits are left out."""
    visited = set(reason.visited)
    policies = []
    for one in reason.tables:
        if not any(len(system.agent[agent].actions) > 1 for agent in one.agents):
            continue
        rows: list[tuple[dict[int, Value], Act]] = [
            (dict(enumerate(state)), act) for state, act in one.rows if act is not None and state in visited
        ]
        if len(one.agents) > 1:
            yield Say(f"{listed(one.agents)} share `{one.variable}`: they do the same at the same moment.")
        if rows:
            who = one.agents[0] if len(one.agents) == 1 else one.variable
            policies.append(Policy(who, decision_rules(rows, list(range(len(system.variables)))), uniform=False))
    if policies:
        yield Rules(tuple(policies))
