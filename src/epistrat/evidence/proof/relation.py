"""Steps between sets of states: conjunctions of functions under a quantifier, each bit quantified as soon as no function left needs it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from epistrat.evidence.proof.bits import Slot, Space
from epistrat.evidence.proof.moves import Branch, Part, Support
from epistrat.records import dataclass
from epistrat.solvers.bdd import Algebra, Bdd, Cube

_JOINED_FORWARDS = 8_000  # nodes up to which functions are joined beforehand, for steps forwards,
_JOINED = 1_000  # and backwards, where few agents are asked at a time
_ALIKE = (
    0.75  # of the nodes of both: functions of which so few are left when they are joined are joined whatever their size
)
_PAIRS = 1 << 23  # of their nodes, up to which it is tried: a conjunction visits no more, which takes seconds at worst

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Extra:
    """A bit beside the system's that is true in a step where ``means`` is: before the step, or ``after`` it."""

    bit: int
    means: Bdd
    after: bool = False


class Quantified:
    """``set -> exists bits. set & part & ... & part``."""

    def __init__(
        self, algebra: Algebra, parts: Sequence[Part], bits: Support, tick: Callable[[], object], joined: int
    ) -> None:
        self._algebra = algebra
        self._tick = tick
        ordered = _joined(algebra, _ordered(parts, bits, tick), joined, tick)
        needed = [part.support for part in ordered]
        self._first = algebra.cube(bits.difference(*needed))
        self._steps: list[tuple[Bdd, Cube | None]] = []
        left = bits.intersection(frozenset().union(*needed))
        for place, part in enumerate(ordered):
            ends = left.difference(*needed[place + 1 :])
            left -= ends
            self._steps.append((part.function, algebra.cube(ends)))

    def __call__(self, states: Bdd) -> Bdd:
        """The set, taken through."""
        algebra = self._algebra
        result = algebra.exists(states, self._first)
        for function, cube in self._steps:
            self._tick()
            if result == algebra.false:
                break
            result = algebra.and_exists(result, function, cube)
        return result


def _ordered(parts: Sequence[Part], bits: Support, tick: Callable[[], object]) -> list[Part]:
    """First what ends the most bits and brings the fewest that must stay; among equals what lies deepest in the order."""
    left, line = dict(enumerate(parts)), []
    touching: dict[int, list[int]] = {}
    for place, part in left.items():
        for bit in part.support:
            touching.setdefault(bit, []).append(place)
    uses = {bit: len(places) for bit, places in touching.items()}
    present: set[int] = set()
    worth = {place: _worth(part, uses, bits, present) for place, part in left.items()}
    while left:
        tick()
        best = left.pop(max(left, key=worth.__getitem__))
        line.append(best)
        present |= best.support
        for bit in best.support & bits:
            uses[bit] -= 1
        for place in {
            place for bit in best.support for place in touching[bit] if place in left
        }:  # no other's worth changes
            worth[place] = _worth(left[place], uses, bits, present)
    return line


def _worth(part: Part, uses: dict[int, int], bits: Support, present: set[int]) -> tuple[float, int]:
    ended = sum(uses[bit] == 1 for bit in part.support & bits)
    brought = len(part.support - bits - present)
    size = len(part.support) or 1
    return (ended - brought) / size, max(part.support, default=0)


def _joined(algebra: Algebra, parts: Sequence[Part], most: int, tick: Callable[[], object]) -> list[Part]:
    """Neighbours in one function, as long as that is small, or much smaller than both of them."""
    found: list[Part] = []
    size = 0  # of the last
    for part in parts:
        tick()
        further = algebra.size(part.function)
        if found and size * further <= _PAIRS:
            both = found[-1].function & part.function
            if (joined := algebra.size(both)) <= max(most, _ALIKE * (size + further)):
                found[-1], size = Part(both, found[-1].support | part.support), joined
                continue
        found.append(part)
        size = further
    return found


class Way:
    """One branch, ready for use in both directions."""

    def __init__(
        self,
        space: Space,
        branch: Branch,
        pairs: Pairs,
        private: Support,
        extra: Sequence[Extra],
        tick: Callable[[], object],
    ) -> None:
        self.branch = branch
        self.pairs = pairs
        self._algebra = space.algebra
        self._private = private
        self._tick = tick
        self._now = frozenset(now for now, _ in pairs)
        self._later = frozenset(later for _, later in pairs)
        self._to_later = space.algebra.renaming(pairs)
        self._to_now = space.algebra.renaming((later, now) for now, later in pairs)
        self.parts = (*branch.parts, *(self._part(one, space) for one in extra))
        self._ready: dict[tuple[str, Support], Quantified] = {}

    def _part(self, extra: Extra, space: Space) -> Part:
        """What a step by this way makes of a bit: what stays has no bits of its own after it."""
        means = self._algebra.rename(extra.means, self._to_later) if extra.after else extra.means
        state = frozenset(bit for bits in space.now.values() for bit in bits)
        support = state | self._now | self._later | {extra.bit}
        return Part(~self._algebra.xor(means, self._algebra.var[extra.bit]), support)

    def _through(self, direction: str, kept: Support) -> Quantified:
        found = self._ready.get((direction, kept))
        if found is None:
            bits = (self._now if direction == "forwards" else self._later) | self._private
            joined = _JOINED_FORWARDS if direction == "forwards" else _JOINED
            found = Quantified(self._algebra, self.parts, bits - kept, self._tick, joined)
            self._ready[direction, kept] = found
        return found

    def after(self, states: Bdd) -> Bdd:
        """Where this way leads to from some of the states."""
        return self._algebra.rename(self._through("forwards", frozenset())(states), self._to_now)

    def before(self, states: Bdd, kept: Support = frozenset()) -> Bdd:
        """From where it leads into the states, with the values of the bits that are kept."""
        return self._through("backwards", kept)(self._algebra.rename(states, self._to_later))


class Relation:
    """All ways to step, over the bits of the system and perhaps some more."""

    def __init__(
        self,
        space: Space,
        branches: Iterable[Branch],
        private: Support,
        tick: Callable[[], object],
        extra: Sequence[Extra] = (),
        pairs: Pairs = (),
    ) -> None:
        self.space = space
        self.branches = tuple(branches)
        self.private = private
        self.extra = tuple(extra)
        self.pairs = pairs
        self.tick = tick
        self.ways = [
            Way(space, one, (*moved(space, one.changing), *pairs), private, extra, tick) for one in self.branches
        ]

    def widened(self, extra: Sequence[Extra], pairs: Pairs) -> Relation:
        """The same steps, which also change these bits as the functions say."""
        return Relation(
            self.space, self.branches, self.private, self.tick, (*self.extra, *extra), (*self.pairs, *pairs)
        )

    def after(self, states: Bdd) -> Bdd:
        """Where some step leads to from some of the states."""
        return self.space.disjunction(way.after(states) for way in self.ways)

    def before(self, states: Bdd, kept: Support = frozenset()) -> Bdd:
        """From where some step leads into the states."""
        return self.space.disjunction(way.before(states, kept) for way in self.ways)


def moved(space: Space, slots: Iterable[Slot]) -> Pairs:
    """The bits of these variables now and after a step."""
    return tuple((now, later) for slot in slots for now, later in zip(space.now[slot], space.later[slot], strict=True))
