"""Nash equilibria of strategies that remember the states that have come, but do not see who did what.

When another state comes than the one foreseen, the others know only the *suspects*: agents who could have led there alone.  All of them
stay suspected that could have done so at every later step too.  The profile is then a strategy in a game: it says what everybody
does, somebody under suspicion may do otherwise, and

- where what is foreseen always comes, the run satisfies the fact and the goals of all who are never suspected,
- on every other run nobody who is suspected for ever gets its goal.

For each set of agents that may be suspected at the start this is a game with one goal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.tables.plays import Plays
from epistrat.engines.fixpoints.goals import Universe, enforced
from epistrat.logic import formula as logic
from epistrat.logic.body import split, unsigned
from epistrat.logic.formula import Formula, Prop
from epistrat.logic.rewrite import conjunction
from epistrat.model.state import Act
from epistrat.records import dataclass

if TYPE_CHECKING:
    from epistrat.engines.explicit.label import MaskLabels

_FORESEEN = Prop("foreseen so far")


@dataclass(frozen=True)
class _Position:
    """A state, who is suspected, and whether everything came as foreseen."""

    node: int
    suspects: frozenset[str]
    foreseen: bool


class Suspects:
    """Equilibria on the explored states of one system."""

    def __init__(self, plays: Plays, labels: MaskLabels) -> None:
        self._plays, self._labels = plays, labels
        self._goals = {name: goal for name, goal in plays.system.goals if name in plays.acting}

    def some(self, fact: Formula) -> Mask:
        """Where some equilibrium has a run that satisfies the path formula."""
        found: Mask = np.zeros(self._plays.count, dtype=np.bool_)
        for many in range(len(self._goals) + 1):
            for suspected in combinations(self._goals, many):
                if found.all():
                    return found
                found |= self._with(frozenset(suspected), fact)
        return found

    def _with(self, suspected: frozenset[str], fact: Formula) -> Mask:
        """As `some`, where these agents need not get their goals."""
        game = _Game(self._plays, suspected, self._labels.tick)
        suspicion = {name: Prop(f"suspected {name}") for name in sorted(suspected)}
        content = [goal for name, goal in self._goals.items() if name not in suspected]
        often, finally_ = logic.Globally, logic.Finally
        # who is suspected, and what was foreseen, change once at most: again and again is for ever from some time on
        goal = logic.And(
            (
                logic.Or((often(finally_(logic.Not(_FORESEEN))), conjunction((fact, *content)))),
                *(
                    logic.Or(
                        (
                            often(finally_(_FORESEEN)),
                            often(finally_(logic.Not(leaf))),
                            logic.Not(self._goals[name]),
                        )
                    )
                    for name, leaf in suspicion.items()
                ),
            )
        )
        body = split(goal, unsigned)

        def holds(leaf: Prop) -> Mask:
            part = body.leaves[leaf]
            if part == _FORESEEN:
                return game.where(lambda position: position.foreseen)
            for name, suspect in suspicion.items():
                if part == suspect:
                    return game.where(lambda position: name in position.suspects)  # noqa: B023
            here = self._labels.label(part)
            return game.where(lambda position: bool(here[position.node]))

        universe = Universe(
            self._labels.of,
            game.where(lambda _: True),
            lambda some: not some.any(),
            lambda one, other: bool((one == other).all()),
            self._labels.tick,
        )
        won = enforced(universe, game.force, body.formula, holds)
        return won[: self._plays.count]  # the positions at the start come first


class _Game:
    """The positions that can come about when these agents are suspected at the start, and what profiles can force there."""

    def __init__(self, plays: Plays, suspected: frozenset[str], tick: Callable[[], None]) -> None:
        self._plays = plays
        self._positions = [_Position(node, suspected, True) for node in range(plays.count)]
        number = {position: place for place, position in enumerate(self._positions)}
        targets: list[int] = []
        moves: list[int] = []  # where the targets of each joint action begin
        first: list[int] = []  # where the joint actions of each position begin
        for position in self._positions:  # which grow
            tick()
            first.append(len(moves))
            for options in self._moves(position):
                moves.append(len(targets))
                for after in options:
                    if after not in number:
                        number[after] = len(self._positions)
                        self._positions.append(after)
                    targets.append(number[after])
        self._targets, self._starts, self._first = map(np.asarray, (targets, moves, first))

    def where(self, condition: Callable[[_Position], bool]) -> Mask:
        """The positions that satisfy a condition."""
        return np.fromiter(map(condition, self._positions), dtype=np.bool_, count=len(self._positions))

    def force(self, goal: Mask) -> Mask:
        """The positions where some joint action leads into the goal, whoever of the suspects does otherwise."""
        led = np.logical_and.reduceat(goal[self._targets], self._starts)
        return np.logical_or.reduceat(led, self._first)

    def _moves(self, position: _Position) -> Iterator[Sequence[_Position]]:
        """For each joint action where suspects may lead."""
        plays = self._plays
        outcomes = {joint: targets[0] for joint, targets in plays.outcomes(position.node).items()}
        for joint, expected in outcomes.items():
            leading: dict[int, set[str]] = {expected: set(position.suspects)}
            for name in position.suspects:
                for other in self._otherwise(name, position.node, joint):
                    leading.setdefault(outcomes[other], set()).add(name)
            yield [
                _Position(target, frozenset(suspects), position.foreseen and target == expected)
                for target, suspects in leading.items()
            ]

    def _otherwise(self, name: str, node: int, joint: tuple[Act | None, ...]) -> Iterator[tuple[Act | None, ...]]:
        """The joint actions in which one agent does something of its own."""
        place = next(place for place, agent in enumerate(self._plays.system.agents) if agent.name == name)
        for act in self._plays.options(name, node):
            yield (*joint[:place], act, *joint[place + 1 :])
