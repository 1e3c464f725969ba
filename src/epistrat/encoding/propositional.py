"""Boolean combinations of formulae as conditions on states."""

from __future__ import annotations

from collections.abc import Callable

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, operands
from epistrat.model.system import System
from epistrat.terms import TRUE, Expr, Terms


class Propositional:
    """Formulae as conditions.  ``leaf`` gives the condition of a subformula that is neither a connective nor an atom."""

    def __init__(self, system: System, terms: Terms, leaf: Callable[[Formula], Expr]) -> None:
        self._system = system
        self._terms = terms
        self._leaf = leaf
        self._known: dict[Formula, Expr] = {}

    def condition(self, formula: Formula) -> Expr:
        """The condition that a formula stands for."""
        stack: list[tuple[Formula, bool]] = [(formula, False)]
        while stack:
            part, ready = stack.pop()
            if part in self._known:
                continue
            if ready or not isinstance(part, _CONNECTIVES):
                self._known[part] = self._one(part)
            else:
                stack.append((part, True))
                stack.extend((operand, False) for operand in operands(part))
        return self._known[formula]

    def _one(self, formula: Formula) -> Expr:
        terms, known = self._terms, self._known
        match formula:
            case logic.Truth(value):
                return terms.boolean(value)
            case logic.Prop(name):
                return self._system.propositions[name]
            case logic.Test(condition):
                return condition
            case logic.Colour(agent, green):
                found = self._system.agent.get(agent)
                red = None if found is None else found.red
                where = TRUE if red is None else terms.negate(red)
                return where if green else terms.negate(where)
            case logic.Not(arg):
                return terms.negate(known[arg])
            case logic.And(args):
                return terms.conjunction(known[arg] for arg in args)
            case logic.Or(args):
                return terms.disjunction(known[arg] for arg in args)
            case logic.Implies(left, right):
                return terms.disjunction((terms.negate(known[left]), known[right]))
            case logic.Iff(left, right):
                return terms.negate(terms.exclusive(known[left], known[right]))
            case logic.Xor(left, right):
                return terms.exclusive(known[left], known[right])
            case _:
                return self._leaf(formula)


_CONNECTIVES = (logic.Not, logic.And, logic.Or, logic.Implies, logic.Iff, logic.Xor)
