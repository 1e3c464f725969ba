"""The question: more is claimed than was proved."""

from __future__ import annotations

import random
from typing import Any

from tests.evidence.forgeries.case import Case
from tests.evidence.forgeries.weaken import weakens

from epistrat.evidence import Tree
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group
from epistrat.records import replace

# The question


def _asks(case: Case, claim: Formula) -> Case | None:
    if case.proof is None or claim == case.tree.claim:
        return None
    tree = Tree(case.tree.state, claim, case.tree.holds, case.tree.because)
    return Case(case.system, replace(case.certificate, question=claim, trees=(tree,)), case.source)


@weakens
def more_is_claimed(rng: random.Random, case: Case) -> Case | None:
    """The goal is another proposition, or moreover one."""
    names = sorted(case.system.propositions)
    if not names or not hasattr(case.tree.claim, "arg"):
        return None
    also = logic.Prop(rng.choice(names))
    other: Formula = rng.choice((also, logic.Not(also)))

    def stronger(formula: Formula) -> Formula:
        return logic.And((formula, other)) if rng.random() < 0.7 else other

    claim: Any = case.tree.claim
    match claim.arg:
        case logic.Globally(arg) | logic.Finally(arg):
            return _asks(case, replace(claim, arg=replace(claim.arg, arg=stronger(arg))))
        case logic.Until(left, right):
            return _asks(case, replace(claim, arg=logic.Until(stronger(left), right)))
        case _ if isinstance(claim, (*logic.KNOWLEDGE, logic.Correct)):
            return _asks(case, replace(claim, arg=stronger(claim.arg)))
        case _:
            return None


@weakens
def every_run_in_place_of_some(rng: random.Random, case: Case) -> Case | None:
    claim = case.tree.claim
    if isinstance(claim, (logic.Exists, logic.Coalition)) and case.tree.holds:
        return _asks(case, logic.ForAll(claim.arg))
    return None


@weakens
def another_operator(rng: random.Random, case: Case) -> Case | None:
    claim: Any = case.tree.claim
    match getattr(claim, "arg", None):
        case logic.Globally(arg):
            changed: Formula = logic.Finally(logic.Not(arg))
        case logic.Finally(arg):
            changed = logic.Globally(arg)
        case logic.Until(_, right):
            changed = logic.Globally(right)
        case _:
            return None
    return _asks(case, replace(claim, arg=changed))


@weakens
def infinite_runs_only(rng: random.Random, case: Case) -> Case | None:
    claim = case.tree.claim
    return _asks(case, replace(claim, star=True)) if isinstance(claim, logic.Exists) else None


@weakens
def somebody_else_knows(rng: random.Random, case: Case) -> Case | None:
    claim = case.tree.claim
    names = [agent.name for agent in case.system.agents]
    match claim:
        case logic.Knows():
            return _asks(case, replace(claim, agent=rng.choice(names)))
        case logic.Distributed(group, arg):
            return _asks(
                case, logic.Everybody(group, arg) if rng.random() < 0.5 else logic.Knows(rng.choice(names), arg)
            )
        case logic.Everybody(group, arg):
            return _asks(case, logic.Common(group, arg))
        case logic.ForAll(logic.Globally(arg)) | logic.ForAll(logic.Finally(arg)):
            return _asks(case, logic.Knows(rng.choice(names), logic.Finally(arg)))
        case _:
            return None


@weakens
def a_smaller_group(rng: random.Random, case: Case) -> Case | None:
    claim = case.tree.claim
    if not isinstance(claim, logic.Coalition) or not claim.group.members:
        return None
    return _asks(case, replace(claim, group=Group(claim.group.members[1:])))
