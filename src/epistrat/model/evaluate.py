"""The value of an expression in a state, under a joint action.

Arithmetic is exact: integers and rationals of any size.  Division by zero follows ISPL: k/0 is plus or minus infinity and
0/0 is 0.  Infinity is the one ``float`` that ever occurs; it compares with every number and is a member of no domain, so
no state ever holds it.  What infinity minus infinity or zero times infinity gives (``nan``) equals nothing, itself included.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from epistrat import terms as t
from epistrat.model.state import Joint, State
from epistrat.model.system import System
from epistrat.terms import Expr, children, subterms, whole

Number: TypeAlias = int | Fraction | float
Meaning: TypeAlias = Callable[[State, Joint], Any]

_COMPARE: dict[t.Comparison, Callable[[Any, Any], bool]] = {
    t.Comparison.EQUAL: operator.eq,
    t.Comparison.LESS: operator.lt,
    t.Comparison.LESS_EQUAL: operator.le,
}


# Deeper expressions are computed bottom-up from a list, so that no formula a script writes can exhaust the stack.
_DEEP = 60


class Evaluator:
    """Turns the expressions of one system into functions of state and joint action, each distinct one once."""

    def __init__(self, system: System) -> None:
        self._position = system.position
        self._actor = {agent.name: index for index, agent in enumerate(system.agents)}
        self._memo: dict[Expr, Meaning] = {}
        self._depth: dict[Expr, int] = {}

    def meaning(self, expr: Expr) -> Meaning:
        """A function that computes the expression's value."""
        found = self._memo.get(expr)
        if found is None:
            for term in subterms(expr):
                depth = 1 + max([self._depth[child] for child in children(term)], default=0)
                self._depth[term] = depth
                if depth < _DEEP and term not in self._memo:
                    self._memo[term] = self._compile(term)
            if expr not in self._memo:
                self._memo[expr] = self._unroll(expr)
            found = self._memo[expr]
        return found

    def holds(self, condition: Expr, state: State, joint: Joint = ()) -> bool:
        """Whether a condition is true; ``joint`` is needed only where the condition mentions actions."""
        return bool(self.meaning(condition)(state, joint))

    def value(self, expr: Expr, state: State, joint: Joint = ()) -> Any:
        """The expression's value."""
        return self.meaning(expr)(state, joint)

    def _unroll(self, expr: Expr) -> Meaning:
        """The value computed from the leaves upwards, one subexpression after the other."""
        order = list(subterms(expr))
        index = {term: number for number, term in enumerate(order)}
        shallow = [self._memo[term] if not children(term) else None for term in order]
        plan = [
            (leaf, operation(term), [index[child] for child in children(term)])
            for leaf, term in zip(shallow, order, strict=True)
        ]

        def compute(state: State, joint: Joint) -> Any:
            values: list[Any] = []
            for leaf, function, places in plan:
                values.append(leaf(state, joint) if leaf else function([values[place] for place in places]))
            return values[-1]

        return compute

    def _compile(self, expr: Expr) -> Meaning:
        match expr:
            case t.Const(value):
                return lambda state, joint: value
            case t.Var():
                index = self._position[expr.key]
                return lambda state, joint: state[index]
            case t.ActionIs(agent, action):
                actor = self._actor[agent]
                return lambda state, joint: joint[actor] == action
            case t.Not(arg):
                inner = self.meaning(arg)
                return lambda state, joint: not inner(state, joint)
            case t.And(args):
                return _first(False, [self.meaning(arg) for arg in args])
            case t.Or(args):
                return _first(True, [self.meaning(arg) for arg in args])
            case t.Compare(t.Comparison.EQUAL, t.Var() as variable, t.Const(value)):
                place = self._position[variable.key]
                return lambda state, joint: state[place] == value
            case t.AtLeast(number, args):
                parts = [self.meaning(arg) for arg in args]
                return lambda state, joint: sum(1 for part in parts if part(state, joint)) >= number
            case t.Xor(left, right):
                return self._binary(operator.ne, left, right)
            case t.Compare(op, left, right):
                return self._binary(_COMPARE[op], left, right)
            case t.Arith(op, left, right):
                return self._binary(_ARITHMETIC[op], left, right)

    def _binary(self, function: Callable[[Any, Any], Any], left: Expr, right: Expr) -> Meaning:
        one, other = self.meaning(left), self.meaning(right)
        return lambda state, joint: function(one(state, joint), other(state, joint))


def _first(decisive: bool, parts: list[Meaning]) -> Meaning:
    """A conjunction (decided by the first false part) or disjunction (by the first true one)."""

    def meaning(state: State, joint: Joint) -> bool:
        for part in parts:
            if part(state, joint) == decisive:
                return decisive
        return not decisive

    return meaning


def operation(expr: Expr) -> Callable[[list[Any]], Any]:
    """The value of an expression as a function of its operands' values."""
    match expr:
        case t.Not():
            return lambda values: not values[0]
        case t.And():
            return all
        case t.Or():
            return any
        case t.AtLeast(number):
            return lambda values: sum(map(bool, values)) >= number
        case t.Xor():
            return lambda values: values[0] != values[1]
        case t.Compare(comparison):
            compare = _COMPARE[comparison]
            return lambda values: compare(values[0], values[1])
        case t.Arith(operation):
            arithmetic = _ARITHMETIC[operation]
            return lambda values: arithmetic(values[0], values[1])
        case _:
            return lambda values: None


def apply(expr: Expr, values: list[Any]) -> Any:
    """The value of an expression whose operands have the given values."""
    return operation(expr)(values)


def add(left: Number, right: Number) -> Number:
    """The sum."""
    if isinstance(left, float) or isinstance(right, float):
        return _extended(left) + _extended(right)
    return whole(left + right)  # type: ignore[return-value]  # whole() of a number is a number


def subtract(left: Number, right: Number) -> Number:
    """The difference."""
    return add(left, multiply(-1, right))


def multiply(left: Number, right: Number) -> Number:
    """The product."""
    if isinstance(left, float) or isinstance(right, float):
        return _extended(left) * _extended(right)
    return whole(left * right)  # type: ignore[return-value]  # whole() of a number is a number


def divide(left: Number, right: Number) -> Number:
    """The exact quotient; see the module's description for a divisor of zero."""
    if isinstance(left, float) or isinstance(right, float):
        if isinstance(right, float) and not isinstance(left, float):
            return right if math.isnan(right) else 0
        return _extended(left) / _extended(right) if right != 0 else _extended(left)
    if right == 0:
        return 0 if left == 0 else math.inf if left > 0 else -math.inf
    return whole(Fraction(left) / right)  # type: ignore[return-value]  # whole() of a number is a number


def _extended(value: Number) -> float:
    """Only the sign of a finite number matters beside an infinite one, so no precision is lost here."""
    return value if isinstance(value, float) else float((value > 0) - (value < 0))


_ARITHMETIC: dict[t.Operation, Callable[[Any, Any], Any]] = {
    t.Operation.PLUS: add,
    t.Operation.MINUS: subtract,
    t.Operation.TIMES: multiply,
    t.Operation.DIVIDE: divide,
}
