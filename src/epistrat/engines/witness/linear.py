"""Paths that satisfy a path formula: the product of a space with the formula's automaton.

A point of the product is a state together with the transition by which the automaton reads it; a step leads to a state that one of the
transitions from where this one leads can read.  A path is accepted if it is fair to each acceptance set of the automaton.  Sets have one
set of states per transition, so that nothing is enumerated but transitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count
from typing import Generic, TypeAlias

from epistrat.encoding.lazily import lazy
from epistrat.engines.witness.paths import Paths, Walk
from epistrat.engines.witness.space import Graph, S, WitnessSpace
from epistrat.evidence import Lasso
from epistrat.logic import formula as logic
from epistrat.logic.automaton import NOW, automaton, moment
from epistrat.logic.connect import Booleans, connect
from epistrat.logic.formula import Formula
from epistrat.model.state import Joint, State

Point: TypeAlias = tuple[State, int]
MOST_TRANSITIONS = 400
"""Of an automaton whose runs are shown: more sets of states than that take long."""
_MOST_TICKS = 20_000  # of its construction


class TooLarge(Exception):
    """The automaton of the formula has too many transitions."""


class RunProduct(Graph[Point, tuple[S, ...]], Generic[S]):
    """The product of a space with the automaton of a path formula; a set has one set of states per transition.

    With ``at`` the formula is asked at some moment when the state is in that set, otherwise at time 0.
    """

    def __init__(self, space: WitnessSpace[S], formula: Formula, at: S | None = None) -> None:
        ticks = count(1)

        def tick() -> None:
            if next(ticks) > _MOST_TICKS:
                raise TooLarge

        self._space = space
        machine = automaton(formula if at is None else moment(formula), tick=tick)
        if len(machine.transitions) > MOST_TRANSITIONS:
            raise TooLarge
        self._machine = machine
        self._leaving: list[list[int]] = [[] for _ in range(machine.states)]
        for number, transition in enumerate(machine.transitions):
            self._leaving[transition.source].append(number)
        for leaving in self._leaving:  # those in many acceptance sets first: runs become shorter
            leaving.sort(key=lambda number: -len(machine.transitions[number].sets))
        self._empty = space.minus(space.worlds, space.worlds)
        own = [tuple(goal for _ in machine.transitions) for goal in space.fairness]
        self.fairness = own + [  # and the acceptance sets
            tuple(space.worlds if number in one.sets else self._empty for one in machine.transitions)
            for number in range(machine.acceptance)
        ]
        self._reads = tuple(self._read(transition.literals, at) for transition in machine.transitions)

    def _read(self, literals: Iterable[tuple[Formula, bool]], at: S | None) -> S:
        """The states in which all the literals are true."""
        space, found = self._space, self._space.worlds
        for atom, value in literals:
            states = at if at is not None and atom == NOW else space.satisfying(atom)
            found = space.meet(found, states) if value else space.minus(found, states)
        return found

    # The graph

    def meet(self, one: tuple[S, ...], other: tuple[S, ...]) -> tuple[S, ...]:
        """The points in both sets."""
        return tuple(map(self._space.meet, one, other))

    def join(self, one: tuple[S, ...], other: tuple[S, ...]) -> tuple[S, ...]:
        """The points in one of the sets."""
        return tuple(map(self._space.join, one, other))

    def minus(self, one: tuple[S, ...], other: tuple[S, ...]) -> tuple[S, ...]:
        """The points in the first set only."""
        return tuple(map(self._space.minus, one, other))

    def is_empty(self, points: tuple[S, ...]) -> bool:
        """Whether the set has no points."""
        return all(map(self._space.is_empty, points))

    def has(self, points: tuple[S, ...], point: Point) -> bool:
        """Whether the point is in the set."""
        return self._space.has(points[point[1]], point[0])

    def only(self, point: Point) -> tuple[S, ...]:
        """The set of this point alone."""
        single = self._space.only(point[0])
        return tuple(single if number == point[1] else self._empty for number in range(len(self._reads)))

    def before(self, points: tuple[S, ...]) -> tuple[S, ...]:
        """The points with a step into the set."""
        space, found = self._space, []
        for leaving in self._leaving:
            arrivals = fold(space.join, [self._empty, *(points[number] for number in leaving)])
            found.append(self._empty if space.is_empty(arrivals) else space.before(arrivals))
        targets = [transition.target for transition in self._machine.transitions]
        return tuple(space.meet(reads, found[target]) for reads, target in zip(self._reads, targets, strict=True))

    def step(self, point: Point, into: tuple[S, ...]) -> tuple[Joint, Point] | None:
        """A step from the point into the set."""
        for number in self._leaving[self._machine.transitions[point[1]].target]:
            found = self._space.step(point[0], into[number])
            if found is not None:
                return found[0], (found[1], number)
        return None

    # What is asked of it

    @lazy
    def accepted(self) -> tuple[S, ...]:
        """The points from which a path is accepted."""
        return Paths(self).fair_set(self._reads)

    @lazy
    def first(self) -> tuple[S, ...]:
        """Those of them that can be the first of a run."""
        transitions = self._machine.transitions
        return tuple(
            states if one.source == 0 else self._empty for states, one in zip(self.accepted, transitions, strict=True)
        )

    def starts(self) -> S:
        """The states from which, taken as time 0, a path satisfies the formula."""
        return fold(self._space.join, [self._empty, *self.first])

    def lasso_from(self, state: State) -> Lasso | None:
        """A fair lasso from the state, taken as time 0, that satisfies the formula."""
        for number, states in enumerate(self.first):
            if self._space.has(states, state):
                return self._lasso(Walk(((state, number),)))
        return None

    def run_to_moment(self) -> tuple[Lasso, int] | None:
        """A run from an initial state, and the moment at which the formula is asked and holds."""
        space, transitions = self._space, self._machine.transitions
        target = tuple(
            states if (NOW, True) in one.literals else self._empty
            for states, one in zip(self.accepted, transitions, strict=True)
        )
        starts = tuple(space.meet(states, space.initial) for states in self.first)
        near = (self.meet(ring, starts) for ring in self.rings(target, self.accepted))
        found = next((begin for begin in near if not self.is_empty(begin)), None)
        if found is None:
            return None
        number = next(number for number, states in enumerate(found) if not space.is_empty(states))
        way = Paths(self).route((space.pick(found[number]), number), self.accepted, target)
        if way is None:
            raise AssertionError("the layers promised a way that does not exist")
        return self._lasso(way), len(way.points) - 1

    def _lasso(self, way: Walk[Point]) -> Lasso:
        circle = Paths(self).circle(way.last, self.accepted)
        shift = len(way.points) - 1
        states = tuple(state for state, _ in way.points[:-1] + circle.points)
        return _shortened(Lasso(states, way.actions + circle.actions, circle.loop + shift), shift + 1)


def _shortened(lasso: Lasso, least: int) -> Lasso:
    """The same run, written with fewer states but at least so many: points that differ in the automaton only may be one state."""
    steps, loop = list(zip(lasso.states, lasso.actions, strict=True)), lasso.loop
    for period in range(1, len(steps) - loop):
        repeats = (len(steps) - loop) % period == 0 and steps[loop:-period] == steps[loop + period :]
        if repeats and loop + period >= least:
            del steps[loop + period :]
            break
    while loop and len(steps) > least and steps[loop - 1] == steps[-1]:
        del steps[-1]
        loop -= 1
    return Lasso(tuple(state for state, _ in steps), tuple(action for _, action in steps), loop)


def combined(space: WitnessSpace[S], formula: logic.Connective, parts: list[S]) -> S:
    """The states where a connective holds, from those where its operands hold."""

    def differ(one: S, other: S) -> S:
        return space.minus(space.join(one, other), space.meet(one, other))

    of = Booleans(partial(space.minus, space.worlds), partial(fold, space.meet), partial(fold, space.join), differ)
    return connect(formula, parts, of)


def fold(merge: Callable[[S, S], S], parts: Sequence[S]) -> S:
    """The sets merged one by one."""
    result = parts[0]
    for part in parts[1:]:
        result = merge(result, part)
    return result
