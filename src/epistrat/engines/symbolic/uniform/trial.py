"""Trying one strategy: does it win from given states, and if not, which play refutes it?

The outcomes of the strategy are explored forwards from the states in question, layer by layer, so that a refutation is as short as
possible.  It ends in a state that is *lost* (no strategy at all wins from there, even if everybody saw everything), or in a cycle.

Phases.  A play *waits* until it is over.  With fairness, a play that left ``through`` too early is *violated*, and it counts only if a
fair path goes on from there.  For X the *first* state is not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from epistrat.encoding.part import variables_of
from epistrat.engines.fixpoints.fixpoint import always
from epistrat.engines.symbolic.uniform.arena import Arena, Strategy
from epistrat.engines.symbolic.uniform.objective import Objective
from epistrat.engines.symbolic.walk import PointWalks
from epistrat.model.state import State
from epistrat.records import dataclass
from epistrat.solvers.bdd import Bdd


class Phase(IntEnum):
    """How far a play has come."""

    WAITING = 0
    VIOLATED = 1
    FIRST = 2


class Node(NamedTuple):
    """A state of a play in a phase."""

    phase: Phase
    state: State


@dataclass(frozen=True, slots=True)
class Refutation:
    """A play that the strategy loses: to a lost node, or, with ``loop``, back to the node at that position for ever."""

    nodes: tuple[Node, ...]
    loop: int | None = None


@dataclass(frozen=True)
class Lost:
    """The states from which nobody wins, by phase: bounds from perfect information."""

    waiting: Bdd
    violated: Bdd


class Trial:
    """Trials of strategies for one objective."""

    def __init__(self, arena: Arena, objective: Objective, lost: Lost, fairness: Sequence[Bdd]) -> None:
        self.arena = arena
        self.objective = objective
        self._algebra = arena.algebra
        self.lost = lost
        self.fairness = tuple(fairness)
        self.waiting = arena.universe & ~objective.goal

    def refute(self, strategy: Strategy, starts: Bdd) -> list[Refutation]:
        """Plays from the given states that the strategy loses; none if it wins from all of them."""
        return _Exploration(self, strategy, starts).refutations()

    def wins(self, strategy: Strategy, within: Bdd) -> Bdd:
        """The states from which the strategy wins, right within a set that steps of the strategy do not leave."""
        algebra, objective = self._algebra, self.objective

        def pre(states: Bdd) -> Bdd:
            return self.arena.pre(states & within, strategy)

        bad = within & ~self.arena.able if not self.fairness else algebra.false
        if not self.fairness:
            ongoing = within
        else:
            ongoing = always(algebra, pre, within, self.fairness, True)
        if objective.single:
            return within & ~(pre(ongoing & ~objective.goal) | bad)
        waiting = within & ~objective.goal
        losing = (waiting & ~objective.through & ongoing) | (waiting & bad)
        if not objective.forever:
            losing = losing | always(algebra, pre, waiting & objective.through, self.fairness, True)
        new = losing
        while new != algebra.false:
            new = pre(new) & waiting & ~losing
            losing = losing | new
        return within & ~losing


class _Exploration:
    """The outcomes of one strategy from given states."""

    def __init__(self, trial: Trial, strategy: Strategy, starts: Bdd) -> None:
        self._trial = trial
        self._arena = trial.arena
        self._algebra = trial.arena.algebra
        self._starts = starts
        self._empty = self._algebra.false
        self._walk = PointWalks(self._algebra, self._pre, self._post, variables_of(self._arena.space.state_bits))
        self._strategy = strategy

    def _pre(self, states: Bdd) -> Bdd:
        return self._arena.pre(states, self._strategy)

    def _post(self, states: Bdd) -> Bdd:
        return self._arena.post(states, self._strategy)

    def refutations(self) -> list[Refutation]:
        objective, fair = self._trial.objective, self._trial.fairness
        if objective.single:
            return self._first_step()
        layers, found = self._explore(self._starts & self._trial.waiting, self._trial.lost.waiting, objective.through)
        if found:
            return [Refutation(_nodes(Phase.WAITING, way)) for way in found]
        seen = self._union(layers)
        if fair:
            violated = [layer & ~objective.through for layer in layers]
            found_later = self._after_violation(self._union(violated))
            if found_later is not None:
                way, last = found_later
                point = self._single(way[0].state)
                layer = next(k for k, states in enumerate(violated) if point & states != self._empty)
                stem = _nodes(Phase.WAITING, self._states(self._walk.trace(layers[: layer + 1], point)))
                return [Refutation((*stem, *way), None if last is None else last + len(stem))]
        if objective.forever:
            return []
        return self._endless(Phase.WAITING, layers, seen & objective.through)

    def _first_step(self) -> list[Refutation]:
        """X: the outcomes of one step."""
        trial = self._trial
        bad = self._post(self._starts) & ~trial.objective.goal
        if bad == self._empty:
            return []
        if not trial.fairness:
            ways = self._last_steps([self._starts, bad], bad)
            return [Refutation((Node(Phase.FIRST, way[0]), Node(Phase.VIOLATED, way[1]))) for way in ways]
        found = self._after_violation(bad)
        if found is None:
            return []
        way, loop = found
        before = self._walk.pick(self._pre(self._single(way[0].state)) & self._starts)
        return [Refutation((Node(Phase.FIRST, self._state(before)), *way), None if loop is None else loop + 1)]

    # -- exploring ---------------------------------------------------------------------------------------------------

    def _explore(self, starts: Bdd, lost: Bdd, through: Bdd | None) -> tuple[list[Bdd], list[list[State]]]:
        """The layers of states that plays reach while they wait; and ways to lost states, if there are any."""
        layers, seen = [starts], starts
        inside = self._arena.universe if through is None else self._trial.waiting
        while layers[-1] != self._empty:
            hit = layers[-1] & lost
            if hit != self._empty:
                return layers, self._last_steps(layers, hit)
            source = layers[-1] if through is None else layers[-1] & through
            new = self._post(source) & inside & ~seen
            seen = seen | new
            layers.append(new)
        return layers, []

    def _after_violation(self, violated: Bdd) -> tuple[tuple[Node, ...], int | None] | None:
        """From a violated state a way to a fair cycle, or to a state from which fair paths cannot be avoided."""
        if violated == self._empty:
            return None
        layers, found = self._explore(violated, self._trial.lost.violated, None)
        if found:
            return _nodes(Phase.VIOLATED, found[0]), None
        found_cycle = self._endless(Phase.VIOLATED, layers, self._union(layers))
        return (found_cycle[0].nodes, found_cycle[0].loop) if found_cycle else None

    def _last_steps(self, layers: Sequence[Bdd], hit: Bdd) -> list[list[State]]:
        """Several ways to the set in the last layer, with different views in the step before."""
        if len(layers) == 1:
            return [[self._state(self._walk.pick(hit))]]
        before = self._pre(hit) & layers[-2]
        ways: list[list[State]] = []
        while before != self._empty and len(ways) < self._arena.space.work.budget.patience.refutations:
            point = self._walk.pick(before)
            end = self._walk.pick(self._post(point) & hit)
            ways.append(self._states([*self._walk.trace(layers[:-1], point), end]))
            alike = self._algebra.true
            for situation in self._arena.situations(ways[-1][-2]):
                alike = alike & self._arena.cube(situation)
            before = before & ~alike
        return ways

    # -- cycles ------------------------------------------------------------------------------------------------------

    def _endless(self, phase: Phase, layers: Sequence[Bdd], inside: Bdd) -> list[Refutation]:
        """A way to a (fair) cycle that stays inside, if there is one."""
        fairness = self._trial.fairness
        core = always(self._algebra, self._pre, inside, fairness, True)
        if core == self._empty:
            return []
        number = next(k for k, layer in enumerate(layers) if layer & core != self._empty)
        way = self._walk.trace(layers[: number + 1], self._walk.pick(layers[number] & core))
        stem, cycle = self._walk.lasso(way, core, fairness)
        return [Refutation(_nodes(phase, self._states([*stem, *cycle])), len(stem))]

    # -- sets --------------------------------------------------------------------------------------------------------

    def _states(self, points: Sequence[Bdd]) -> list[State]:
        return [self._state(point) for point in points]

    def _state(self, point: Bdd) -> State:
        state = self._arena.space.encoding.pick(point)
        assert state is not None
        return state

    def _single(self, state: State) -> Bdd:
        return self._arena.space.encoding.singleton(state)

    def _union(self, sets: Sequence[Bdd]) -> Bdd:
        result = self._empty
        for states in sets:
            result = result | states
        return result


def _nodes(phase: Phase, states: Sequence[State]) -> tuple[Node, ...]:
    return tuple([Node(phase, state) for state in states])
