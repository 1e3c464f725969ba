"""Bounds for uniform strategies, and the default strategy that a search starts from.

*From above*: what the group can enforce if it sees everything.  *From below*: epistemic fixpoints, which fix the actions of whole
situations and count a state as won only if it is won whatever is decided where nothing is fixed yet.

To reach a goal, rounds fix for each member, in situations not fixed before, an action that leads from every state in which the situation
arises (and that is not won yet) to states that are won already; when no such action is left, one that does so from some state.  To stay
safe, the largest set is taken in which always some member has an action that keeps inside from every state of its situation.

Whatever is left open the default fills with actions that at least do not leave the upper bound.
"""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.engines.symbolic.uniform.arena import Arena, Player, Strategy
from epistrat.engines.symbolic.uniform.objective import Objective
from epistrat.model.state import Act
from epistrat.records import dataclass
from epistrat.solvers.bdd import Bdd


@dataclass
class Partial:
    """A strategy under construction: per player the situations that are fixed, and what is done there."""

    fixed: list[Bdd]
    chosen: list[Bdd]

    def fix(self, number: int, where: Bdd, does: Bdd) -> None:
        """The player takes the action in these situations."""
        self.fixed[number] = self.fixed[number] | where
        self.chosen[number] = self.chosen[number] | (where & does)


class EpistemicBound:
    """The lower bound for one objective, and the default strategy; ``domain`` are the states that matter."""

    def __init__(self, arena: Arena, objective: Objective, upper: Bdd, domain: Bdd) -> None:
        self._arena = arena
        self._algebra = arena.algebra
        self._objective = objective
        self._upper = upper
        self._domain = domain & arena.universe
        empty = self._algebra.false
        self._partial = Partial([empty] * len(arena.players), [empty] * len(arena.players))
        self.won = self._safe() if objective.forever else self._reached()
        self.default = self._complete()

    # -- reaching a goal ---------------------------------------------------------------------------------------------

    def _reached(self) -> Bdd:
        won = self._domain & self._objective.goal
        while True:
            self._arena.space.work.tick()
            before = won
            won = won | self._free(won)
            for strict in (True, False):
                if won == before:
                    won = self._fix_round(won, strict)
            if won == before:
                return won

    def _playable(self) -> Bdd:
        return self._domain & self._objective.through & self._arena.able

    def _free(self, won: Bdd) -> Bdd:
        """The states from which every choice that is still open leads to states that are won."""
        risk = self._arena.into(self._arena.universe & ~won)
        for number, player in enumerate(self._arena.players):
            risk = self._algebra.and_exists(risk, self._open(number), player.own)
        return self._playable() & ~risk

    def _open(self, number: int) -> Bdd:
        """What a player may still do: the fixed action, or all that are allowed."""
        return (self._arena.players[number].permits & ~self._partial.fixed[number]) | self._partial.chosen[number]

    def _fix_round(self, won: Bdd, strict: bool) -> Bdd:
        """Fix actions that lead to states that are won, whatever is still open does."""
        for number, player, risk in self._risks(self._arena.universe & ~won):
            for action, does in player.does.items():
                needed = self._domain & ~won
                good = needed & self._playable() & player.may[action] & ~self._after(risk, does, player)
                where = self._algebra.exists(good, player.hidden)
                if strict:
                    where = where & ~self._algebra.exists(needed & ~good, player.hidden)
                where = where & ~self._partial.fixed[number]
                if where != self._algebra.false:
                    self._partial.fix(number, where, does)
                    won = won | (good & where)
        return won

    def _risks(self, bad: Bdd) -> Iterator[tuple[int, Player, Bdd]]:
        """For each player: the states and own actions after which something bad can happen, given what the others may do."""
        into = self._arena.into(bad)
        for number, player in enumerate(self._arena.players):
            risk = into
            for other, partner in enumerate(self._arena.players):
                if other != number:
                    risk = self._algebra.and_exists(risk, self._open(other), partner.own)
            yield number, player, risk

    def _after(self, risk: Bdd, does: Bdd, player: Player) -> Bdd:
        return self._algebra.and_exists(risk, does, player.own)

    # -- staying safe ------------------------------------------------------------------------------------------------

    def _safe(self) -> Bdd:
        """A greatest fixpoint; then each player's safe actions are fixed."""
        algebra, objective = self._algebra, self._objective
        inside = self._domain & self._upper
        while True:
            self._arena.space.work.tick()
            before = inside
            kept = self._free(inside)
            for _, player, risk in self._risks(self._arena.universe & ~inside):
                for where in self._safe_actions(player, risk, inside).values():
                    kept = kept | where
            inside = inside & (objective.goal | (kept & self._playable()))
            if inside == before:
                break
        for number, player, risk in self._risks(self._arena.universe & ~inside):
            for action, where in self._safe_actions(player, risk, inside).items():
                fresh = where & ~self._partial.fixed[number]
                if fresh != algebra.false:
                    self._partial.fix(number, fresh, player.does[action])
        return inside

    def _safe_actions(self, player: Player, risk: Bdd, inside: Bdd) -> dict[Act, Bdd]:
        """For each action the situations from all of whose states it keeps inside."""
        algebra = self._algebra
        waiting = inside & ~self._objective.goal
        arising = algebra.exists(waiting, player.hidden)
        return {
            action: arising
            & ~algebra.exists(waiting & ~(player.may[action] & ~self._after(risk, does, player)), player.hidden)
            for action, does in player.does.items()
        }

    # -- the default -------------------------------------------------------------------------------------------------

    def _complete(self) -> Strategy:
        """The fixed actions; elsewhere what stays within the upper bound, from all states of a situation if possible.

        Where an agent of an interleaved system has nothing to choose it chooses nothing.
        """
        algebra, arena = self._algebra, self._arena
        waiting = self._domain & self._upper & ~self._objective.goal
        losing = arena.into(arena.universe & ~self._upper & ~self._objective.goal)
        hopeful = ~losing
        for player in arena.players:
            hopeful = hopeful & player.permits
        for number, player in enumerate(arena.players):
            together = hopeful
            for partner in arena.players:
                if partner is not player:
                    together = algebra.exists(together, partner.own)
            for where, does in self._preferences(player, waiting, together):
                fresh = where & ~self._partial.fixed[number]
                if fresh != algebra.false:
                    self._partial.fix(number, fresh, does)
        return tuple(self._open(number) for number in range(len(arena.players)))

    def _preferences(self, player: Player, waiting: Bdd, hopeful: Bdd) -> Iterator[tuple[Bdd, Bdd]]:
        """Situations and actions for them, the best first."""
        algebra = self._algebra
        good = {action: waiting & self._after(hopeful, does, player) for action, does in player.does.items()}
        some = {action: algebra.exists(states, player.hidden) for action, states in good.items()}
        for action, does in player.does.items():
            yield some[action] & ~algebra.exists(waiting & ~good[action], player.hidden), does
        for action, does in player.does.items():
            yield some[action], does
        for action, does in player.does.items():
            yield player.may[action], does
