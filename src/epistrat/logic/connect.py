"""One fold over the connectives, whatever stands for truth: Booleans, sets of states, diagrams, conditions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar, assert_never

from epistrat.logic.formula import And, Connective, Iff, Implies, Not, Or, Xor

T = TypeVar("T")


class Booleans(NamedTuple, Generic[T]):
    """Negation, conjunction and disjunction of many, and "exactly one of two"."""

    negate: Callable[[T], T]
    every: Callable[[Sequence[T]], T]
    some: Callable[[Sequence[T]], T]
    differ: Callable[[T, T], T]


def connect(formula: Connective, args: Sequence[T], of: Booleans[T]) -> T:
    """What a connective makes of its operands' values."""
    match formula:
        case Not():
            return of.negate(args[0])
        case And():
            return of.every(args)
        case Or():
            return of.some(args)
        case Implies():
            return of.some((of.negate(args[0]), args[1]))
        case Iff():
            return of.negate(of.differ(args[0], args[1]))
        case Xor():
            return of.differ(args[0], args[1])
        case _:
            assert_never(formula)
