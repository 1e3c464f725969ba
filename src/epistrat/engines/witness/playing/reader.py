"""A deterministic automaton that reads single states of a space."""

from __future__ import annotations

from typing import Generic

from epistrat.engines.witness.space import S, WitnessSpace
from epistrat.logic.body import split, unsigned
from epistrat.logic.deterministic.decisions import Reads
from epistrat.logic.deterministic.parity import Parity
from epistrat.logic.formula import Finally, Formula, Globally, Not, Or, Prop
from epistrat.logic.rewrite import conjunction
from epistrat.model.state import State


class Reader(Generic[S]):
    """Reads runs for one path formula; with ``fairly`` only those count that are fair.  Its states are numbers, 0 is the first."""

    def __init__(self, space: WitnessSpace[S], path: Formula, fairly: bool = False) -> None:
        self._space = space
        body = split(path, unsigned)
        fair = {Prop(f"fair {number}"): where for number, where in enumerate(space.fairness if fairly else ())}
        goal = body.formula
        if fair:
            goal = Or((Not(conjunction([Globally(Finally(leaf)) for leaf in fair])), goal))
        self._machine = Parity(goal)
        self._leaves: dict[Prop, S] = {**fair, **{leaf: space.satisfying(part) for leaf, part in body.leaves.items()}}
        self._known: dict[tuple[int, State], tuple[int, int]] = {}
        self._values: dict[State, dict[Prop, bool]] = {}

    def read(self, memory: int, state: State) -> tuple[int, int]:
        """Where reading a state leads, and the priority of that."""
        key = memory, state
        if key not in self._known:
            values = self._values.setdefault(state, {})
            tree = self._machine.read(memory)
            while isinstance(tree, Reads):
                if tree.leaf not in values:
                    values[tree.leaf] = self._space.has(self._leaves[tree.leaf], state)
                tree = tree.yes if values[tree.leaf] else tree.no
            self._known[key] = tree.outcome
        return self._known[key]
