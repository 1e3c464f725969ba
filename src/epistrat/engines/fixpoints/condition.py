"""Formulae without modal operators: conditions on the state."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from epistrat.encoding.junction import Junctions
from epistrat.encoding.part import Part, exclusive, negated
from epistrat.logic.connect import Booleans, connect
from epistrat.logic.formula import CONNECTIVES, Colour, Formula, Prop, Test, Truth, operands
from epistrat.model.system import System
from epistrat.solvers.bdd import Algebra
from epistrat.terms import Expr


class FormulaConditions:
    """Formulae as conditions; ``atom`` gives the states in which a condition of the model holds."""

    def __init__(self, system: System, algebra: Algebra, atom: Callable[[Expr], Part], join: Junctions) -> None:
        self._system = system
        self._algebra = algebra
        self._atom = atom
        self._booleans = Booleans(negated, join.all, join.any, partial(exclusive, algebra))

    def of(self, formula: Formula) -> Part | None:
        """The states in which the formula holds, with what that depends on; None if there are modal operators in it."""
        if isinstance(formula, CONNECTIVES):
            parts: list[Part] = []
            for operand in operands(formula):
                part = self.of(operand)
                if part is None:
                    return None
                parts.append(part)
            return connect(formula, parts, self._booleans)
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
                return negated(red) if green else red
        return None
