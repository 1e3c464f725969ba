"""The symbolic tableau of a path formula: one bit per temporal operator, beside the bits of the state.

The path formula is in negation normal form over *leaves*, whose sets of states are known.  Each future operator has a *promise*, a bit
that says what is still owed from the next point on; each past operator a *memory*, a bit that says how it stood at the previous point.
With p for promise and m for memory the operators have these values at a point:

    X f = p     F f = f | p      G f = f & p         f U g = f W g = g | (f & p)      f R g = g & (f | p)
    Y f = m     Once f = f | m   Hist f = f & m      f S g = g | (f & m)

A step keeps every promise (where p holds, the operator, for X its operand, has its value at the next point) and writes every memory.  At
time 0 memories are false, those of Hist true.  Promises bind in one direction only: values are monotone in them, so nothing is gained
by promising less than will be kept.  A run satisfies the formula iff some sequence of points with these bits follows it, has value true
at the beginning, and puts off no F or U for ever.

The tableau is never multiplied with the transition relation.  Both its halves are conditions on one point alone, so that a step of the
product is: keep promises, take a step of the system with the other bits as parameters, write memories.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from epistrat.engines.fixpoints.label import booleans
from epistrat.logic import formula as logic
from epistrat.logic.connect import connect
from epistrat.logic.formula import Formula, operands, subformulae
from epistrat.records import dataclass
from epistrat.solvers.bdd import Algebra, Bdd


@dataclass(frozen=True, slots=True)
class Twin:
    """A bit of a tableau: its value now, and at the next point."""

    now: int
    later: int


class SpareBits:
    """BDD variables for tableaux.  They are lent and given back, so that many formulae share a few."""

    def __init__(self, algebra: Algebra) -> None:
        self._algebra = algebra
        self._free: list[Twin] = []

    def lend(self) -> Twin:
        """A bit that nobody else uses."""
        if not self._free:
            now, later = self._algebra.grow(2)
            return Twin(now, later)
        return self._free.pop()

    def give_back(self, bits: Iterable[Twin]) -> None:
        """No set that is still needed depends on these bits."""
        self._free.extend(bits)


class Ties:
    """Bits beside the state: a step ties what they are later to a function of the point where they are read, by one condition each.

    A memory becomes, later, the value of a function of the point before; a promise that was made is kept at the next point.
    """

    def __init__(self, algebra: Algebra, twins: Sequence[Twin], ties: Sequence[Bdd]) -> None:
        self._algebra = algebra
        self._ties = ties
        self._now = algebra.cube(twin.now for twin in twins)
        self._later = algebra.cube(twin.later for twin in twins)
        self._to_later = algebra.renaming((twin.now, twin.later) for twin in twins)
        self._to_now = algebra.renaming((twin.later, twin.now) for twin in twins)

    def cross(self, points: Bdd) -> Bdd:
        """The points with, instead of their own bits, those at the other end of the step."""
        return self._algebra.rename(self._conjoin(points, self._now), self._to_now)

    def arrive(self, points: Bdd, step: Callable[[Bdd], Bdd] = lambda points: points) -> Bdd:
        """The points after a step of the frame, with the bits that fit those of the points given."""
        return self._conjoin(step(self._algebra.rename(points, self._to_later)), self._later)

    def _conjoin(self, points: Bdd, cube: object) -> Bdd:
        if not self._ties:
            return points
        for tie in self._ties[:-1]:
            points = points & tie
        return self._algebra.and_exists(points, self._ties[-1], cube)


def memories(algebra: Algebra, written: Sequence[tuple[Twin, Bdd]]) -> Ties:
    """Bits that are written at every step: each becomes the value of a given function of the point before."""
    return Ties(algebra, [twin for twin, _ in written], [~algebra.xor(algebra.var[t.later], v) for t, v in written])


def promises(algebra: Algebra, owed: Sequence[tuple[Twin, Bdd]]) -> Ties:
    """Bits that bind the next point: where such a bit is set, a given function holds there."""
    return Ties(algebra, [twin for twin, _ in owed], [~algebra.var[t.later] | value for t, value in owed])


class Steps(Protocol):
    """What a tableau stands beside."""

    @property
    def algebra(self) -> Algebra:
        """Where sets of points live."""

    def pre(self, target: Bdd) -> Bdd:
        """The points with a step into the target."""

    def post(self, source: Bdd) -> Bdd:
        """The points that steps from the source lead to."""


class SymbolicTableau:
    """The tableau of a body in negation normal form whose leaves are propositions with given sets."""

    def __init__(self, frame: Steps, body: Formula, leaves: Mapping[logic.Prop, Bdd], spare: SpareBits) -> None:
        algebra = frame.algebra
        self._frame = frame
        self._spare = spare
        parts = subformulae(body)
        temporal: list[Formula] = [part for part in parts if isinstance(part, logic.FUTURE + logic.PAST)]
        self.bits = {part: spare.lend() for part in temporal}
        elsewhere = {part: algebra.var[twin.now] for part, twin in self.bits.items()}
        self.values = values(
            algebra, parts, lambda part: leaves[part] if isinstance(part, logic.Prop) else None, elsewhere
        )
        self.holds = self.values[body]
        carried = {part: (twin, self._carried(part)) for part, twin in self.bits.items()}
        self._promises = promises(algebra, [pair for p, pair in carried.items() if isinstance(p, logic.FUTURE)])
        self._memories = memories(algebra, [pair for p, pair in carried.items() if isinstance(p, logic.PAST)])
        self.first = first_memories(
            algebra, {part: twin for part, twin in self.bits.items() if isinstance(part, logic.PAST)}
        )
        self.justice = [self._settled(part) for part in temporal if isinstance(part, (logic.Finally, logic.Until))]

    def _carried(self, part: Formula) -> Bdd:
        """What a promise owes and a memory keeps: the operator's own value, for X and Y that of the operand."""
        return self.values[part.arg] if isinstance(part, (logic.Next, logic.Yesterday)) else self.values[part]

    def _settled(self, part: Formula) -> Bdd:
        """Where a promise of F or U is not pending; such points must come again and again."""
        return ~self.values[part] | self.values[operands(part)[-1]]

    def pre(self, target: Bdd) -> Bdd:
        """The points of the product with a step into the target."""
        return self._memories.arrive(self._promises.cross(target), self._frame.pre)

    def post(self, source: Bdd) -> Bdd:
        """The points of the product that steps from the source lead to."""
        return self._promises.arrive(self._frame.post(self._memories.cross(source)))

    def project(self, points: Bdd) -> Bdd:
        """The states of the frame that belong to some of the points."""
        algebra = self._frame.algebra
        return algebra.exists(points, algebra.cube(twin.now for twin in self.bits.values()))

    def close(self) -> None:
        """Give the bits back."""
        self._spare.give_back(self.bits.values())


