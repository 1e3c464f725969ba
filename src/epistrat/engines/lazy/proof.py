"""Evidence that ``AG f`` holds: an inductive invariant that entails f, where what the proof search found is one."""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.evidence import Invariant, Reason, Stated, Tree
from epistrat.evidence.conditions import StateConditions
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.conditions import as_condition
from epistrat.model.initial import each_initial_state
from epistrat.model.system import System
from epistrat.proving.fresh import FreshProver
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.terms import Expr, Terms, variables


def proved(system: System, formula: Formula, found: Iterable[Expr], budget: Budget) -> Tree | None:
    """A tree for ``AG f``, which holds; ``found`` are conditions that the search found to hold in all reachable states.

    None where no initial state can be named.
    """
    try:
        start = next(each_initial_state(system, budget), None)
    except OutOfBudget:
        return None
    return None if start is None else Tree(start, formula, True, (_reason(system, formula, found),))


def _reason(system: System, formula: Formula, found: Iterable[Expr]) -> Reason:
    assert isinstance(formula, logic.ForAll) and isinstance(formula.arg, logic.Globally)
    body = formula.arg.arg
    if not StateConditions(system).decides(body):
        return Stated()
    terms, prover = Terms(), FreshProver(seconds=2.0)
    goal = as_condition(system, body)
    known = [condition for condition in found if variables(condition) <= set(system.position)]
    for condition in (goal, terms.conjunction([goal, *known])):
        if prover.every_step(system, condition, condition) and prover.entails(system, system.initial, condition):
            return Invariant(condition)
    return Stated()
