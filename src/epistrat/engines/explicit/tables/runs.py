"""Runs that strategies leave: for each state the strategies under which some run from it satisfies a path formula.

An edge has the condition that the strategies take it.  A run that satisfies the formula is one that an automaton accepts; the search for
it is that for a fair path, where fair means meeting each acceptance set, and each constraint, again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.tables.decisions import Decisions, Strategy, Vector
from epistrat.engines.explicit.tables.plays import Plays
from epistrat.logic.automaton import Automaton, automaton
from epistrat.logic.formula import Formula, Prop
from epistrat.solvers.bdd import Bdd


class Edges:
    """The steps that are left when some agents follow strategies and all others do anything."""

    def __init__(
        self, plays: Plays, decisions: Decisions, following: Mapping[str, Strategy], worlds: Mask | None = None
    ) -> None:
        self._decisions = decisions
        self._steps: list[list[tuple[int, Bdd]]] = []
        false = decisions.algebra.false
        for node in range(plays.count):
            plays.structure.budget.check()
            found: dict[int, Bdd] = {}
            entries = [strategy.options[node] for strategy in following.values()]
            for taken in product(*entries) if worlds is None or worlds[node] else ():
                condition = decisions.algebra.true
                for _, one in taken:
                    condition = condition & one
                if condition != false:
                    chosen = dict(zip(following, (act for act, _ in taken), strict=True))
                    for target in plays.targets(node, chosen):
                        if worlds is None or worlds[target]:
                            found[target] = found.get(target, false) | condition
            self._steps.append(list(found.items()))

    def before(self, goal: Vector) -> Vector:
        """Where some step leads into the goal."""
        false = self._decisions.algebra.false
        found: list[Bdd] = []
        for steps in self._steps:
            value = false
            for target, condition in steps:
                value = value | (condition & goal[target])
            found.append(value)
        return self._decisions.vector(found)


class Runs:
    """Runs along some edges; ``constraints`` hold again and again on those that count."""

    def __init__(
        self, edges: Edges, decisions: Decisions, constraints: Sequence[Mask], tick: Callable[[], None]
    ) -> None:
        self._edges, self._decisions, self._tick = edges, decisions, tick
        self._constraints = [decisions.of_mask(where) for where in constraints]

    def some(self, path: Formula, holds: Callable[[Prop], Vector]) -> Vector:
        """Where some run satisfies a path formula over leaves."""
        machine = automaton(path, lambda part: isinstance(part, Prop), self._tick)
        return _Search(machine, self._edges, self._decisions, self._constraints, holds, self._tick).accepted()


class _Search:
    def __init__(
        self,
        machine: Automaton,
        edges: Edges,
        decisions: Decisions,
        constraints: list[Vector],
        holds: Callable[[Prop], Vector],
        tick: Callable[[], None],
    ) -> None:
        self._machine, self._edges, self._decisions, self._tick = machine, edges, decisions, tick
        self._constraints = constraints
        self._reads: list[Vector] = []
        for one in machine.transitions:
            where = decisions.true
            for atom, value in one.literals:
                assert isinstance(atom, Prop)
                leaf = holds(atom)
                where = where & (leaf if value else ~leaf)
            self._reads.append(where)

    def accepted(self) -> Vector:
        """Where an accepted run begins in the first state of the automaton."""
        alive = [self._decisions.true] * self._machine.states
        while True:
            before = alive
            for number in range(self._machine.acceptance):
                alive = self._leading(self._step(alive, number), alive)
            for constraint in self._constraints:
                alive = self._leading(self._step([one & constraint for one in alive], None), alive)
            if not self._machine.acceptance and not self._constraints:
                alive = self._meet(self._step(alive, None), alive)
            if all(map(self._decisions.same, alive, before)):
                return alive[0]

    def _leading(self, goal: list[Vector], within: list[Vector]) -> list[Vector]:
        """Where steps through ``within`` lead to the goal, or none are needed."""
        found = self._meet(goal, within)
        while True:
            self._tick()
            more = self._meet([one | two for one, two in zip(found, self._step(found, None), strict=True)], within)
            if all(map(self._decisions.same, more, found)):
                return found
            found = more

    def _meet(self, some: list[Vector], within: list[Vector]) -> list[Vector]:
        return [one & two for one, two in zip(some, within, strict=True)]

    def _step(self, goal: list[Vector], accepting: int | None) -> list[Vector]:
        """Where some step of the product, in this acceptance set if one is given, leads into the goal."""
        before = [self._edges.before(one) for one in goal]
        found = [self._decisions.false] * self._machine.states
        for one, reads in zip(self._machine.transitions, self._reads, strict=True):
            if accepting is None or accepting in one.sets:
                found[one.source] = found[one.source] | (reads & before[one.target])
        return found
