"""Truth of conditions over blocks of states.

Boolean connectives are array operations.  A comparison is looked up: the variables it reads are numbered (see `Scope`), and each
combination of values that occurs is given to the reference evaluator once.  So arithmetic is exact here as everywhere, and costs as
much as there are different arguments, not states.
"""

from __future__ import annotations

import numpy as np

from epistrat.engines.explicit.layout import Block, Layout, Mask
from epistrat.engines.explicit.scope import Scope
from epistrat.model.evaluate import Evaluator
from epistrat.terms import And, Const, Expr, Not, Or, Var, Xor, variables


class _Lookup:
    """A condition's truth by the number of its arguments."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.truth: Mask = np.zeros(0, dtype=np.bool_)


class Conditions:
    """Evaluates the conditions of one system; remembers what it looked up."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._evaluator = Evaluator(layout.system)
        self._lookups: dict[Expr, _Lookup] = {}

    def holds(self, condition: Expr, block: Block) -> Mask:
        """In which states of the block the condition is true."""
        match condition:
            case Const(value):
                return np.full(len(block), bool(value))
            case Var():
                set_: Mask = self._layout.column(block, self._layout.system.position[condition.key]) != 0
                return set_
            case Not(arg):
                return ~self.holds(arg, block)
            case And(args):
                result = self.holds(args[0], block)
                for arg in args[1:]:
                    result &= self.holds(arg, block)
                return result
            case Or(args):
                result = self.holds(args[0], block)
                for arg in args[1:]:
                    result |= self.holds(arg, block)
                return result
            case Xor(left, right):
                return self.holds(left, block) ^ self.holds(right, block)
            case _:
                return self._look_up(condition, block)

    def _look_up(self, condition: Expr, block: Block) -> Mask:
        found = self._lookups.get(condition)
        if found is None:
            positions = sorted(self._layout.system.position[key] for key in variables(condition))
            found = self._lookups[condition] = _Lookup(Scope(self._layout, positions))
        numbers, new = found.scope.number(block)
        if len(new):
            meaning = self._evaluator.meaning(condition)
            states = self._layout.integers(block[new])
            fresh = [bool(meaning(self._layout.unpack(state), ())) for state in states]
            found.truth = np.concatenate((found.truth, np.array(fresh, dtype=np.bool_)))
        return found.truth[numbers]
