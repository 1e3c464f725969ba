"""What can be forced: one step, and in the long run with the help of ranks.

A *player* chooses some of what a step leaves open and must cope with the rest; the values that the abstraction does not determine are
always against it.  So whatever an abstract state is found to force, every concrete state that it stands for can force.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from epistrat.encoding.part import mask_of, variables_of
from epistrat.engines.abstraction.enumerate import Rank
from epistrat.engines.abstraction.space import AbstractSpace
from epistrat.engines.fixpoints.fixpoint import always, until
from epistrat.logic.formula import Group
from epistrat.records import dataclass
from epistrat.solvers.bdd import Bdd


@dataclass(frozen=True, slots=True)
class Everything:
    """Nobody chooses: what happens in every step (``A``)."""


@dataclass(frozen=True, slots=True)
class Anything:
    """The player chooses all actions and lines: what happens in some step (``E``)."""


@dataclass(frozen=True, slots=True)
class Members:
    """The group chooses its actions first, the others answer (``<g>``)."""

    group: Group


@dataclass(frozen=True, slots=True)
class Others:
    """The group chooses its actions first; the player is everybody else, and also chooses lines (the negation of ``<g>``)."""

    group: Group


Player = Everything | Anything | Members | Others


class Forcing:
    """Steps and fixpoints on one abstraction."""

    def __init__(self, space: AbstractSpace) -> None:
        self.space = space
        self._algebra = space.algebra
        self._choices: dict[tuple[str, ...], tuple[Bdd, int]] = {}

    def step(self, player: Player, good: Bdd) -> Bdd:
        """The reachable states from which the player forces the next step to be good: a set of next states and changes of ranks."""
        space, algebra = self.space, self._algebra
        bad = space.reached & ~good
        match player:
            case Everything():
                found = ~space.may.preimage(bad)
            case Anything():
                sure = space.enabled & ~space.may.moves_into(bad, space.private)
                found = space.must.preimage(good & space.reached)
                found = found | algebra.exists(sure, algebra.cube(variables_of(space.private)))
            case Members(group):
                _, own = self.choice(group)
                found = algebra.exists(self.moves(group, good), algebra.cube(variables_of(own)))
            case Others(group):
                choice, own = self.choice(group)
                answered = space.must.moves_into(good & space.reached, own)
                sure = space.enabled & ~space.may.moves_into(bad, space.private)
                answered = answered | algebra.exists(sure, algebra.cube(variables_of(space.private & ~own)))
                found = ~algebra.exists(choice & ~answered, algebra.cube(variables_of(own)))
            case _:
                assert_never(player)
        return found & space.reached

    def moves(self, group: Group, good: Bdd) -> Bdd:
        """In which states which choices of the group make every next step good."""
        choice, own = self.choice(group)
        return choice & ~self.space.may.moves_into(self.space.reached & ~good, own)

    def choice(self, group: Group) -> tuple[Bdd, int]:
        """The group's choices: allowed actions of its members where the others have some, too; and the mask of their bits."""
        found = self._choices.get(group.members)
        if found is None:
            space, algebra = self.space, self._algebra
            own = mask_of([bit for name in group.members for bit in space.layout.actions.get(name, ())])
            choice = algebra.true
            for name, part in space.allowed.items():
                bits = space.layout.actions[name]
                some = part.function if name in group.members else algebra.exists(part.function, algebra.cube(bits))
                choice = choice & some
            found = self._choices[group.members] = (choice, own)
        return found

    def tick(self, _: Bdd) -> None:
        """Called at each iteration of a fixpoint."""
        self.space.budget.check()

    # -- fixpoints ------------------------------------------------------------------------------------------------

    def for_ever(self, player: Player, stay: Bdd, leave: Bdd) -> Bdd:
        """The largest Z within ``stay`` whose states force every next state into Z; ``leave`` counts as won."""
        inside = self.space.reached & (stay | leave)
        return always(self._algebra, lambda z: leave | self.step(player, z), inside, (), False, step=self.tick)

    def eventually(self, player: Player, before: Bdd, goal: Bdd, ranks: Sequence[Rank], depth: int) -> Bdd:
        """The states from which the player forces the goal, through states in ``before``.

        Ranks are tried in turn, ``depth`` of them one inside the other.
        """
        goal = goal & self.space.reached
        true = self._algebra.true
        return goal | self._win(player, before & self.space.reached & ~goal, goal, true, tuple(ranks), depth)

    def _win(self, player: Player, before: Bdd, target: Bdd, kept: Bdd, ranks: tuple[Rank, ...], depth: int) -> Bdd:
        """The states in ``before`` from which the player forces, sooner or later, a step in ``target``, all steps until then in ``kept``.

        Steps are sets of next states and changes of ranks.  With a rank r: the largest Z whose states force, by steps in which r does not
        rise, either a step that makes progress anyway, or one into Z in which r falls.  It cannot fall for ever.
        """
        won = self.attract(player, before, target, kept, self._algebra.false)
        if depth == 0:
            return won
        while True:
            size = won
            for rank in ranks:
                self.space.budget.check()
                if self._algebra.implies(before, won):
                    return won
                won = won | self.with_rank(player, before, target | (kept & won), kept, rank, ranks, depth)
                won = self.attract(player, before, target, kept, won)
            if won == size:
                return won

    def with_rank(
        self, player: Player, before: Bdd, target: Bdd, kept: Bdd, rank: Rank, ranks: tuple[Rank, ...], depth: int
    ) -> Bdd:
        """The largest Z of states that force, by kept steps in which the rank does not rise, a step in the target or into Z with a fall."""
        falls, level = (self._algebra.var[bit] for bit, _ in self.space.layout.changes[rank])
        others = tuple(other for other in ranks if other != rank)

        def kept_on(states: Bdd) -> Bdd:
            wanted = target | (kept & falls & states)
            return self._win(player, before, wanted, kept & level, others, depth - 1)

        return always(self._algebra, kept_on, before, (), False, step=self.tick)

    def attract(self, player: Player, before: Bdd, target: Bdd, kept: Bdd, won: Bdd) -> Bdd:
        """What is won, and the states in ``before`` from which the player forces a target step or, by kept steps, what is won."""
        return until(
            self._algebra, lambda z: self.step(player, target | (kept & z)), before, won, False, step=self.tick
        )
