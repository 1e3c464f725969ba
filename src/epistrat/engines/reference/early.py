"""What a part of the reachable states decides already: an invariant that fails in it, a goal that is in it."""

from __future__ import annotations

from epistrat.logic.formula import (
    And,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Iff,
    Implies,
    Not,
    Or,
    Prop,
    Test,
    Truth,
    Xor,
    subformulae,
)
from epistrat.model.explore import ReachableGraph
from epistrat.model.step import Stepper
from epistrat.terms import Expr, Terms

_CONDITIONS = (Truth, Prop, Test, Not, And, Or, Implies, Iff, Xor)


def decided_early(stepper: Stepper, seen: ReachableGraph, formula: Formula) -> bool | None:
    """The verdict on ``AG f`` or ``EF f``, f a condition, if the states seen decide it; None otherwise.

    A reachable state without f refutes ``AG f``; one with f proves ``EF f`` if there is but one initial state.  Under fairness neither
    does, for the state may lie on no fair path.
    """
    if stepper.system.fairness or not isinstance(formula, (ForAll, Exists)) or formula.star:
        return None
    shape = formula.arg
    universal = isinstance(formula, ForAll) and isinstance(shape, Globally)
    existential = isinstance(formula, Exists) and isinstance(shape, Finally) and len(seen.initial) == 1
    if not isinstance(shape, (Globally, Finally)) or not (universal or existential):
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
            case Truth(value):
                done[part] = terms.boolean(value)
            case Prop(name):
                done[part] = stepper.system.propositions[name]
            case Test(condition):
                done[part] = condition
            case Not(arg):
                done[part] = terms.negate(done[arg])
            case And(args):
                done[part] = terms.conjunction([done[arg] for arg in args])
            case Or(args):
                done[part] = terms.disjunction([done[arg] for arg in args])
            case Implies(left, right):
                done[part] = terms.disjunction((terms.negate(done[left]), done[right]))
            case Iff(left, right):
                done[part] = terms.negate(terms.exclusive(done[left], done[right]))
            case Xor(left, right):
                done[part] = terms.exclusive(done[left], done[right])
            case _:
                raise TypeError(f"not a condition: {part}")
    return done[formula]
