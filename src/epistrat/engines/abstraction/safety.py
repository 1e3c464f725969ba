"""Spacer asked about what an abstraction cannot exclude.

Where ``AG f`` is not decided, the abstraction reaches states in which f is not sure.  If they cannot be reached in truth, an invariant says
so; its comparisons become predicates.
"""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.engines.abstraction.label import AbstractLabels
from epistrat.engines.abstraction.regions import condition_of
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, subformulae
from epistrat.proving.induction import Inductor
from epistrat.solvers.bdd import Bdd
from epistrat.solvers.budget import Budget
from epistrat.solvers.smt.horn import prove_safety
from epistrat.terms import And, Expr

_WORK = 7_500_000  # for one question
_MOST_QUESTIONS = 3  # each may take all its work


def excluding_invariants(inductor: Inductor, labels: AbstractLabels, formula: Formula, budget: Budget) -> list[Expr]:
    """Invariants that exclude states which the abstraction reaches and which keep the formula from being decided."""
    terms = inductor.system.terms
    found: list[Expr] = []
    asked = 0
    for doubtful in _doubtful(labels, formula):
        condition = condition_of(labels.space, doubtful, terms)
        if condition is None or asked == budget.patience.most(_MOST_QUESTIONS):
            continue
        asked += 1
        answer = prove_safety(inductor.safety_problem([condition]), _WORK, budget)
        invariant = inductor.believed(answer.invariant) if answer.safe and answer.invariant else None
        if invariant is not None:
            found += invariant.args if isinstance(invariant, And) else [invariant]
    return list(dict.fromkeys(found))


def _doubtful(labels: AbstractLabels, formula: Formula) -> Iterator[Bdd]:
    """Sets of abstract states, none of them known to be reached, without which a subformula would be decided."""
    space = labels.space
    nothing = space.algebra.false
    for part in subformulae(formula):
        match part:
            case logic.ForAll(logic.Globally(body)):
                open_states = space.reached & ~labels.label(body).yes
            case logic.Exists(logic.Finally(body)):
                open_states = space.reached & ~labels.label(body).no
            case _:
                continue
        if open_states == nothing:
            continue
        if (open_states & labels.sure) == nothing:
            yield open_states
        for inner in subformulae(body):
            if isinstance(inner, (logic.Knows, logic.Distributed)):
                others = labels.confusing(inner, open_states)
                if others != nothing and (others & labels.sure) == nothing:
                    yield others
