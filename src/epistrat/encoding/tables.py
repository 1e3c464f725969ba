"""Arithmetic that is not linear, over few bits: computed for all values of the bits at once, then turned into diagrams.

A *table* has one number for every combination of the bits that a term reads; the first bit in the order of the diagrams is the most
significant one of the place.  Numbers are exact: where a term could leave 64 bits, or divides, there is no table.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from epistrat import terms as t
from epistrat.encoding.bits import Layout
from epistrat.encoding.part import Part, Tick, mask_of, variables_of
from epistrat.records import dataclass
from epistrat.solvers.bdd import Algebra
from epistrat.terms import Expr, children, subterms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers: TypeAlias = "NDArray[np.int64]"
    Truths: TypeAlias = "NDArray[np.bool_]"

_MOST_BITS = 16  # of a table
_FEWEST = 1 << 14  # numbers to compute, below which cases are as quick as loading the library of arrays
_AT_ONCE = 1 << 20  # numbers that are held at a time: 8 MB
_PER_TICK = 64  # terms
_LARGEST = 1 << 62  # numbers up to this one fit
_OPERATE: dict[t.Operation, Callable[[Any, Any], Any]] = {
    t.Operation.PLUS: operator.add,
    t.Operation.MINUS: operator.sub,
    t.Operation.TIMES: operator.mul,
}


@dataclass(frozen=True, slots=True)
class Table:
    """What terms are worth, and where their bits are values at all, for every combination of the bits in ``support``."""

    values: tuple[Numbers, ...]
    valid: Truths
    support: int


class Tables:
    """Tables of terms over the bits of a layout."""

    def __init__(self, algebra: Algebra, layout: Layout, tick: Tick, fewest: int = _FEWEST) -> None:
        self._algebra = algebra
        self._layout = layout
        self._tick = tick
        self._fewest = fewest

    def table(self, *terms: Expr) -> Table | None:
        """The numbers of all the terms, over the bits of all of them; None where there is no table, or cases do as well."""
        parts = list(subterms(*terms))
        fields = [self._layout.variables[part.key] for part in parts if isinstance(part, t.Var)]
        support = mask_of([bit for field in fields for bit in field.bits])
        size = 1 << support.bit_count()
        if not self._fewest // len(parts) < size <= 1 << _MOST_BITS or not self._fit(parts):
            return None
        import numpy as np

        done, most = _releases(parts, terms)
        step = max(1, _AT_ONCE // most)
        pieces = [
            self._piece(parts, done, support, range(start, min(start + step, size))) for start in range(0, size, step)
        ]
        columns, valid = zip(*pieces, strict=True)
        values = tuple(np.concatenate([column[term] for column in columns]) for term in terms)
        return Table(values, np.concatenate(valid), support)

    def _piece(
        self, parts: Sequence[Expr], done: Mapping[Expr, Sequence[Expr]], support: int, which: range
    ) -> tuple[dict[Expr, Numbers], Truths]:
        """Some of the combinations: what the terms are worth in them, and which of them are values."""
        import numpy as np

        bits = list(variables_of(support))
        shift = {bit: len(bits) - 1 - place for place, bit in enumerate(bits)}
        every = np.arange(which.start, which.stop, dtype=np.int64)
        valid = np.ones(len(which), dtype=np.bool_)
        values: dict[Expr, Numbers] = {}
        for number, part in enumerate(parts):
            if not number % _PER_TICK:
                self._tick()
            match part:
                case t.Const(value):
                    values[part] = np.full(len(which), value, dtype=np.int64)
                case t.Var():
                    field = self._layout.variables[part.key]
                    assert isinstance(field.domain, t.Bounded)
                    code = sum((every >> shift[bit] & 1) << place for place, bit in enumerate(reversed(field.bits)))
                    valid &= code < len(field.domain)
                    values[part] = every * 0 + code + field.domain.low
                case t.Arith(op, left, right):
                    values[part] = _OPERATE[op](values[left], values[right])
            for operand in done.get(part, ()):
                del values[operand]
        return values, valid

    def _fit(self, parts: Iterable[Expr]) -> bool:
        """Whether all of it is whole, without divisions, and no number can be too large."""
        most: dict[Expr, int] = {}
        for part in parts:
            match part:
                case t.Const(int(number)):
                    most[part] = abs(number)
                case t.Var() if isinstance(domain := self._layout.variables[part.key].domain, t.Bounded):
                    most[part] = max(abs(domain.low), abs(domain.high))
                case t.Arith(t.Operation.TIMES, left, right):
                    most[part] = most[left] * most[right]
                case t.Arith(t.Operation.PLUS | t.Operation.MINUS, left, right):
                    most[part] = most[left] + most[right]
                case _:
                    return False
            if most[part] > _LARGEST:
                return False
        return True

    def part(self, truths: Truths, support: int) -> Part:
        """The diagram of what is true for some of the combinations: equal pairs of halves are made once, from the bottom upwards."""
        import numpy as np

        made = [self._algebra.false, self._algebra.true]
        level = truths.astype(np.int64)
        for bit in reversed(list(variables_of(support))):
            self._tick()
            variable = self._algebra.var[bit]
            pairs, level = np.unique(level[::2] * len(made) + level[1::2], return_inverse=True)
            halves = [divmod(int(pair), len(made)) for pair in pairs]
            made = [
                made[low] if low == high else self._algebra.ite(variable, made[high], made[low]) for low, high in halves
            ]
        return Part(made[int(level[0])], support)


def _releases(parts: Sequence[Expr], terms: Sequence[Expr]) -> tuple[dict[Expr, list[Expr]], int]:
    """Which numbers nobody asks for any more once a part has its own, and how many are held at most."""
    last = {operand: part for part in parts for operand in children(part)}
    done: dict[Expr, list[Expr]] = {}
    for operand, part in last.items():
        if operand not in terms:
            done.setdefault(part, []).append(operand)
    held = most = 0
    for part in parts:
        held += 1
        most = max(most, held)
        held -= len(done.get(part, ()))
    return done, most