def first_memories(algebra: Algebra, bits: Mapping[Formula, Twin]) -> Bdd:
    """The memories at time 0: nothing held before, and so every Hist did."""
    result = algebra.true
    for part, twin in bits.items():
        bit = algebra.var[twin.now]
        result = result & (bit if isinstance(part, logic.Historically) else ~bit)
    return result


def values(
    algebra: Algebra, parts: Iterable[Formula], leaf: Callable[[Formula], Bdd | None], elsewhere: Mapping[Formula, Bdd]
) -> dict[Formula, Bdd]:
    """The value of every part, operands first, given those of leaves and the promise or memory of each temporal operator."""
    found: dict[Formula, Bdd] = {}
    for part in parts:
        known = leaf(part)
        if known is None:
            arguments = [found[operand] for operand in operands(part)]
            known = _value(algebra, part, arguments, elsewhere.get(part, algebra.false))
        found[part] = known
    return found


def _value(algebra: Algebra, part: Formula, arguments: Sequence[Bdd], elsewhere: Bdd) -> Bdd:
    match part:
        case logic.Next() | logic.Yesterday():
            return elsewhere
        case logic.Finally() | logic.Once():
            return arguments[0] | elsewhere
        case logic.Globally() | logic.Historically():
            return arguments[0] & elsewhere
        case logic.Until() | logic.WeakUntil() | logic.Since():
            return arguments[1] | (arguments[0] & elsewhere)
        case logic.Release():
            return arguments[1] & (arguments[0] | elsewhere)
        case logic.Truth(value):
            return algebra.true if value else algebra.false
        case logic.Not() | logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor():
            return connect(part, arguments, booleans(algebra))
    raise TypeError(f"not part of a path formula: {type(part).__name__}")
