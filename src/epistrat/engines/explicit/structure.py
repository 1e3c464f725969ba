"""What formulae are evaluated on: explored states with their propositions, views, edges and choices.

A `Structure` computes each of these when it is first asked for, so a formula pays for what it needs: an invariant needs no edges, a
formula without knowledge no views.  `Explored` is the plain case; `epistrat.engines.explicit.history` adds the past.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np

from epistrat.engines.explicit import graph as graphs
from epistrat.engines.explicit.conditions import VectorConditions
from epistrat.engines.explicit.edges import Edges, Ids, Rows
from epistrat.engines.explicit.explore import Explorer, Successors
from epistrat.engines.explicit.graph import Graph
from epistrat.engines.explicit.layout import Layout, Mask, Numbers
from epistrat.engines.explicit.scope import Scope
from epistrat.engines.explicit.store import States
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr

_BLOCK = 1 << 18  # states looked at together


class Structure(Protocol):
    """Nodes 0 .. count-1; each stands for a state."""

    @property
    def system(self) -> System:
        """Whose states these are."""

    @property
    def budget(self) -> Budget:
        """What may still be spent."""

    @property
    def count(self) -> int:
        """How many nodes there are."""

    @property
    def initial(self) -> Ids:
        """The nodes where runs start."""

    @property
    def graph(self) -> Graph:
        """The steps between nodes."""

    @property
    def dead_ends(self) -> bool:
        """Whether some node has no step."""

    def holds(self, condition: Expr) -> Mask:
        """Where a condition is true."""

    def views(self, positions: tuple[int, ...]) -> Numbers:
        """Equal numbers for states in which the variables at these positions have equal values."""

    def state(self, node: int) -> State:
        """The state a node stands for."""


class Explored:
    """All states that exploration found; or, with ``known``, those it found so far."""

    def __init__(
        self,
        layout: Layout,
        explorer: Explorer,
        successors: Successors,
        budget: Budget,
        known: States | None = None,
    ) -> None:
        self._some = known
        self.system = layout.system
        self.layout, self.explorer, self.successors = layout, explorer, successors
        self.budget = budget
        self._conditions = VectorConditions(layout)
        self._views: dict[tuple[int, ...], Numbers] = {}

    @cached_property
    def states(self) -> States:
        """The states in the order of their ids."""
        return self._some if self._some is not None else self.explorer.states()

    @property
    def count(self) -> int:
        """How many states there are."""
        return len(self.states)

    @cached_property
    def initial(self) -> Ids:
        """The ids of the initial states."""
        return self.states.find(self.explorer.initial).astype(np.int32)

    @property
    def dead_ends(self) -> bool:
        """Whether formulae see a state without successor: an interleaved one repeats itself instead."""
        return self.explorer.dead_ends > 0 and not self.system.interleaved

    @cached_property
    def graph(self) -> Graph:
        """The steps between states; an interleaved dead end repeats itself."""
        return self._connected(labelled=False)

    @property
    def steps(self) -> Rows:
        """The edges of the graph with labels that tell who does what; see `epistrat.engines.explicit.explore.Piece`."""
        if "graph" not in self.__dict__ or self.graph.forward.labels is None:
            self.graph = self._connected(labelled=True)
        return self.graph.forward

    def _connected(self, labelled: bool) -> Graph:
        edges = self.explorer.edges
        if edges is None or edges.labelled < labelled:
            edges = Edges(self.system.interleaved, labelled)
        return graphs.build(self.states, self.successors, edges, self.initial, self.budget)

    def holds(self, condition: Expr) -> Mask:
        """Where a condition is true."""
        result = np.empty(self.count, dtype=np.bool_)
        block = self.budget.patience.block(_BLOCK)
        for start in range(0, self.count, block):
            self.budget.check()
            part = self.states.block[start : start + block]
            result[start : start + block] = self._conditions.holds(condition, part)
        return result

    def views(self, positions: tuple[int, ...]) -> Numbers:
        """Numbers of the combined values at these positions."""
        found = self._views.get(positions)
        if found is None:
            found = self._views[positions] = self._number(positions)
        return found

    def _number(self, positions: Sequence[int]) -> Numbers:
        scope = Scope(self.layout, positions)
        result = np.empty(self.count, dtype=np.int32)
        block = self.budget.patience.block(_BLOCK)
        for start in range(0, self.count, block):
            self.budget.check()
            result[start : start + block] = scope.numbers(self.states.block[start : start + block])
        return result

    def state(self, node: int) -> State:
        """The state with this id."""
        return self.layout.unpack(self.layout.integers(self.states.block[node : node + 1])[0])
