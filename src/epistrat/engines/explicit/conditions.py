"""Truth of conditions, and values of numbers, over blocks of states.

Boolean connectives are array operations, and so is arithmetic on whole numbers as long as nothing can leave 64 bits, which the domains
tell beforehand.  Everything else (division, huge numbers) is looked up: the variables it reads are numbered (see `Scope`), and each
combination of values that occurs is given to the reference evaluator once.  So values are exact here as everywhere.
"""

from __future__ import annotations

import numpy as np

from epistrat import terms as t
from epistrat.engines.explicit.layout import Block, Codes, Layout, Mask
from epistrat.engines.explicit.scope import Scope
from epistrat.model.evaluate import Evaluator
from epistrat.terms import Expr, Sort, variables

_LIMIT = 1 << 62  # sums of two such numbers fit a machine word
_LISTED = 8  # values from which on "it is one of these" is looked up in a table
_LARGE_TABLE = 1 << 16  # entries: a table for more values takes longer to make than comparisons do


class _Lookup:
    """A condition's truth by the number of its arguments."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.truth: Mask = np.zeros(0, dtype=np.bool_)


class VectorConditions:
    """Evaluates the expressions of one system; remembers what it looked up."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._evaluator = Evaluator(layout.system)
        self._lookups: dict[Expr, _Lookup] = {}
        self._ranges: dict[Expr, tuple[int, int] | None] = {}
        self._listed: dict[Expr, tuple[t.Var, Mask] | None] = {}

    def holds(self, condition: Expr, block: Block) -> Mask:
        """In which states of the block the condition is true."""
        match condition:
            case t.Const(value):
                return np.full(len(block), bool(value))
            case t.Var():
                return np.asarray(self._column(condition, block) != 0)
            case t.Not(arg):
                return ~self.holds(arg, block)
            case t.And(args):
                result = self.holds(args[0], block)
                for arg in args[1:]:
                    result &= self.holds(arg, block)
                return result
            case t.Or(args):
                listed = self._list(condition, args) if len(args) >= _LISTED else None
                if listed is not None:
                    variable, table = listed
                    return np.asarray(table[self._column(variable, block)])
                result = self.holds(args[0], block)
                for arg in args[1:]:
                    result |= self.holds(arg, block)
                return result
            case t.AtLeast(number, args):
                return np.asarray(np.sum([self.holds(arg, block) for arg in args], axis=0) >= number)
            case t.Xor(left, right):
                return self.holds(left, block) ^ self.holds(right, block)
            case t.Compare(op, left, right):
                found = self._compare(op, left, right, block)
                return self._look_up(condition, block) if found is None else found
            case _:
                raise AssertionError(f"not a condition: {condition}")

    def _compare(self, op: t.Comparison, left: Expr, right: Expr, block: Block) -> Mask | None:
        """A comparison as array operation; None if it cannot be one."""
        if left.sort is Sort.BOOLEAN:
            return ~(self.holds(left, block) ^ self.holds(right, block))
        if left.sort is Sort.NAME:
            return self._same_name(left, right, block)
        one, other = self.number(left, block), self.number(right, block)
        if one is None or other is None:
            return None
        match op:
            case t.Comparison.EQUAL:
                return np.asarray(one == other)
            case t.Comparison.LESS:
                return np.asarray(one < other)
            case _:
                return np.asarray(one <= other)

    def _list(self, condition: Expr, args: tuple[Expr, ...]) -> tuple[t.Var, Mask] | None:
        """For "the variable is one of these numbers": the variable, and the truth by its code; None for other disjunctions."""
        if condition not in self._listed:
            self._listed[condition] = self._find_list(args)
        return self._listed[condition]

    def _find_list(self, args: tuple[Expr, ...]) -> tuple[t.Var, Mask] | None:
        pairs = [pair for arg in args if (pair := equals_number(arg)) is not None]
        if len(pairs) < len(args) or len({variable for variable, _ in pairs}) > 1:
            return None
        domain = self._domain(pairs[0][0])
        if not isinstance(domain, t.Bounded) or domain.high - domain.low >= _LARGE_TABLE:
            return None
        table = np.zeros(domain.high - domain.low + 1, dtype=np.bool_)
        table[[number - domain.low for _, number in pairs if domain.low <= number <= domain.high]] = True
        return pairs[0][0], table

    def _same_name(self, left: Expr, right: Expr, block: Block) -> Mask | None:
        """Equality of enumeration values with a constant, or of variables with the same values."""
        if isinstance(left, t.Const):
            left, right = right, left
        if not isinstance(left, t.Var):
            return None
        domain = self._domain(left)
        assert isinstance(domain, t.Enumeration)
        if isinstance(right, t.Const):
            if right.value not in domain:
                return np.zeros(len(block), dtype=np.bool_)
            return np.asarray(self._column(left, block) == domain.values.index(str(right.value)))
        if isinstance(right, t.Var) and self._domain(right) == domain:
            return np.asarray(self._column(left, block) == self._column(right, block))
        return None

    def number(self, expr: Expr, block: Block) -> Codes | None:
        """The values of a whole number, state by state; None if they might not be whole or not fit."""
        if self._range(expr) is None:
            return None
        match expr:
            case t.Const(value):
                assert isinstance(value, int)
                return np.full(len(block), value, dtype=np.int64)
            case t.Var():
                domain = self._domain(expr)
                assert isinstance(domain, t.Bounded)
                return self._column(expr, block) + domain.low
            case t.Arith(op, left, right):
                one, other = self.number(left, block), self.number(right, block)
                assert one is not None
                assert other is not None
                if op is t.Operation.PLUS:
                    return one + other
                return one - other if op is t.Operation.MINUS else one * other
            case _:
                raise AssertionError(f"not a number: {expr}")

    def _range(self, expr: Expr) -> tuple[int, int] | None:
        """The least and the greatest value a whole number can have; None if it may be a fraction or leave 64 bits."""
        if expr not in self._ranges:
            self._ranges[expr] = self._find_range(expr)
        return self._ranges[expr]

    def _find_range(self, expr: Expr) -> tuple[int, int] | None:
        match expr:
            case t.Const(value) if isinstance(value, int) and abs(value) < _LIMIT:
                return value, value
            case t.Var():
                domain = self._domain(expr)
                if isinstance(domain, t.Bounded) and max(abs(domain.low), abs(domain.high)) < _LIMIT:
                    return domain.low, domain.high
            case t.Arith(op, left, right) if op is not t.Operation.DIVIDE:
                one, other = self._range(left), self._range(right)
                if one is not None and other is not None:
                    ends = [_combine(op, a, b) for a in one for b in other]
                    if max(map(abs, ends)) < _LIMIT:
                        return min(ends), max(ends)
        return None

    def _domain(self, variable: t.Var) -> object:
        return self._layout.fields[self._layout.system.position[variable.key]].domain

    def _column(self, variable: t.Var, block: Block) -> Codes:
        return self._layout.column(block, self._layout.system.position[variable.key])

    def _look_up(self, condition: Expr, block: Block) -> Mask:
        found = self._lookups.get(condition)
        if found is None:
            positions = sorted(self._layout.system.position[key] for key in variables(condition))
            found = self._lookups[condition] = _Lookup(Scope(self._layout, positions))
        numbers, new = found.scope.number(block)
        if len(new):
            meaning = self._evaluator.meaning(condition)
            states = self._layout.integers(block[new])
            fresh = [bool(meaning(self._layout.unpack_some(state, found.scope.positions), ())) for state in states]
            found.truth = np.concatenate((found.truth, np.array(fresh, dtype=np.bool_)))
        return found.truth[numbers]


def equals_number(condition: Expr) -> tuple[t.Var, int] | None:
    """The variable and the number, if the condition says that one is the other."""
    if not isinstance(condition, t.Compare) or condition.op is not t.Comparison.EQUAL:
        return None
    one, other = condition.left, condition.right
    if isinstance(one, t.Const):
        one, other = other, one
    if (
        isinstance(one, t.Var)
        and one.sort is Sort.NUMBER
        and isinstance(other, t.Const)
        and isinstance(other.value, int)
    ):
        return one, other.value
    return None


def _combine(op: t.Operation, left: int, right: int) -> int:
    if op is t.Operation.PLUS:
        return left + right
    return left - right if op is t.Operation.MINUS else left * right
