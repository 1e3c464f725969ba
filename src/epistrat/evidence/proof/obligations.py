"""Obligations: closed questions about sets of states, each with what it means in words, decided by diagrams.

There are a few kinds.  Where one fails the proof fails, and there is a bug: in the engine that answered, in who made the proof, or here.
"""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from epistrat.evidence.proof.sets import Kind, Through
from epistrat.records import dataclass, field
from epistrat.solvers.bdd import Algebra, Bdd


class Asks(Enum):
    """What an obligation asks of its first set."""

    INSIDE = "every state of the first set is in the second"
    EVERY = "from every state of the first set one comes into the second"
    NONE = "from no state of the first set one comes into the second"
    SOME = "the first set has a state"
    CLOSED = "no step leaves the first set"
    LEADS = "every step from the first set leads into the second"


class Sets(Protocol):
    """The world an obligation is about."""

    algebra: Algebra
    found: Bdd

    def through(self, through: Through, states: Bdd, among: Bdd) -> Bdd:
        """From which found states, of those among them, one comes into the states."""

    def after(self, states: Bdd) -> Bdd:
        """Where steps from the states lead to."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """One question.  ``claim`` is the set of states that it is part of a proof about, ``meaning`` the question in words."""

    claim: str
    meaning: str
    asks: Asks
    world: Sets = field(repr=False, compare=False)
    sets: tuple[Bdd, ...] = field(repr=False)
    through: Through | None = None

    def holds(self) -> bool:
        """The answer, by diagrams."""
        world, sets = self.world, self.sets
        match self.asks:
            case Asks.INSIDE:
                return world.algebra.implies(sets[0], sets[1])
            case Asks.SOME:
                return bool(sets[0] != world.algebra.false)
            case Asks.CLOSED:
                return world.algebra.implies(world.after(sets[0]), sets[0])
            case Asks.LEADS:
                return world.algebra.implies(world.after(sets[0]), sets[1])
            case Asks.EVERY:
                return world.algebra.implies(sets[0], world.through(self._through, sets[1], sets[0]))
            case Asks.NONE:
                return bool(sets[0] & world.through(self._through, sets[1], sets[0]) == world.algebra.false)

    @property
    def _through(self) -> Through:
        assert self.through is not None
        return self.through

    @property
    def closed(self) -> bool:
        """Whether it is a question about single states and steps, without a choice to be found for each state."""
        if self.asks in (Asks.EVERY, Asks.NONE):
            kind = self._through.kind
            return self.asks is Asks.NONE and kind not in (Kind.ENFORCED, Kind.ANSWERED)
        return True


class Refuted(Exception):
    """An obligation does not hold: the verdict, the proof or the checker is wrong."""

    def __init__(self, obligation: Obligation) -> None:
        super().__init__(f"{obligation.claim}: {obligation.meaning}")
        self.obligation = obligation


class Ledger:
    """The obligations of one proof, each decided as it is written down."""

    def __init__(self, keep: bool = False) -> None:
        self._keep = keep
        self.count = 0
        self.kept: list[Obligation] = []

    def enter(self, obligation: Obligation) -> None:
        """Decide one more; raises `Refuted`."""
        self.count += 1
        if not obligation.holds():
            raise Refuted(obligation)
        if self._keep:
            self.kept.append(obligation)
