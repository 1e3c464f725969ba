"""Paths that satisfy a path formula: the product of a space with what the formula still asks for.

A point of the product is a state together with *promises*: for each elementary subformula (``X f``, ``X`` of an until, and the past
twins ``Y f``, ``Y`` of a since) whether it holds there.  Promises and state decide the truth of every subformula at the point; a step is
allowed if the promises about the next (and the previous) point are kept; a path keeps its untils if it is fair to each of them.  This
is the textbook tableau, with one set of states per vector of promises, so that nothing is enumerated but the vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Generic, TypeAlias

from epistrat.encoding.lazily import lazy
from epistrat.engines.witness.paths import Paths, Walk
from epistrat.engines.witness.space import Graph, S, WitnessSpace
from epistrat.evidence import Lasso
from epistrat.logic import formula as logic
from epistrat.logic.connect import Booleans, connect
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.logic.rewrite import with_operands
from epistrat.model.state import Joint, State

Promises: TypeAlias = tuple[bool, ...]
Point: TypeAlias = tuple[State, Promises]
MOST_PROMISES = 8  # temporal operators of a path formula: 2^8 sets of states


class TooManyPromises(Exception):
    """The formula has more elementary subformulae than vectors of promises can be listed for."""


def core(formula: Formula) -> Formula:
    """The same path formula with X, U, Y, S and connectives as its only operators above state formulae."""
    if is_state(formula):
        return formula
    match formula:
        case logic.Finally(arg):
            return logic.Until(logic.Truth(True), core(arg))
        case logic.Globally(arg):
            return logic.Not(logic.Until(logic.Truth(True), logic.Not(core(arg))))
        case logic.WeakUntil(left, right):
            return core(logic.Release(right, logic.Or((left, right))))
        case logic.Release(left, right):
            return logic.Not(logic.Until(logic.Not(core(left)), logic.Not(core(right))))
        case logic.Once(arg):
            return logic.Since(logic.Truth(True), core(arg))
        case logic.Historically(arg):
            return logic.Not(logic.Since(logic.Truth(True), logic.Not(core(arg))))
        case _:
            return with_operands(formula, tuple(core(operand) for operand in operands(formula)))


def _temporal(formula: Formula, kinds: tuple[type, ...]) -> Iterator[Formula]:
    """The subformulae of these kinds that stand outside state formulae."""
    pending = [formula]
    seen: set[Formula] = set()
    while pending:
        current = pending.pop()
        if current in seen or is_state(current):
            continue
        seen.add(current)
        if isinstance(current, kinds):
            yield current
        pending.extend(operands(current))


class PromiseTableau(Graph[Point, tuple[S, ...]], Generic[S]):
    """The product of a space with the promises of one path formula.  A set has one set of states per vector of promises."""

    def __init__(self, space: WitnessSpace[S], formula: Formula) -> None:
        self._space = space
        self.formula = core(formula)
        order = {part: number for number, part in enumerate(subformulae(self.formula))}
        ahead = sorted(_temporal(self.formula, (logic.Next, logic.Until)), key=order.__getitem__)
        behind = sorted(_temporal(self.formula, (logic.Yesterday, logic.Since)), key=order.__getitem__)
        self._ahead: tuple[Formula, ...] = tuple(ahead)
        self._behind: tuple[Formula, ...] = tuple(behind)
        if len(ahead) + len(behind) > MOST_PROMISES:
            raise TooManyPromises
        self.vectors: tuple[Promises, ...] = tuple(product((False, True), repeat=len(ahead) + len(behind)))
        self._place = {vector: index for index, vector in enumerate(self.vectors)}
        self._empty = space.minus(space.worlds, space.worlds)
        self._truth: dict[tuple[Formula, int], S] = {}
        self._kept: dict[tuple[int, int], S] = {}

    # The truth of subformulae

    def holds(self, formula: Formula, index: int) -> S:
        """The states where, under the promises of that number, a subformula holds."""
        found = self._truth.get((formula, index))
        if found is None:
            found = self._truth[formula, index] = self._compute(formula, index)
        return found

    def _compute(self, formula: Formula, index: int) -> S:
        space = self._space
        if is_state(formula):
            return space.satisfying(formula)
        parts = (
            []
            if isinstance(formula, (logic.Next, logic.Yesterday))
            else [self.holds(part, index) for part in operands(formula)]
        )
        match formula:
            case logic.Next() | logic.Yesterday():
                return self._promised(formula, index)
            case logic.Until() | logic.Since():
                return space.join(parts[1], space.meet(parts[0], self._promised(formula, index)))
            case _:
                assert isinstance(formula, logic.CONNECTIVES)
                return combined(space, formula, parts)

    def _without(self, states: S) -> S:
        return self._space.minus(self._space.worlds, states)

    def _promised(self, formula: Formula, index: int) -> S:
        place = (self._ahead + self._behind).index(formula)
        return self._space.worlds if self.vectors[index][place] else self._empty

    def _body(self, formula: Formula, index: int) -> S:
        """Where that what is promised for the next (previous) point holds."""
        return self.holds(formula.arg if isinstance(formula, (logic.Next, logic.Yesterday)) else formula, index)

    def _is(self, formulae: tuple[Formula, ...], index: int, wanted: Sequence[bool]) -> S:
        result = self._space.worlds
        for formula, value in zip(formulae, wanted, strict=True):
            body = self._body(formula, index)
            result = self._space.meet(result, body) if value else self._space.minus(result, body)
        return result

    def _arrivals(self, source: int, target: int) -> S:
        """The states that a step may lead to, with ``target``'s promises, so that those of ``source`` about the next point are kept."""
        found = self._kept.get((source, target))
        if found is None:
            wanted = self.vectors[source][: len(self._ahead)]
            found = self._kept[source, target] = self._is(self._ahead, target, wanted)
        return found

    def _departures(self, source: int, target: int) -> S:
        """The states that a step may start from so that what ``target`` says about the previous point is true."""
        return self._is(self._behind, source, self.vectors[target][len(self._ahead) :])

    # The graph

    @lazy
    def fairness(self) -> Sequence[tuple[S, ...]]:
        """The space's own fairness, and for each until: it is met, or not asked for."""
        own = [tuple(goal for _ in self.vectors) for goal in self._space.fairness]
        untils = [part for part in self._ahead if isinstance(part, logic.Until)]
        met = [
            tuple(
                self._space.join(self.holds(part.right, index), self._without(self.holds(part, index)))
                for index in range(len(self.vectors))
            )
            for part in untils
        ]
        return own + met

    def meet(self, one: tuple[S, ...], other: tuple[S, ...]) -> tuple[S, ...]:
        """The points in both sets."""
        return self._pairwise(self._space.meet, one, other)

    def join(self, one: tuple[S, ...], other: tuple[S, ...]) -> tuple[S, ...]:
        """The points in one of the sets."""
        return self._pairwise(self._space.join, one, other)

    def minus(self, one: tuple[S, ...], other: tuple[S, ...]) -> tuple[S, ...]:
        """The points in the first set only."""
        return self._pairwise(self._space.minus, one, other)

    def _pairwise(self, merge: Callable[[S, S], S], one: tuple[S, ...], other: tuple[S, ...]) -> tuple[S, ...]:
        return tuple(merge(left, right) for left, right in zip(one, other, strict=True))

    def is_empty(self, points: tuple[S, ...]) -> bool:
        """Whether the set has no points."""
        return all(self._space.is_empty(states) for states in points)

    def has(self, points: tuple[S, ...], point: Point) -> bool:
        """Whether the point is in the set."""
        return self._space.has(points[self._place[point[1]]], point[0])

    def only(self, point: Point) -> tuple[S, ...]:
        """The set of this point alone."""
        place = self._place[point[1]]
        return tuple(
            self._space.only(point[0]) if index == place else self._empty for index in range(len(self.vectors))
        )

    def before(self, points: tuple[S, ...]) -> tuple[S, ...]:
        """The points with a step into the set."""
        return tuple(self._before(source, points) for source in range(len(self.vectors)))

    def _before(self, source: int, points: tuple[S, ...]) -> S:
        space = self._space
        if not self._behind:
            arrivals = self._empty
            for target, states in enumerate(points):
                arrivals = space.join(arrivals, space.meet(states, self._arrivals(source, target)))
            return self._empty if space.is_empty(arrivals) else space.before(arrivals)
        result = self._empty
        for target, states in enumerate(points):
            arrivals = space.meet(states, self._arrivals(source, target))
            if not space.is_empty(arrivals):
                result = space.join(result, space.meet(space.before(arrivals), self._departures(source, target)))
        return result

    def step(self, point: Point, into: tuple[S, ...]) -> tuple[Joint, Point] | None:
        """A step from the point into the set."""
        state, source = point[0], self._place[point[1]]
        for target, states in enumerate(into):
            if self._behind and not self._space.has(self._departures(source, target), state):
                continue
            found = self._space.step(state, self._space.meet(states, self._arrivals(source, target)))
            if found is not None:
                return found[0], (found[1], self.vectors[target])
        return None

    # What is asked of it

    @lazy
    def fair_points(self) -> tuple[S, ...]:
        """The points from which a path keeps all promises."""
        return Paths(self).fair_set(tuple(self._space.worlds for _ in self.vectors))

    def satisfying(self) -> tuple[S, ...]:
        """The points where the formula holds and from which a path keeps all promises."""
        here = tuple(self.holds(self.formula, index) for index in range(len(self.vectors)))
        return self.meet(here, self.fair_points)

    def at_time_0(self, points: tuple[S, ...]) -> tuple[S, ...]:
        """The points of the set that can be the first of a run: nothing was before."""
        ahead = len(self._ahead)
        return tuple(
            self._empty if any(vector[ahead:]) else states for vector, states in zip(self.vectors, points, strict=True)
        )

    def lasso_from(self, state: State) -> Lasso | None:
        """A fair lasso from the state, taken as time 0, that satisfies the formula."""
        good = self.at_time_0(self.satisfying())
        for vector, states in zip(self.vectors, good, strict=True):
            if self._space.has(states, state):
                return self._lasso(Walk(((state, vector),)))
        return None

    def run_into(self, states: S) -> tuple[Lasso, int] | None:
        """A run from time 0, and a moment when it is in one of the states and the formula holds."""
        space = self._space
        target = self.meet(self.satisfying(), tuple(states for _ in self.vectors))
        everywhere = self.fair_points
        starts = self.at_time_0(self.meet(everywhere, tuple(space.initial for _ in self.vectors)))
        seen = layer = target
        layers = [layer]
        while self.is_empty(self.meet(layer, starts)):
            layer = self.minus(self.meet(everywhere, self.before(layer)), seen)
            if self.is_empty(layer):
                return None
            layers.append(layer)
            seen = self.join(seen, layer)
        start = self._pick(self.meet(layer, starts))
        way = Paths(self).route(start, everywhere, target)
        if way is None:
            raise AssertionError("the layers promised a way that does not exist")
        return self._lasso(way), len(way.points) - 1

    def _pick(self, points: tuple[S, ...]) -> Point:
        index = next(index for index, states in enumerate(points) if not self._space.is_empty(states))
        return self._space.pick(points[index]), self.vectors[index]

    def _lasso(self, way: Walk[Point]) -> Lasso:
        circle = Paths(self).circle(way.last, self.fair_points)
        points = way.points[:-1] + circle.points
        shift = len(way.points) - 1
        return Lasso(tuple(state for state, _ in points), way.actions + circle.actions, circle.loop + shift)


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
