"""The reasons for claims about strategies with memory: a machine of the side that wins, or the run of an equilibrium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic

from epistrat.engines.witness.playing.arena import Arena, TooManyPositions
from epistrat.engines.witness.playing.balance import Balancing
from epistrat.engines.witness.playing.reader import Reader
from epistrat.engines.witness.space import S, WitnessSpace
from epistrat.evidence import Balance, Machine, Part, Reason, Remembered, Tree, Unbalanced
from epistrat.logic import formula as logic
from epistrat.logic.deterministic.pieces import TooManyStates
from epistrat.logic.formula import Formula
from epistrat.logic.rewrite import conjunction, negation
from epistrat.logic.sentences import Crossing, OneGoal, Player, one_goal, state_parts
from epistrat.model.state import State
from epistrat.records import replace

if TYPE_CHECKING:
    from epistrat.engines.witness.tree import TreeBuilder

MOST_STARTS = 100
"""Initial states that one strategy is to serve."""


class Playing(Generic[S]):
    """Finds strategies with memory in one space."""

    def __init__(self, space: WitnessSpace[S]) -> None:
        self._space = space
        self._acting = [agent.name for agent in space.system.agents if agent.actions]

    def players(self, claim: Formula) -> tuple[Sequence[Player], Formula] | None:
        """Who chooses in which order, and the goal; None where the claim has not one goal."""
        if isinstance(claim, logic.Coalition):
            members = [name for name in claim.group.members if name in self._acting]
            return [Player(True, (name,)) for name in members], claim.arg
        try:
            shape = one_goal(claim, self._acting)
        except Crossing:
            return None
        return (shape.players, shape.goal) if isinstance(shape, OneGoal) else None

    def balance(self, claim: logic.SomeEquilibrium | logic.EveryEquilibrium, start: State) -> Balance | None:
        """An equilibrium that decides the claim; None where the game is too large."""
        fact = claim.arg if isinstance(claim, logic.SomeEquilibrium) else negation(claim.arg)
        try:
            found = Balancing(self._space, start).some(fact)
        except (TooManyPositions, TooManyStates):
            return None
        if found is None:
            raise AssertionError("there is no equilibrium")
        return found

    def unbalanced(self, start: State) -> Unbalanced | None:
        """How those gain who leave runs that are as wanted; None where that is too long to be shown."""
        try:
            return Balancing(self._space, start).none()
        except (TooManyPositions, TooManyStates):
            return None

    def machine(self, claim: Formula, starts: Sequence[State], holds: bool) -> Machine | None:
        """A strategy of the side that wins from all these states; None where the game is too large."""
        shape = self.players(claim)
        if shape is None:
            return None
        players, goal = shape
        try:
            arena = Arena(self._space, players, Reader(self._space, goal, fairly=True), starts)
        except (TooManyPositions, TooManyStates):
            return None
        positions = [arena.at(state, 0) for state in starts]
        if any(arena.solution.wins[position] is not holds for position in positions):
            raise AssertionError("the game has another winner")
        return arena.machine(positions, holds)[0]


class Strategies(Generic[S]):
    """The builder's reasons for claims about strategies otherwise than ATL's; None where there is nothing to show."""

    def __init__(self, site: TreeBuilder[S]) -> None:
        self._site, self._space = site, site.space
        self._playing = Playing(site.space)

    def reason(self, state: State, claim: Formula, holds: bool, first: bool) -> Reason | None:
        """A strategy with memory of the side that wins; for what is asked, one that serves all initial states."""
        named = self._space.named
        coalition = isinstance(claim, logic.Coalition)
        if not (named.remembering if coalition else named.names is logic.Tag.PERFECT):
            return self._space.tables(claim, state, holds)
        shape = self._playing.players(claim)
        if shape is None:
            return self._below(state, claim, holds)
        starts = [state]
        if first and holds and claim == _untagged(self._site.asked):
            starts += self._space.some(self._space.minus(self._space.initial, self._space.only(state)), MOST_STARTS)
        machine = self._playing.machine(claim, starts, holds)
        if machine is None:
            return None
        return Remembered(machine, self._claims([row.state for row in machine.rows], shape[1]))

    def _below(self, state: State, claim: Formula, holds: bool) -> Reason | None:
        """Where no run matters, what stands below the prefix decides."""
        try:
            body = one_goal(claim, [agent.name for agent in self._space.system.agents if agent.actions])
        except Crossing:
            return None
        return None if isinstance(body, OneGoal) else Part(self._site.tree(state, body, holds))

    def equilibrium(self, state: State, claim: Formula, holds: bool) -> Reason | None:
        """The run of an equilibrium, where there is one with, or without, what is asked; else how those gain who leave."""
        assert isinstance(claim, logic.EQUILIBRIA)
        named = self._space.named
        remembering = named.equilibria is logic.Tag.PERFECT
        goals = [goal for _, goal in self._space.system.goals]
        if isinstance(claim, logic.SomeEquilibrium) is not holds:
            none = self._playing.unbalanced(state) if remembering and not named.states_only else None
            if none is None:
                return None
            states = [row.state for one in none.gains for row in one.machine.rows]
            return replace(none, claims=self._claims(states, conjunction((claim.arg, *goals))))
        if not remembering:
            return self._space.tables(claim, state, holds)
        if named.states_only:
            return None
        found = self._playing.balance(claim, state)
        if found is None:
            return None
        rows = [row.state for one in found.punishments for row in one.machine.rows]
        return replace(found, claims=self._claims([*found.lasso.states, *rows], conjunction((claim.arg, *goals))))

    def _claims(self, states: Sequence[State], path: Formula) -> tuple[Tree, ...]:
        """The truth of the state formulae inside a path formula where the states do not show it."""
        parts = [part for part in dict.fromkeys(state_parts(path)) if not self._site.conditions.decides(part)]
        known = dict.fromkeys(states)
        return tuple(self._site.tree(state, part, self._site.true(state, part)) for state in known for part in parts)


def _untagged(formula: Formula | None) -> Formula | None:
    return formula.arg if isinstance(formula, logic.Tagged) else formula
