"""Strategies as variables of a decision diagram.

A strategy without memory does the same in all states of a *situation*: in each state alone, or in states that some agent that follows it
cannot tell apart, chains included.  What it does there is coded in a few variables; codes that are left over mean the last option.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.tables.plays import Plays
from epistrat.logic.formula import Tag
from epistrat.model.state import Act
from epistrat.records import dataclass, field
from epistrat.solvers.bdd import Algebra, Bdd, open_algebra

Vector: TypeAlias = NDArray[Any]
"""For each state a diagram over decisions: under which strategies something holds there."""
FEW_NODES, NODES = 1 << 18, 1 << 23
"""A large table takes a while to be made, and most questions need a small one."""


@dataclass
class Strategy:
    """A strategy that is not fixed: for each state its options, each with the condition that it is taken.

    ``exists`` is False where agents have nothing in common somewhere.
    """

    exists: bool
    options: list[tuple[tuple[Act | None, Bdd], ...]]
    variables: list[int] = field(default_factory=list)


class Decisions:
    """The diagrams of one system, and the strategies that were asked for."""

    def __init__(self, plays: Plays, nodes: int) -> None:
        self._plays = plays
        self.algebra: Algebra = open_algebra(0, nodes=nodes, cache=nodes >> 2)
        self._known: dict[object, Strategy] = {}
        self.true, self.false = self.constant(True), self.constant(False)

    def constant(self, value: bool) -> Vector:
        """The same everywhere, whatever strategies do."""
        return self.vector([self.algebra.true if value else self.algebra.false] * self._plays.count)

    def vector(self, diagrams: Sequence[Bdd]) -> Vector:
        """One diagram for each state."""
        found = np.empty(len(diagrams), dtype=object)
        found[:] = diagrams
        return found

    def of_mask(self, mask: NDArray[np.bool_]) -> Vector:
        """What does not depend on strategies."""
        return np.where(mask, self.true, self.false)

    def mask(self, vector: Vector) -> NDArray[np.bool_]:
        """Where something holds that depends on no strategy any more."""
        true = self.algebra.true
        return np.fromiter((one == true for one in vector), dtype=np.bool_, count=len(vector))

    def same(self, one: Vector, other: Vector) -> bool:
        """Whether two vectors are equal."""
        return all(a == b for a, b in zip(one, other, strict=True))

    def strategy(self, key: object, agents: tuple[str, ...], tag: Tag) -> Strategy:
        """The strategy called ``key``, which these agents follow."""
        if key not in self._known:
            self.prepare([(key, agents, tag)])
        return self._known[key]

    def replace(self, key: object, strategy: Strategy) -> None:
        """From now on the strategy called ``key`` is this one."""
        self._known[key] = strategy

    def prepare(self, asked: Sequence[tuple[object, tuple[str, ...], Tag]]) -> None:
        """Makes strategies whose variables stand together: those of what is done in one state, then those of the next state.

        A run then tests them in about their order.
        """
        true = self.algebra.true
        made: list[Strategy] = []
        pending: list[tuple[int, int, list[int], list[Act | None]]] = []
        for key, agents, tag in asked:
            if key in self._known:
                continue
            one = self._known[key] = Strategy(True, [((None, true),)] * self._plays.count)
            for nodes in self.situations(agents, tag):
                acts = self.offered(agents, nodes)
                one.exists &= bool(acts)
                pending.append((min(nodes), len(made), nodes, acts))
            made.append(one)
        for _, number, nodes, acts in sorted(pending, key=lambda some: some[:2]):
            entry = tuple(zip(acts, self._coded(len(acts), made[number]), strict=True)) if acts else ()
            for node in nodes:
                made[number].options[node] = entry

    def some(self, strategy: Strategy, vector: Vector) -> Vector:
        """Where it holds for some choice of the strategy."""
        if not strategy.exists:
            return self.false
        if not strategy.variables:
            return vector
        cube = self.algebra.cube(strategy.variables)
        known: dict[Bdd, Bdd] = {}
        for one in vector:
            if one not in known:
                self._plays.structure.budget.check()
                known[one] = self.algebra.exists(one, cube)
        return self.vector([known[one] for one in vector])

    def every(self, strategy: Strategy, vector: Vector) -> Vector:
        """Where it holds for every choice of the strategy."""
        return ~self.some(strategy, ~vector)

    def _coded(self, count: int, made: Strategy) -> list[Bdd]:
        """Conditions for so many options, exactly one of which is true."""
        algebra = self.algebra
        bits = list(algebra.grow((count - 1).bit_length()))
        made.variables += bits
        conditions: list[Bdd] = []
        rest = algebra.true
        for code in range(count - 1):
            one = algebra.true
            for place, bit in enumerate(bits):
                one = one & (algebra.var[bit] if code >> place & 1 else ~algebra.var[bit])
            conditions.append(one)
            rest = rest & ~one
        return [*conditions, rest]

    def offered(self, agents: tuple[str, ...], nodes: list[int]) -> list[Act | None]:
        """What all agents can do in all these states; who has nothing to choose does not matter."""
        offered = [self._plays.options(agent, node) for node in nodes for agent in agents]
        choices = [some for some in offered if some != (None,)]
        if not choices:
            return [None]
        return [act for act in choices[0] if all(act in other for other in choices)]

    def situations(self, agents: tuple[str, ...], tag: Tag) -> list[list[int]]:
        """The states in which these agents, following one strategy, do the same."""
        if tag is not Tag.VIEWS or not agents:
            return [[node] for node in range(self._plays.count)]
        system, structure = self._plays.system, self._plays.structure
        first = list(range(self._plays.count))

        def root(node: int) -> int:
            while first[node] != node:
                first[node] = node = first[first[node]]
            return node

        for agent in agents:
            seen: dict[int, int] = {}
            for node, view in enumerate(structure.views(system.views[agent]).tolist()):
                first[root(node)] = root(seen.setdefault(view, node))
        classes: dict[int, list[int]] = {}
        for node in range(self._plays.count):
            classes.setdefault(root(node), []).append(node)
        return list(classes.values())
