"""Formulae whose truth the state itself shows: Boolean combinations of conditions on variables and of colours."""

from __future__ import annotations

from collections.abc import Mapping

from epistrat import terms
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, operands
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.terms import Expr


class StateConditions:
    """Evaluates the Boolean part of formulae in single states."""

    def __init__(self, system: System, evaluator: Evaluator | None = None) -> None:
        self._system = system
        self._evaluator = Evaluator(system) if evaluator is None else evaluator
        self._plain: dict[Formula, bool] = {}

    def decides(self, formula: Formula) -> bool:
        """Whether the formula is a Boolean combination of conditions and colours, nothing else."""
        found = self._plain.get(formula)
        if found is None:
            if isinstance(formula, logic.CONNECTIVES):
                found = all(self.decides(operand) for operand in operands(formula))
            else:
                found = isinstance(formula, (logic.Truth, logic.Prop, logic.Test, logic.Colour))
            self._plain[formula] = found
        return found

    def holds(self, formula: Formula, state: State) -> bool:
        """The truth of a formula that `decides` accepts."""
        value = self.value(formula, state, {})
        if value is None:
            raise ValueError("the formula is not a condition on the state alone")
        return value

    def value(self, formula: Formula, state: State, known: Mapping[Formula, bool]) -> bool | None:
        """The formula's truth as far as the state and what is known of subformulae decide it; None if they do not."""
        if formula in known:
            return known[formula]
        match formula:
            case logic.Truth(value):
                return value
            case logic.Prop(name):
                return self._evaluator.holds(self._system.propositions[name], state)
            case logic.Test(condition):
                return self._evaluator.holds(condition, state)
            case logic.Colour(agent, green):
                return self._is_green(agent, state) is green
            case logic.Not() | logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor():
                return combine(formula, [self.value(operand, state, known) for operand in operands(formula)])
            case _:
                return None

    def _is_green(self, name: str, state: State) -> bool:
        agent = self._system.agent.get(name)
        return agent is None or agent.red is None or not self._evaluator.holds(agent.red, state)


def as_formula(condition: Expr) -> Formula:
    """A condition as a formula, with the formula's own connectives: so it can be written and read back."""
    done: dict[Expr, Formula] = {}
    for part in terms.subterms(condition):
        match part:
            case terms.Const(bool(value)):
                done[part] = logic.Truth(value)
            case terms.Not(arg):
                done[part] = logic.Not(done[arg])
            case terms.And(args):
                done[part] = logic.And(tuple(done[arg] for arg in args))
            case terms.Or(args):
                done[part] = logic.Or(tuple(done[arg] for arg in args))
            case terms.Xor(left, right):
                done[part] = logic.Xor(done[left], done[right])
            case _:
                done[part] = logic.Test(part)
    return done[condition]


def combine(formula: Formula, values: list[bool | None]) -> bool | None:
    """A connective's value from its operands' values, in Kleene's three-valued logic (None: not known)."""
    match formula:
        case logic.Not():
            return None if values[0] is None else not values[0]
        case logic.And():
            return _conjunction(values)
        case logic.Or():
            return _negated(_conjunction([_negated(value) for value in values]))
        case logic.Implies():
            return _negated(_conjunction([values[0], _negated(values[1])]))
        case logic.Iff():
            return None if None in values else values[0] == values[1]
        case logic.Xor():
            return None if None in values else values[0] != values[1]
        case _:
            raise TypeError(f"not a connective: {type(formula).__name__}")


def _negated(value: bool | None) -> bool | None:
    return None if value is None else not value


def _conjunction(values: list[bool | None]) -> bool | None:
    if any(value is False for value in values):
        return False
    return None if None in values else True
