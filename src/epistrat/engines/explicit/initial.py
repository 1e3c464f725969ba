"""The initial states: all solutions of the initial condition.

Variables get their values one after the other, many partial solutions at a time; after each variable the conjuncts that mention it
throw out what can no longer become true.  A conjunct with variables still open is read in three values (true, false, open), so
that a disjunction of a thousand listed states prunes as well as a thousand equations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from epistrat.engines.explicit.conditions import VectorConditions
from epistrat.engines.explicit.layout import Block, Codes, Layout, Mask
from epistrat.solvers.budget import Budget
from epistrat.terms import And, AtLeast, Compare, Comparison, Const, Expr, Not, Or, Var, Xor, variables

_ROWS = 1 << 19  # combinations tested at once


class InitialStates:
    """Enumerates the initial states of a system as blocks of packed states."""

    def __init__(self, layout: Layout, conditions: VectorConditions, budget: Budget) -> None:
        self._layout = layout
        self._conditions = conditions
        self._budget = budget
        initial = layout.system.initial
        self._conjuncts = list(initial.args) if isinstance(initial, And) else [initial]
        position = layout.system.position
        self._reads = [frozenset(position[key] for key in variables(part)) for part in self._conjuncts]
        self._order = _order(len(layout.fields), self._reads)
        self._rank = {variable: rank for rank, variable in enumerate(self._order)}
        self._last: dict[Expr, int] = {}

    def blocks(self) -> Iterator[Block]:
        """All initial states, each once."""
        start = np.zeros((1, self._layout.words), dtype=np.uint64)
        if not all(self._conditions.holds(part, start).all() for part, read in self._parts() if not read):
            return
        stack: list[tuple[Iterator[Block], int]] = [(iter((start,)), 0)]
        while stack:
            pieces, depth = stack[-1]
            block = next(pieces, None)
            if block is None:
                stack.pop()
            elif depth == len(self._order):
                yield block
            elif len(block):
                stack.append((self._extend(block, depth), depth + 1))

    def _parts(self) -> Iterator[tuple[Expr, frozenset[int]]]:
        return zip(self._conjuncts, self._reads, strict=True)

    def _extend(self, block: Block, depth: int) -> Iterator[Block]:
        """These partial solutions, whose first ``depth`` variables are set, with one more variable set."""
        variable = self._order[depth]
        relevant = [part for part, read in self._parts() if variable in read]
        for codes in self._codes(variable, relevant):
            step = max(1, self._budget.patience.block(_ROWS) // max(1, len(codes)))
            for start in range(0, len(block), step):
                self._budget.check()
                longer = self._assign(block[start : start + step], variable, codes)
                for part in relevant:
                    self._budget.spend(len(longer) // 8)
                    longer = longer[self._possible(part, longer, depth)]
                yield longer

    def _codes(self, variable: int, relevant: Sequence[Expr]) -> Iterator[Codes]:
        """The values worth trying, in pieces: one where a conjunct fixes the variable, else the whole domain."""
        field = self._layout.fields[variable]
        for part in relevant:
            match part:
                case Compare(Comparison.EQUAL, Var(), Const(value)) | Compare(Comparison.EQUAL, Const(value), Var()):
                    yield np.array([field.domain.code(value)] if value in field.domain else [], dtype=np.int64)
                    return
        for start in range(0, field.domain.last + 1, _ROWS):
            yield np.arange(start, min(field.domain.last + 1, start + _ROWS), dtype=np.int64)

    def _assign(self, block: Block, variable: int, codes: Codes) -> Block:
        field = self._layout.fields[variable]
        longer = np.repeat(block, len(codes), axis=0)
        longer[:, field.word] |= np.tile(codes.astype(np.uint64) << np.uint64(field.shift), len(block))
        return longer

    def _possible(self, condition: Expr, block: Block, depth: int) -> Mask:
        """Where the condition is true or open, the variables after ``depth`` being open."""
        return self._three_valued(condition, block, depth)[0]

    def _three_valued(self, condition: Expr, block: Block, depth: int) -> tuple[Mask, Mask]:
        """Where the condition may still become true, and where it may still become false."""
        match condition:
            case Not(arg):
                true, false = self._three_valued(arg, block, depth)
                return false, true
            case And(args) | Or(args):
                parts = [self._three_valued(arg, block, depth) for arg in args]
                trues, falses = [part[0] for part in parts], [part[1] for part in parts]
                if isinstance(condition, And):
                    return np.logical_and.reduce(trues), np.logical_or.reduce(falses)
                return np.logical_or.reduce(trues), np.logical_and.reduce(falses)
            case AtLeast(number, args):
                parts = [self._three_valued(arg, block, depth) for arg in args]
                may, must = (np.sum([part[side] for part in parts], axis=0) for side in (0, 1))
                return may >= number, must > len(args) - number
            case Xor(left, right):
                one, other = self._three_valued(left, block, depth), self._three_valued(right, block, depth)
                return (one[0] & other[1]) | (one[1] & other[0]), (one[0] & other[0]) | (one[1] & other[1])
            case _:
                if self._last_read(condition) > depth:
                    return np.ones(len(block), dtype=np.bool_), np.ones(len(block), dtype=np.bool_)
                true = self._conditions.holds(condition, block)
                return true, ~true

    def _last_read(self, condition: Expr) -> int:
        """The rank of the last variable to be set that the condition reads; -1 if it reads none."""
        found = self._last.get(condition)
        if found is None:
            position = self._layout.system.position
            found = max((self._rank[position[key]] for key in variables(condition)), default=-1)
            self._last[condition] = found
        return found


def _order(count: int, reads: Sequence[frozenset[int]]) -> list[int]:
    """An order in which conjuncts become complete early.

    Next comes a variable of the conjunct with the fewest open variables; among equals the first conjunct, so that what belongs together
    stays together.  Variables that no conjunct mentions come last.
    """
    order: list[int] = []
    left = [set(read) for read in reads if read]
    while left:
        smallest = min(left, key=len)
        variable = min(smallest)
        order.append(variable)
        for read in left:
            read.discard(variable)
        left = [read for read in left if read]
    done = set(order)
    return order + [variable for variable in range(count) if variable not in done]
