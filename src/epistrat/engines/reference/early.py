"""What a part of the reachable states decides already: an invariant that fails in it, a goal that is in it."""

from __future__ import annotations

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, subformulae
from epistrat.model.explore import ReachableGraph
from epistrat.model.step import Stepper
from epistrat.terms import Expr, Terms

_CONDITIONS = (logic.Truth, logic.Prop, logic.Test, logic.Not, logic.And, logic.Or, logic.Implies, logic.Iff, logic.Xor)


def decided_early(stepper: Stepper, seen: ReachableGraph, formula: Formula) -> bool | None:
    """The verdict on ``AG f`` or ``EF f``, f a condition, if the states seen decide it; None otherwise.

    A reachable state without f refutes ``AG f``; one with f proves ``EF f`` if there is but one initial state.  Under fairness neither
    does, for the state may lie on no fair path.
    """
    if stepper.system.fairness or not isinstance(formula, (logic.ForAll, logic.Exists)) or formula.star:
        return None
    shape = formula.arg
    universal = isinstance(formula, logic.ForAll) and isinstance(shape, logic.Globally)
    existential = isinstance(formula, logic.Exists) and isinstance(shape, logic.Finally) and len(seen.initial) == 1
    if not isinstance(shape, (logic.Globally, logic.Finally)) or not (universal or existential):
        return None
    if not all(isinstance(part, _CONDITIONS) for part in subformulae(shape.arg)):
        return None
    meaning = stepper.evaluator.meaning(_condition(stepper, shape.arg))
    found = any(meaning(state, ()) != universal for state in seen.states)
    return existential if found else None


def _condition(stepper: Stepper, formula: Formula) -> Expr:
    """A Boolean combination of atoms as a condition on states."""
    terms = Terms()
    done: dict[Formula, Expr] = {}
    for part in subformulae(formula):
        match part:
            case logic.Truth(value):
                done[part] = terms.boolean(value)
            case logic.Prop(name):
                done[part] = stepper.system.propositions[name]
            case logic.Test(condition):
                done[part] = condition
            case logic.Not(arg):
                done[part] = terms.negate(done[arg])
            case logic.And(args):
                done[part] = terms.conjunction([done[arg] for arg in args])
            case logic.Or(args):
                done[part] = terms.disjunction([done[arg] for arg in args])
            case logic.Implies(left, right):
                done[part] = terms.disjunction((terms.negate(done[left]), done[right]))
            case logic.Iff(left, right):
                done[part] = terms.negate(terms.exclusive(done[left], done[right]))
            case logic.Xor(left, right):
                done[part] = terms.exclusive(done[left], done[right])
            case _:
                raise TypeError(f"not a condition: {part}")
    return done[formula]
