"""Sets of states as they are defined: operations on sets, and fixpoints of them.

What a formula means is written in these few words (`epistrat.evidence.proof.meaning`), and for each of them there is one rule that
shows states to be inside, and one that shows states to be outside (`epistrat.evidence.proof.rules`).
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

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


@dataclass(frozen=True, slots=True)
class Given:
    """A set that is known: where a condition is true."""

    states: Bdd


@dataclass(frozen=True, slots=True)
class Outside:
    """All other states."""

    of: Set


@dataclass(frozen=True, slots=True)
class Both:
    """The states in all of them."""

    of: tuple[Set, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """The states in some of them."""

    of: tuple[Set, ...]


@dataclass(frozen=True, slots=True)
class Before:
    """The states from which one comes into the set."""

    through: Through
    into: Set


@dataclass(frozen=True, slots=True)
class Least:
    """The least Z with ``Z = goal or (hold and before Z)``."""

    through: Through
    hold: Set
    goal: Set


@dataclass(frozen=True, slots=True)
class Greatest:
    """The greatest Z with ``Z = goal or (hold and before Z)``."""

    through: Through
    hold: Set
    goal: Set


@dataclass(frozen=True, slots=True)
class Again:
    """The greatest Z with ``Z = goal or (hold and Z and, for each condition c, before Y)``, where
    Y is the least with ``Y = goal or (Z and c) or (Z and before Y)``: one can come to every condition again and again, or to the goal.
    """

    through: Through
    hold: Set
    goal: Set
    conditions: tuple[Set, ...]


@dataclass(frozen=True, slots=True)
class Anywhere:
    """All states if some state is in the set, else none."""

    of: Set


@dataclass(frozen=True, slots=True)
class Guessed:
    """The states that are in the set for some values of the automaton's bits; ``automaton`` numbers the world that has them."""

    automaton: int
    of: Set


@dataclass(frozen=True, slots=True)
class Uniform:
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
        case Before(through, into):
            return Before(through, side(into))
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
    """The states in all of them."""
    return sets[0] if len(sets) == 1 else Both(sets)


def outside(one: Set) -> Set:
    """All other states."""
    return one.of if isinstance(one, Outside) else Outside(one)
