"""Strategies with memory, and tables of strategies with names, written out as models."""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.answers import Verdict
from epistrat.evidence import Chosen, Machine, Remembered, Tree
from epistrat.explain.machines import Unwritable, machine_of, remembering
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.logic.sentences import sharing
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.model.transform.rules import equals
from epistrat.model.transform.shadow import TooEntangled
from epistrat.records import dataclass, replace
from epistrat.solvers.budget import OutOfBudget
from epistrat.terms import Expr, Terms

MOST_STARTS = 1_000  # initial states, gone through one by one


@dataclass(frozen=True, slots=True)
class Written:
    """A strategy, the initial states it is for (none named: all), and the model whose agents follow it, or why there is none.

    The model asks the goal of all runs, where one goal stands below the names, and what was asked before.  ``verified`` is the answer.
    """

    machine: Machine
    starts: tuple[State, ...] = ()
    restricted: System | None = None
    refused: str | None = None
    verified: Verdict | None = None


def written(system: System, tree: Tree, shown: Remembered | Chosen) -> Written:
    """The model whose agents follow the strategy that a tree shows."""
    machine = machine_of(shown)
    starts = _served(system, machine, tree.state)
    try:
        narrowed = remembering(starting(system, starts) if starts else system, machine)
    except (Unwritable, TooEntangled) as reason:
        return Written(machine, starts, refused=str(reason))
    goal = _on_all_runs(tree.claim, isinstance(shown, Remembered))
    asked = (tree.claim,) if goal is None else (goal, tree.claim)
    return Written(machine, starts, replace(narrowed, formulae=asked, formula_names=()))


def _served(system: System, machine: Machine, start: State) -> tuple[State, ...]:
    """The initial states from which the strategy is shown; empty where that is all of them."""
    known = {row.state for row in machine.rows if row.memory == 0}
    try:
        found = initial_states(system, MOST_STARTS)
    except OutOfBudget:
        return (start,)
    served = tuple(state for state in found if state in known)
    return () if len(served) == len(found) else served or (start,)


def _on_all_runs(claim: Formula, remembering: bool) -> Formula | None:
    """That all runs are as wanted; None where a sentence says less: where others do the same as one another, or do not remember."""
    body = claim.arg if isinstance(claim, logic.Tagged) else claim
    if isinstance(body, logic.Coalition):
        return logic.ForAll(body.arg, star=True)
    while isinstance(body, logic.NAMING):
        if isinstance(body, logic.EveryStrategy) and len(sharing(body.variable, body.arg)) > 1:
            return None
        body = body.arg
    return logic.ForAll(body, star=True) if remembering and not logic.is_state(body) else None


def starting(system: System, starts: tuple[State, ...]) -> System:
    """The system with these initial states."""
    terms = Terms()

    def each() -> Iterator[Expr]:
        for start in starts:
            yield terms.conjunction(equals(terms, system, index, [value]) for index, value in enumerate(start))

    return replace(system, initial=terms.disjunction(each()))
