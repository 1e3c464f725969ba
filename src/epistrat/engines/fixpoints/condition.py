"""Formulae without modal operators: conditions on the state."""

from __future__ import annotations

from collections.abc import Callable

from epistrat.encoding.junction import Junctions
from epistrat.encoding.part import Part
from epistrat.logic.formula import And, Colour, Formula, Iff, Implies, Not, Or, Prop, Test, Truth, Xor
from epistrat.model.system import System
from epistrat.solvers.bdd import Algebra
from epistrat.terms import Expr


class FormulaConditions:
    """Formulae as conditions; ``atom`` gives the states in which a condition of the model holds."""

    def __init__(self, system: System, algebra: Algebra, atom: Callable[[Expr], Part], join: Junctions) -> None:
        self._system = system
        self._algebra = algebra
        self._atom = atom
        self._join = join

    def of(self, formula: Formula) -> Part | None:
        """The states in which the formula holds, with what that depends on; None if there are modal operators in it."""
        match formula:
            case Truth(value):
                return Part(self._algebra.true if value else self._algebra.false, 0)
            case Prop(name):
                return self._atom(self._system.propositions[name])
            case Test(test):
                return self._atom(test)
            case Colour(agent, green):
                owner = self._system.agent.get(agent)
                if owner is None or owner.red is None:
                    return Part(self._algebra.true if green else self._algebra.false, 0)
                red = self._atom(owner.red)
                return _negated(red) if green else red
            case Not(arg):
                inner = self.of(arg)
                return None if inner is None else _negated(inner)
            case And(args) | Or(args):
                parts = [self.of(arg) for arg in args]
                known = [part for part in parts if part is not None]
                if len(known) < len(parts):
                    return None
                return self._join.all(known) if isinstance(formula, And) else self._join.any(known)
            case Implies(left, right):
                return self.of(Or((Not(left), right)))
            case Iff(left, right) | Xor(left, right):
                one, other = self.of(left), self.of(right)
                if one is None or other is None:
                    return None
                differ = Part(self._algebra.xor(one.function, other.function), one.support | other.support)
                return _negated(differ) if isinstance(formula, Iff) else differ
        return None


def _negated(part: Part) -> Part:
    return Part(~part.function, part.support)
