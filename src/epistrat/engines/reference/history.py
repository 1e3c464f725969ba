"""Quantifiers that look back: unfolding the graph until each node remembers what such a quantifier needs.

``(r, n) |= E f`` for f with past operators iff some run r' that agrees with r up to n has ``(r', n) |= f``.  So E f depends on the
way to the present, but only through the atoms of f's tableau that are possible at its end.  Which atoms these are is a function of
the previous set and the new state: a deterministic monitor.  In the product with it, E f depends on the node alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epistrat.engines.reference.graph import Graph, World
from epistrat.engines.reference.paths import first_atoms
from epistrat.engines.reference.tableau import Atom, Tableau
from epistrat.records import dataclass
from epistrat.solvers.budget import Budget

Atoms = frozenset[Atom]


@dataclass(frozen=True)
class Unfolded:
    """The unfolded graph, and at each of its nodes the atoms that are possible after the node's history."""

    graph: Graph
    atoms: Mapping[int, Atoms]


class _Monitor:
    """The sets of possible atoms, and how they follow one another; each distinct step is computed once."""

    def __init__(self, tableau: Tableau, leaves: Sequence[int]) -> None:
        self.tableau = tableau
        self._leaves = leaves
        self._steps: dict[tuple[Atoms, int, int], Atoms] = {}
        self.first = frozenset(first_atoms(tableau))

    def step(self, atoms: Atoms, node: int, child: int) -> Atoms:
        """The atoms possible at the child, given those possible at the node before it."""
        here, there = self._leaves[node], self._leaves[child]
        key = (atoms, here, there)
        found = self._steps.get(key)
        if found is None:
            found = self._steps[key] = frozenset(
                Atom(guess, memory)
                for atom in atoms
                for memory in (self.tableau.truth(here, atom.guess, atom.memory).remembers,)
                for guess in self.tableau.continuations(there, memory, atom.guess)
            )
        return found


def unfold(world: World, tableau: Tableau, leaves: Sequence[int], budget: Budget) -> Unfolded:
    """The product of the graph with the monitor of the tableau."""
    monitor = _Monitor(tableau, leaves)
    graph = world.graph
    number: dict[tuple[int, Atoms], int] = {}
    pairs: list[tuple[int, Atoms]] = []

    def add(pair: tuple[int, Atoms]) -> int:
        found = number.get(pair)
        if found is None:
            found = number[pair] = len(pairs)
            pairs.append(pair)
        return found

    initial = [add((node, monitor.first)) for node in graph.initial]
    child: list[dict[int, int]] = []
    while len(child) < len(pairs):
        if len(child) % 1024 == 0:
            budget.check()
        node, atoms = pairs[len(child)]
        child.append({state: add((old, monitor.step(atoms, node, old))) for state, old in graph.child[node].items()})
    unfolded = Graph([graph.state[node] for node, _ in pairs], child, initial, [node for node, _ in pairs])
    return Unfolded(unfolded, dict(enumerate(atoms for _, atoms in pairs)))
