"""Hints: which states are in a set, and the layers that show it, by plain fixpoints.

Nothing here is trusted: the rules check what comes out of it, whoever made it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from epistrat.evidence.proof.sets import (
    Again,
    Anywhere,
    Before,
    Both,
    Either,
    Given,
    Greatest,
    Guessed,
    Least,
    Outside,
    Set,
    Through,
    Uniform,
)
from epistrat.evidence.proof.world import World
from epistrat.records import dataclass
from epistrat.solvers.bdd import Bdd

if TYPE_CHECKING:
    from epistrat.evidence.proof.uniform import Play

Layers = tuple[Bdd, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """Of `Again`: the states ``left`` lose those that cannot come to one condition, for which ``near`` is closed; ``kept`` remain."""

    condition: int
    left: Bdd
    near: Bdd
    kept: Bdd


@dataclass(frozen=True, slots=True)
class Hint:
    """The states of a set; ``layers`` grow to it or shrink to it, for each condition of `Again`; ``rounds`` shrink to it."""

    states: Bdd
    layers: tuple[Layers, ...] = ()
    rounds: tuple[Round, ...] = ()


class Hints:
    """The hints about one world; ``automata`` are the worlds of `Guessed` sets."""

    def __init__(self, world: World, inner: Callable[[int], Hints]) -> None:
        self._world = world
        self._inner = inner
        self.known: dict[Set, Hint] = {}
        self._plays: dict[Uniform, list[Play]] = {}

    def states(self, of: Set) -> Bdd:
        """The states of a set."""
        return self.of(of).states

    def of(self, one: Set) -> Hint:
        """The hint about a set."""
        found = self.known.get(one)
        if found is None:
            found = self.known[one] = self._made(one)
        return found

    def _made(self, one: Set) -> Hint:
        world, states = self._world, self.states
        match one:
            case Given(given):
                return Hint(given & world.found)
            case Outside(of):
                return Hint(world.found & ~states(of))
            case Both(of):
                return Hint(world.space.conjunction([world.found, *map(states, of)]))
            case Either(of):
                return Hint(world.space.disjunction(map(states, of)))
            case Before(through, into, among):
                some = world.found if among is None else states(among)
                return Hint(some & world.through(through, states(into), some))
            case Least(through, hold, goal):
                layers = self._grown(through, states(hold), states(goal))
                return Hint(layers[-1], (layers,))
            case Greatest(through, hold, goal):
                return self._shrunk(through, states(hold), states(goal))
            case Again():
                return self._again(one)
            case Anywhere(of):
                return Hint(world.found if states(of) != world.algebra.false else world.algebra.false)
            case Uniform():
                return self._uniform(one)
            case Guessed(automaton, of):
                inner = self._inner(automaton)
                return Hint(inner._world.through_guess(inner.states(of)))

    def _uniform(self, one: Uniform) -> Hint:
        """Where strategies that were found succeed.  If they are not all, what is said to be outside is too much: rules find out."""
        world = self._world
        found = world.algebra.false
        for play in self.plays(one):
            found = found | self._served(one, play.states)
        return Hint(found)

    def _served(self, one: Uniform, states: Bdd) -> Bdd:
        """The states that a strategy serves which succeeds from these."""
        if not one.together:
            return states
        return self._world.found & ~self._world.alike(one.group, self._world.found & ~states)

    def plays(self, one: Uniform) -> list[Play]:
        """Strategies for a group."""
        from epistrat.evidence.proof.uniform import Search

        if one not in self._plays:
            sets = tuple(map(self.states, one.operands))
            self._plays[one] = Search(self._world, self, one, sets).plays(self._world.initial & self._world.found)
        return self._plays[one]

    def _grown(self, through: Through, hold: Bdd, goal: Bdd) -> Layers:
        layers = [goal]
        while hold & ~layers[-1] != self._world.algebra.false:
            wider = layers[-1] | hold & self._world.through(through, layers[-1])
            if wider == layers[-1]:
                break
            layers.append(wider)
        return tuple(layers)

    def _shrunk(self, through: Through, hold: Bdd, goal: Bdd) -> Hint:
        layers = [self._world.found]
        while len(layers) == 1 or layers[-1] != layers[-2]:
            layers.append(goal | hold & self._world.through(through, layers[-1]))
        return Hint(layers[-1], (tuple(layers),))

    def _again(self, one: Again) -> Hint:
        world = self._world
        hold, goal = self.states(one.hold), self.states(one.goal)
        conditions = list(map(self.states, one.conditions))
        left = world.found
        rounds: list[Round] = []
        layers: list[Layers] = [()] * len(conditions)
        quiet, number = 0, 0
        while quiet < len(conditions):
            layers[number] = self._grown(one.through, left, goal | left & conditions[number])
            near = layers[number][-1]
            kept = goal | left & hold & world.through(one.through, near)
            rounds.append(Round(number, left, near, kept))
            quiet = quiet + 1 if kept == left else 0
            left, number = kept, (number + 1) % len(conditions)
        return Hint(left, tuple(layers), tuple(rounds))
