"""Formulae without modal operators: conditions on the state."""

from __future__ import annotations

from epistrat.encoding.encode import Encoding
from epistrat.encoding.part import Part
from epistrat.logic.formula import And, Colour, Formula, Iff, Implies, Not, Or, Prop, Test, Truth, Xor


def condition(encoding: Encoding, formula: Formula) -> Part | None:
    """The states in which the formula holds, with what that depends on; None if there are modal operators in it."""
    algebra, conditions, system = encoding.algebra, encoding.conditions, encoding.system
    match formula:
        case Truth(value):
            return Part(algebra.true if value else algebra.false, 0)
        case Prop(name):
            return conditions.part(system.propositions[name])
        case Test(test):
            return conditions.part(test)
        case Colour(agent, green):
            owner = system.agent.get(agent)
            if owner is None or owner.red is None:
                return Part(algebra.true if green else algebra.false, 0)
            red = conditions.part(owner.red)
            return _negated(red) if green else red
        case Not(arg):
            inner = condition(encoding, arg)
            return None if inner is None else _negated(inner)
        case And(args) | Or(args):
            parts = [condition(encoding, arg) for arg in args]
            known = [part for part in parts if part is not None]
            if len(known) < len(parts):
                return None
            return conditions.join.all(known) if isinstance(formula, And) else conditions.join.any(known)
        case Implies(left, right):
            return condition(encoding, Or((Not(left), right)))
        case Iff(left, right) | Xor(left, right):
            one, other = condition(encoding, left), condition(encoding, right)
            if one is None or other is None:
                return None
            differ = Part(algebra.xor(one.function, other.function), one.support | other.support)
            return _negated(differ) if isinstance(formula, Iff) else differ
    return None


def _negated(part: Part) -> Part:
    return Part(~part.function, part.support)
