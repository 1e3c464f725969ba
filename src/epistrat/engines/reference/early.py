"""What a part of the reachable states decides already: an invariant that fails in it, a goal that is in it."""

from __future__ import annotations

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.conditions import as_condition, is_condition
from epistrat.model.explore import ReachableGraph
from epistrat.model.step import Stepper


def decided_early(stepper: Stepper, seen: ReachableGraph, formula: Formula) -> bool | None:
    """The verdict on ``AG f`` or ``EF f``, f a condition, if the states seen decide it; None otherwise.

    A reachable state without f refutes ``AG f``; one with f proves ``EF f`` if there is but one initial state.  Under fairness neither
    does, for the state may lie on no fair path.  Assumes that all initial states are among those seen, as `explore` lists them first,
    and strategies that prune nothing: with uniform strategies that do, a state that is reachable now need not be.
    """
    if stepper.system.fairness or not isinstance(formula, (logic.ForAll, logic.Exists)) or formula.star:
        return None
    shape = formula.arg
    universal = isinstance(formula, logic.ForAll) and isinstance(shape, logic.Globally)
    existential = isinstance(formula, logic.Exists) and isinstance(shape, logic.Finally) and len(seen.initial) == 1
    if not isinstance(shape, (logic.Globally, logic.Finally)) or not (universal or existential):
        return None
    if not is_condition(shape.arg):
        return None
    meaning = stepper.evaluator.meaning(as_condition(stepper.system, shape.arg))
    found = any(meaning(state, ()) != universal for state in seen.states)
    return existential if found else None
