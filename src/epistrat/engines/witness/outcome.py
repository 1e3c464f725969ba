"""Outcomes with evidence, for every engine whose states can be seen as a space."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from epistrat.engines.contract import Options, Outcome, Verdict
from epistrat.engines.readings import named
from epistrat.engines.witness.linear import TooLarge
from epistrat.engines.witness.notes import vacuity
from epistrat.engines.witness.space import S, WitnessSpace
from epistrat.engines.witness.tree import evidence
from epistrat.evidence import Tree
from epistrat.evidence.points import looks_back
from epistrat.logic.formula import PAST, ForAll, Formula, Globally, is_state, operands, subformulae
from epistrat.logic.fragment import OF_NAMES, fragment, history_quantifiers
from epistrat.solvers.budget import OutOfBudget, ShareSpent


def with_evidence(
    outcome: Outcome, formula: Formula, options: Options, space: Callable[[], WitnessSpace[S]]
) -> Outcome:
    """The outcome with as many trees as are asked for; without, where a limit ends the search for them."""
    holds = outcome.verdict is Verdict.HOLDS
    asked = formula if is_state(formula) else ForAll(formula, star=True)
    try:
        states = space()
        states.named = named(formula, options)
        trees = evidence(states, asked, holds, options.examples or int(not holds), options.strategy_states)
        of_names = fragment(formula).features & OF_NAMES
        notes = outcome.notes if of_names else (*outcome.notes, *vacuity(states, asked, holds))
        if states.system.interleaved:
            from epistrat.engines.witness.play_notes import play_notes

            notes += play_notes(states, asked, trees)
    except TooLarge:
        return outcome
    except OutOfBudget as limit:
        return replace(outcome, notes=(*outcome.notes, f"no evidence: {limit}"))
    return replace(outcome, evidence=trees[0] if trees else None, others=tuple(trees[1:]), notes=notes)


def remarked(verdict: Verdict, formula: Formula, space: Callable[[], WitnessSpace[S]]) -> Outcome:
    """The verdict with one tree if the formula fails, and with notes on what does not matter; where trees cannot show that, without.

    Notes that are found before the share of the work is used up are given; the search for a tree has nothing to give before it ends.
    """
    asked = formula if is_state(formula) else ForAll(formula, star=True)
    if not plain_states_suffice(formula):
        return Outcome(verdict)
    holds, trees, notes = verdict is Verdict.HOLDS, list[Tree](), list[str]()
    if not holds:
        with suppress(TooLarge):
            trees = evidence(space(), asked, False)
    with suppress(ShareSpent):
        notes.extend(vacuity(space(), asked, holds, thorough=True))
    return Outcome(verdict, evidence=trees[0] if trees else None, notes=tuple(notes))


def needs_no_labels(outcome: Outcome, formula: Formula) -> bool:
    """Whether the evidence is a statement about all states, which is made without looking at inner formulae."""
    holds = outcome.verdict is Verdict.HOLDS
    return holds and isinstance(formula, ForAll) and isinstance(formula.arg, Globally)


def plain_states_suffice(formula: Formula) -> bool:
    """Whether labels over plain states suffice: what looks back is asked at time 0 only."""
    past: set[Formula] = set()
    for part in subformulae(formula):
        if isinstance(part, PAST) or not past.isdisjoint(operands(part)):
            past.add(part)
    return not history_quantifiers(formula) and all(not is_state(part) or looks_back(part) for part in past)
