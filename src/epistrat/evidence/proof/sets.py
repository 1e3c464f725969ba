"""Sets of states as they are defined: operations on sets, and fixpoints of them.

What a formula means is written in these few words (`epistrat.evidence.proof.meaning`), and for each of them there is one rule that
shows states to be inside, and one that shows states to be outside (`epistrat.evidence.proof.rules`).
"""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeAlias, TypeVar, cast, dataclass_transform

from epistrat.logic.formula import Formula
from epistrat.records import dataclass, replace
from epistrat.solvers.bdd import Bdd


class Kind(Enum):
    """What a set of states can be taken through."""

    STEP = "some step leads there"
    ENFORCED = "some choice of the group has all its outcomes there"
    ANSWERED = "the group can choose, and each of its choices has an outcome there"
    ALIKE = "a state there looks the same to all of them together"
    LINKED = "a state there looks the same to one of them"
    GUESSED = "some values of the automaton's bits put it there"


@dataclass(frozen=True, slots=True)
class Through:
    """A monotone function of sets of states: from which states one comes there."""

    kind: Kind
    agents: tuple[str, ...] = ()


STEP = Through(Kind.STEP)


T = TypeVar("T")


class _Hashed:
    """A place for the hash of a set, which is long to compute: sets have other sets inside."""

    __slots__ = ("_hash",)


@dataclass_transform(frozen_default=True)
def _set(cls: type[T]) -> type[T]:
    made: Any = dataclass(frozen=True, slots=True)(cls)
    compute = made.__hash__

    def once(self: Any) -> int:
        if not hasattr(self, "_hash"):
            object.__setattr__(self, "_hash", compute(self))
        return int(self._hash)

    made.__hash__ = once
    return cast(type[T], made)


@_set
class Given(_Hashed):
    """A set that is known: where a condition is true."""

    states: Bdd


@_set
class Outside(_Hashed):
    """All other states."""

    of: Set


@_set
class Both(_Hashed):
    """The states in all of them."""

    of: tuple[Set, ...]


@_set
class Either(_Hashed):
    """The states in some of them."""

    of: tuple[Set, ...]


@_set
class Before(_Hashed):
    """The states, of those ``among`` them or of all, from which one comes into the set."""

    through: Through
    into: Set
    among: Set | None = None


@_set
class Least(_Hashed):
    """The least Z with ``Z = goal or (hold and before Z)``."""

    through: Through
    hold: Set
    goal: Set


@_set
class Greatest(_Hashed):
    """The greatest Z with ``Z = goal or (hold and before Z)``."""

    through: Through
    hold: Set
    goal: Set


@_set
class Again(_Hashed):
    """The greatest Z with ``Z = goal or (hold and Z and, for each condition c, before Y)``, where
    Y is the least with ``Y = goal or (Z and c) or (Z and before Y)``: one can come to every condition again and again, or to the goal.
    """

    through: Through
    hold: Set
    goal: Set
    conditions: tuple[Set, ...]


@_set
class Anywhere(_Hashed):
    """All states if some state is in the set, else none."""

    of: Set


@_set
class Guessed(_Hashed):
    """The states that are in the set for some values of the automaton's bits; ``automaton`` numbers the world that has them."""

    automaton: int
    of: Set


@_set
class Uniform(_Hashed):
    """Where one strategy of a group, by which each member acts on what it sees, enforces ``shape`` of some operands.

    It must succeed from the state, or ``together`` from all states that the group cannot tell from it.  ``perfect`` is where the group
    enforces it with perfect information: everywhere else it cannot.  ``fair``: with fairness, the states where play counts, and the
    conditions.
    """

    group: tuple[str, ...]
    together: bool
    shape: Formula
    operands: tuple[Set, ...]
    perfect: Set
    fair: tuple[Set, ...] = ()


Set: TypeAlias = Given | Outside | Both | Either | Before | Least | Greatest | Again | Anywhere | Guessed | Uniform


def one_sided(one: Set, inside: bool) -> Set:
    """The set with what a proof of one side needs of uniform strategies.

    Where a group enforces nothing with perfect information it has no uniform strategy, so that side needs no strategies at all.
    """

    def side(of: Set) -> Set:
        return one_sided(of, inside)

    match one:
        case Uniform(_, _, _, operands, _, fair) if inside:
            others = tuple(one_sided(part, False) for part in fair)
            return replace(one, operands=tuple(map(side, operands)), fair=others)
        case Uniform():
            return side(one.perfect)
        case Outside(of):
            return Outside(one_sided(of, not inside))
        case Both(of):
            return Both(tuple(map(side, of)))
        case Either(of):
            return Either(tuple(map(side, of)))
        case Before(through, into, among):
            return Before(through, side(into), None if among is None else side(among))
        case Least(through, hold, goal):
            return Least(through, side(hold), side(goal))
        case Greatest(through, hold, goal):
            return Greatest(through, side(hold), side(goal))
        case Again(through, hold, goal, conditions):
            return Again(through, side(hold), side(goal), tuple(map(side, conditions)))
        case Anywhere(of):
            return Anywhere(side(of))
        case _:
            return one


def both(*sets: Set) -> Set:
    """The states in all of them: who looks alike is asked only of what is in the others, which are often few."""
    parts = [part for one in sets for part in (one.of if isinstance(one, Both) else (one,))]
    place = next((place for place, part in enumerate(parts) if _asks_all_alike(part)), None)
    if place is None or len(parts) == 1:
        return parts[0] if len(parts) == 1 else Both(tuple(parts))
    asked = parts.pop(place)
    return replace(asked, among=both(*parts))  # type: ignore[arg-type]


def _asks_all_alike(one: Set) -> bool:
    return isinstance(one, Before) and one.through.kind in (Kind.ALIKE, Kind.LINKED) and one.among is None


def outside(one: Set) -> Set:
    """All other states."""
    if isinstance(one, Either):
        return both(*map(outside, one.of))
    return one.of if isinstance(one, Outside) else Outside(one)
