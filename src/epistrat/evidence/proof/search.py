"""The reachable states, on the checker's own encoding: searched again, or taken from a hint that is shown to contain them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from epistrat.evidence.proof.bits import Slot, Space
from epistrat.evidence.proof.relation import Relation
from epistrat.records import dataclass
from epistrat.solvers.bdd import Bdd

Node: TypeAlias = tuple[Slot, int, int, int]
"""A slot, the place of a bit in it, and what is meant where the bit is set and where it is not: 1 true, -1 false, n + 2 the node number n,
negative: its negation."""

_NODES_BETWEEN_TICKS = 1_000


@dataclass(frozen=True, slots=True)
class Circuit:
    """A set of states as nodes, each if-then-else over earlier ones; ``root`` as in `Node`."""

    nodes: tuple[Node, ...]
    root: int


def read(circuit: Circuit, space: Space) -> Bdd:
    """The set that a circuit stands for."""
    algebra = space.algebra
    made: list[Bdd] = [algebra.true]

    def at(reference: int) -> Bdd:
        return made[reference - 1] if reference > 0 else ~made[-reference - 1]

    for number, (slot, place, then, otherwise) in enumerate(circuit.nodes):
        if number % _NODES_BETWEEN_TICKS == 0:
            space.tick()
        made.append(algebra.ite(algebra.var[space.now[slot][place]], at(then), at(otherwise)))
    return at(circuit.root)


def of_states(space: Space, slots: Sequence[Slot], states: Sequence[Sequence[int]]) -> Bdd:
    """The set of some states, each given as the numbers of its values."""
    cubes = [
        space.conjunction(space.code(space.now[slot], code) for slot, code in zip(slots, row, strict=True))
        for row in states
    ]
    while len(cubes) > 1:
        cubes = [space.disjunction(cubes[place : place + 2]) for place in range(0, len(cubes), 2)]
    return cubes[0] if cubes else space.algebra.false


def search(relation: Relation, initial: Bdd, tick: Callable[[], object]) -> Bdd:
    """All states that steps lead to from the initial ones.

    One way to step after the other, each on all states found so far; with a single way on those found last.
    """
    algebra = relation.space.algebra
    found = fresh = initial
    while fresh != algebra.false:
        tick()
        before = found
        for way in relation.ways:
            found = found | way.after(fresh if len(relation.ways) == 1 else found)
        fresh = found & ~before
    return found
