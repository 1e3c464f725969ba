"""Conditions as Boolean functions: constants and connectives, whatever stands for variables, actions and comparisons."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from epistrat import terms as t
from epistrat.encoding.junction import Junctions
from epistrat.encoding.part import Part, at_least, exclusive, negated
from epistrat.solvers.bdd import Algebra
from epistrat.terms import Expr, Sort, children


class BooleanConditions(ABC):
    """Translates conditions, each of them once."""

    def __init__(self, algebra: Algebra, join: Junctions) -> None:
        self.algebra = algebra
        self.join = join
        self._memo: dict[Expr, Part] = {}

    def part(self, expr: Expr) -> Part:
        """Where the condition holds."""
        found = self._memo.get(expr)
        return self._build_all(expr) if found is None else found

    def _build_all(self, root: Expr) -> Part:
        """Operands first, without recursion: sums and parities over many variables are deep."""
        memo, stack = self._memo, [root]
        while stack:
            expr = stack[-1]
            operands = [operand for operand in children(expr) if operand.sort is Sort.BOOLEAN]
            missing = [operand for operand in operands if operand not in memo]
            if missing:
                stack += missing
                continue
            stack.pop()
            if expr not in memo:
                memo[expr] = self._build(expr, [memo[operand] for operand in operands])
        return memo[root]

    def _build(self, expr: Expr, parts: Sequence[Part]) -> Part:
        match expr:
            case t.Const(value):
                return self.constant(bool(value))
            case t.Not():
                return negated(parts[0])
            case t.And():
                return self.join.all(parts)
            case t.Or():
                return self.join.any(parts)
            case t.AtLeast(number):
                return at_least(self.algebra, number, parts)
            case t.Xor():
                return exclusive(self.algebra, *parts)
            case t.Compare() if parts:  # only equality compares truth values
                return negated(exclusive(self.algebra, *parts))
            case _:
                return self._leaf(expr)

    @abstractmethod
    def _leaf(self, expr: Expr) -> Part:
        """A variable, an action, or a comparison of names or numbers."""

    def constant(self, value: bool) -> Part:
        """Everywhere, or nowhere."""
        return Part(self.algebra.true if value else self.algebra.false, 0)
