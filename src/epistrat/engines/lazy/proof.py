"""Evidence that ``AG f`` holds, or that something is known: an inductive invariant that entails it, where the proof search found one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from epistrat.evidence import Invariant, Reason, Stated, Tree
from epistrat.evidence.proofs import Proofs
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.conditions import as_condition, is_condition
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.proving.fresh import FreshProver
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr, Terms, variables

_QUESTION = 1_000_000  # work for one question to the prover
_MOST_CONDITIONS = 200  # of an invariant that is written down


def reason(system: System, claim: Formula, state: State, found: Iterable[Expr], budget: Budget) -> Reason:
    """An invariant that shows that the claim, ``AG f`` or knowledge, holds in the state; otherwise it is only stated.

    ``found`` are conditions that the search found to hold in all reachable states.
    """
    prover = FreshProver(work=budget.patience.work(_QUESTION))
    proofs = Proofs(system, prover)
    known = [condition for condition in found if variables(condition) <= set(system.position)]
    goals = []
    match claim:
        case logic.ForAll(logic.Globally(body)) if is_condition(body):
            goals.append(as_condition(system, body))
    for conditions in (goals, [*goals, *known]) if goals else (known,):
        invariant = Invariant(Terms().conjunction(_inductive(system, prover, conditions)))
        budget.check()
        if proofs.shows(Tree(state, claim, True), invariant):
            return invariant
    return Stated()


def _inductive(system: System, prover: FreshProver, conditions: Sequence[Expr]) -> Sequence[Expr]:
    """Those of the conditions that together are an inductive invariant, as far as the prover can tell."""
    terms = Terms()
    together = terms.conjunction(conditions)
    if prover.entails(system, system.initial, together) and prover.every_step(system, together, together):
        return conditions
    if len(conditions) > _MOST_CONDITIONS:
        return ()
    kept = [one for one in conditions if prover.entails(system, system.initial, one)]
    while True:
        source = terms.conjunction(kept)
        still = [one for one in kept if prover.every_step(system, source, one)]
        if len(still) == len(kept):
            return kept
        kept = still
