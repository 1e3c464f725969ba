"""How far a search for the reachable states gets with a little work: what an order of the variables is worth where it matters.

The size of a relation says little about the sets that are made with it.  A few steps of the search tell much more, since sets that
are large in an order are large from the second or third step on.
"""

from __future__ import annotations

from epistrat.encoding.encode import Encoding
from epistrat.engines.symbolic.reach import reachable
from epistrat.engines.symbolic.work import Work
from epistrat.records import dataclass
from epistrat.solvers.bdd import Bdd, OutOfNodes

_CLEARLY = 1.5  # times the states, or the work that another order needs for the same states,
_BARELY = 10_000  # and more than this beyond it


class _Enough(Exception):
    """The search has had its work."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Whether all states were found, how many were, the work it took to find these, and the states themselves, if there are any."""

    complete: bool
    states: int
    work: int
    found: Bdd | None = None

    def beats(self, other: Pace) -> bool:
        """Whether this search is clearly the faster one."""
        if (self.complete, self.states) == (other.complete, other.states):
            return _CLEARLY * self.work + _BARELY < other.work
        return self.complete if self.complete != other.complete else self.states > _CLEARLY * other.states


def pace(encoding: Encoding, search: str, work: Work, most: int) -> Pace:
    """Search from the initial states, with at most so much work; to find these is no part of it."""
    algebra = encoding.algebra
    work.measure(algebra)
    try:
        with work.doing("encoding"), algebra.guard():
            initial = encoding.initial
            if not algebra.crowded():
                work.tick()  # the nodes made for it are no part of the search
    except OutOfNodes:
        return Pace(complete=False, states=0, work=0)
    begun = reached = work.budget.meter.work
    states = algebra.false

    # The relation keeps this function, so it must not keep the encoding: two large tables at a time are one too many.
    def tick() -> None:
        if algebra.crowded():
            raise _Enough  # not counted: how many nodes there are now depends on OxiDD's own thread
        work.tick()
        if work.budget.meter.work - begun > most:
            raise _Enough

    def seen(found: Bdd, _new: Bdd) -> None:
        nonlocal states, reached
        tick()
        states, reached = found, work.budget.meter.work

    encoding.relation.tick = tick
    complete = False
    try:
        with work.doing("comparing orders"), algebra.guard():
            seen(initial, initial)
            reachable(encoding.relation, initial, search, seen)
            complete = True
    except (_Enough, OutOfNodes):
        pass
    found = None if states == algebra.false else states
    return Pace(complete, encoding.count(states), reached - begun, found)
