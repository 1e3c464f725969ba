"""The value of an expression without variables, by the evaluator's own arithmetic."""

from __future__ import annotations

from typing import Any

from epistrat.model.evaluate import add, divide, multiply, subtract
from epistrat.terms import Arith, Const, Expr, Operation, subterms

OPERATE = {Operation.PLUS: add, Operation.MINUS: subtract, Operation.TIMES: multiply, Operation.DIVIDE: divide}


def constant_value(expr: Expr) -> Any:
    """The number, perhaps infinite; operands come before what they are operands of, however deep that is."""
    values: dict[Expr, Any] = {}
    for term in subterms(expr):
        match term:
            case Const(value):
                values[term] = value
            case Arith(op, left, right):
                values[term] = OPERATE[op](values[left], values[right])
            case _:
                raise TypeError("not a constant number")
    return values[expr]
