"""Formulae without modal operators as conditions on states."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from epistrat.logic import formula as logic
from epistrat.logic.connect import Booleans, connect
from epistrat.logic.formula import Formula, operands, subformulae
from epistrat.model.system import System
from epistrat.terms import FALSE, Expr, Terms


class NoCondition(TypeError):
    """The formula is not a Boolean combination of atoms."""


def _no_leaf(formula: Formula) -> NoReturn:
    raise NoCondition(f"not a condition: {type(formula).__name__}")


def is_condition(formula: Formula) -> bool:
    """Whether the formula is a Boolean combination of atoms."""
    return all(isinstance(part, (*logic.CONNECTIVES, *logic.ATOMS)) for part in subformulae(formula))


def as_condition(system: System, formula: Formula) -> Expr:
    """A Boolean combination of atoms as one condition; raises `NoCondition` for other formulae."""
    return Propositional(system, Terms()).condition(formula)


class Propositional:
    """Formulae as conditions.  ``leaf`` gives the condition of a subformula that is neither a connective nor an atom."""

    def __init__(self, system: System, terms: Terms, leaf: Callable[[Formula], Expr] = _no_leaf) -> None:
        self._system = system
        self._terms = terms
        self._leaf = leaf
        self._booleans = Booleans(terms.negate, terms.conjunction, terms.disjunction, terms.exclusive)
        self._known: dict[Formula, Expr] = {}

    def condition(self, formula: Formula) -> Expr:
        """The condition that a formula stands for."""
        stack: list[tuple[Formula, bool]] = [(formula, False)]
        while stack:
            part, ready = stack.pop()
            if part in self._known:
                continue
            if not isinstance(part, logic.CONNECTIVES):
                self._known[part] = self._atom(part)
            elif ready:
                self._known[part] = connect(part, [self._known[arg] for arg in operands(part)], self._booleans)
            else:
                stack.append((part, True))
                stack.extend((operand, False) for operand in operands(part))
        return self._known[formula]

    def _atom(self, formula: Formula) -> Expr:
        match formula:
            case logic.Truth(value):
                return self._terms.boolean(value)
            case logic.Prop(name):
                return self._system.propositions[name]
            case logic.Test(condition):
                return condition
            case logic.Colour(name, green):
                agent = self._system.agent.get(name)
                red = FALSE if agent is None or agent.red is None else agent.red
                return self._terms.negate(red) if green else red
            case _:
                return self._leaf(formula)
