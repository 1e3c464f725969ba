"""The tableau of a path formula: what can be true together at one point, and what that demands of the points around it.

The path formula is seen as Boolean and temporal operators over *leaves*, its maximal state formulae.  An *atom* guesses, for every
future operator, whether it (for X: its operand) holds at the next point, and remembers, for every past operator, whether it (for Y: its
operand) held at the previous one.  Leaves and atom together fix the truth of every part of the formula:

    F f = f | next      G f = f & next      f U g = f W g = g | (f & next)      f R g = g & (f | next)
    Once f = f | last   Hist f = f & last   f S g = g | (f & last)              X f = next,  Y f = last

A sequence of points with atoms that fit together describes a run truly iff no eventuality is postponed for ever.
"""

from __future__ import annotations

from collections.abc import Callable

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands
from epistrat.records import dataclass


@dataclass(frozen=True, slots=True)
class Atom:
    """Guesses about the next point and memories of the previous one, as bit sets over the future and past operators."""

    guess: int
    memory: int


@dataclass(frozen=True, slots=True)
class Truth:
    """What an atom amounts to at a point: is the whole formula true, what must have been guessed one point earlier, what is
    remembered one point later, and which eventualities are not pending.
    """

    holds: bool
    demands: int
    remembers: int
    settled: int


class Tableau:
    """The tableau of one path formula; computed lazily for those leaf valuations that occur."""

    def __init__(self, body: Formula) -> None:
        self.body = body
        self.leaves: list[Formula] = []
        self._parts: list[Formula] = []
        self._collect(body)
        self._index = {part: number for number, part in enumerate([*self.leaves, *self._parts])}
        self.future: list[Formula] = [part for part in self._parts if isinstance(part, logic.FUTURE)]
        self.past: list[Formula] = [part for part in self._parts if isinstance(part, logic.PAST)]
        self._bit = {part: number for kind in (self.future, self.past) for number, part in enumerate(kind)}
        self._known: dict[tuple[int, int, int], Truth] = {}
        self._by_demand: dict[tuple[int, int], dict[int, list[int]]] = {}

    def _collect(self, body: Formula) -> None:
        seen: set[Formula] = set()
        stack = [(body, False)]
        while stack:
            part, ready = stack.pop()
            if ready:
                self._parts.append(part)
            elif part not in seen:
                seen.add(part)
                if is_state(part):
                    self.leaves.append(part)
                else:
                    stack.append((part, True))
                    stack.extend((operand, False) for operand in operands(part))

    @property
    def guesses(self) -> range:
        """Every combination of guesses."""
        return range(1 << len(self.future))

    @property
    def eventualities(self) -> range:
        """The numbers of the eventualities: one per future operator other than X, as bits of `Truth.settled`."""
        return range(len(self.future))

    @property
    def first_memory(self) -> int:
        """What is remembered at time 0: nothing held before, and so (vacuously) every ``Hist`` did."""
        return sum(1 << number for number, part in enumerate(self.past) if isinstance(part, logic.Historically))

    def truth(self, leaves: int, guess: int, memory: int) -> Truth:
        """What an atom amounts to where exactly the given leaves (a bit set) are true."""
        key = (leaves, guess, memory)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._compute(leaves, guess, memory)
        return found

    def continuations(self, leaves: int, memory: int, demanded: int) -> list[int]:
        """The guesses at a point with these leaves and memory that are as the previous point guessed."""
        key = (leaves, memory)
        table = self._by_demand.get(key)
        if table is None:
            table = self._by_demand[key] = {}
            for guess in self.guesses:
                table.setdefault(self.truth(leaves, guess, memory).demands, []).append(guess)
        return table.get(demanded, [])

    def _compute(self, leaves: int, guess: int, memory: int) -> Truth:
        values = [bool(leaves >> number & 1) for number in range(len(self.leaves))]
        for part in self._parts:
            elsewhere = False
            if part in self._bit:
                bits = guess if isinstance(part, logic.FUTURE) else memory
                elsewhere = bool(bits >> self._bit[part] & 1)
            values.append(_combine(part, [values[self._index[operand]] for operand in operands(part)], elsewhere))

        def value(part: Formula) -> bool:
            return values[self._index[part]]

        return Truth(
            holds=value(self.body),
            demands=_bits(self.future, lambda part: value(part.arg if isinstance(part, logic.Next) else part)),
            remembers=_bits(self.past, lambda part: value(part.arg if isinstance(part, logic.Yesterday) else part)),
            settled=_bits(self.future, lambda part: _settled(part, value)),
        )


def _bits(parts: list[Formula], value: Callable[[Formula], bool]) -> int:
    return sum(1 << number for number, part in enumerate(parts) if value(part))


def _combine(part: Formula, args: list[bool], elsewhere: bool) -> bool:
    """The truth of an operator from that of its operands here and, for temporal ones, the guess or memory."""
    match part:
        case logic.Not():
            return not args[0]
        case logic.And():
            return all(args)
        case logic.Or():
            return any(args)
        case logic.Implies():
            return not args[0] or args[1]
        case logic.Iff():
            return args[0] == args[1]
        case logic.Xor():
            return args[0] != args[1]
        case _:
            return _combine_temporal(part, args, elsewhere)


def _combine_temporal(part: Formula, args: list[bool], elsewhere: bool) -> bool:
    match part:
        case logic.Next() | logic.Yesterday():
            return elsewhere
        case logic.Finally() | logic.Once():
            return args[0] or elsewhere
        case logic.Globally() | logic.Historically():
            return args[0] and elsewhere
        case logic.Until() | logic.WeakUntil() | logic.Since():
            return args[1] or (args[0] and elsewhere)
        case logic.Release():
            return args[1] and (args[0] or elsewhere)
        case _:
            raise TypeError(f"not a part of a path formula: {part}")


def _settled(part: Formula, value: Callable[[Formula], bool]) -> bool:
    """Whether nothing is owed for this operator here; must be so infinitely often.

    A true F or U owes its goal; a false G, W or R owes its violation.
    """
    match part:
        case logic.Finally(arg):
            return value(arg) or not value(part)
        case logic.Until(_, right):
            return value(right) or not value(part)
        case logic.Globally(arg):
            return value(part) or not value(arg)
        case logic.WeakUntil(left, right):
            return value(part) or not (value(left) or value(right))
        case logic.Release(_, right):
            return value(part) or not value(right)
        case _:
            return True
