"""Coalitions: what a group can enforce, by perfect information, with or without fairness.

The group chooses first, then everybody else, and every free choice in an evolution is the others'.  *Opp(Z)* are the states in
which, whatever the group does, some outcome is in Z; the group's own operator is its complement.  Fairness belongs to paths: the group
wins for free on paths that are not fair, so the others must keep a fair path open for every violation.
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.encoding.part import variables_of
from epistrat.engines.fixpoints.evaluator import never
from epistrat.engines.fixpoints.fixpoint import Stop, always, until
from epistrat.engines.fixpoints.graph import GameGraph
from epistrat.logic.formula import Group
from epistrat.solvers.bdd import Bdd, Cube


class _Players:
    """A group: its action bits, what its members may do, where the others can act."""

    def __init__(self, space: GameGraph, group: Group) -> None:
        algebra, members = space.algebra, set(group.members)
        self.bits = 0
        self.permits = self.others_able = self.able = algebra.true
        self.others_choose = False
        for name, own in space.choices.items():
            if name in members:
                self.bits |= own.choice
                self.permits = self.permits & own.permits.function
                self.able = self.able & own.able.function
            else:
                self.others_able = self.others_able & own.able.function
                self.others_choose = self.others_choose or bool(own.choice)
        self.cube: Cube | None = algebra.cube(variables_of(self.bits))


class Strategic:
    """The coalition operators over the reachable states; ``fairness`` restricts the paths that count."""

    def __init__(self, space: GameGraph, fairness: Sequence[Bdd] = ()) -> None:
        self.space = space
        self.fairness = tuple(fairness)
        self._players: dict[frozenset[str], _Players] = {}
        self._fair: dict[frozenset[str], Bdd] = {}

    def _of(self, group: Group) -> _Players:
        key = frozenset(group.members)
        if key not in self._players:
            self._players[key] = _Players(self.space, group)
        return self._players[key]

    def _unopposed(self, players: _Players) -> bool:
        """Whether the group alone decides what happens: then it can enforce what can happen.

        Assumes that no other agent ever chooses, that evolutions choose nothing, and that every allowed joint action has an outcome.
        """
        return not players.others_choose and self.space.single_valued and not self.space.blocked

    def avoids(self, group: Group, bad: Bdd) -> Bdd:
        """The group has a choice after which no outcome is bad, and everybody can act."""
        space, players = self.space, self._of(group)
        into = space.moves_into(bad, players.bits)
        safe = space.algebra.and_exists(players.permits, ~into, players.cube)
        return safe & players.others_able & space.reachable

    def enforces(self, group: Group, target: Bdd) -> Bdd:
        """``<group>X target`` without fairness."""
        if not self._unopposed(self._of(group)):
            return self.avoids(group, self.space.reachable & ~target)
        enforced = self.space.pre(target)
        assert not self.space.self_checks or enforced == self.avoids(group, self.space.reachable & ~target)
        return enforced

    def cannot_prevent(self, group: Group, target: Bdd) -> Bdd:
        """Opp(target): whatever the group does, some outcome is in the target; nowhere where nobody can act."""
        space, players = self.space, self._of(group)
        if not players.bits and not space.self_checks:  # a group without choices prevents nothing
            return space.pre(target)
        prevented = self.avoids(group, target & space.reachable)
        result = space.reachable & players.able & players.others_able & ~prevented
        assert players.bits or result == space.pre(target)
        return result

    def next(self, group: Group, target: Bdd) -> Bdd:
        """``<group>X``."""
        if not self.fairness:
            return self.enforces(group, target)
        # Not `avoids`: where nobody can act there is no fair path, and nothing the group could fail.
        return ~self.cannot_prevent(group, self._fair_for_others(group) & ~target)

    def until(self, group: Group, through: Bdd, target: Bdd, stop: Stop = never) -> Bdd:
        """``<group>(through U target)``."""
        if self.fairness:
            return self._fair_until(group, through, target)
        return self._reach(group, through, target & self.space.reachable, stop)

    def globally(self, group: Group, inside: Bdd, stop: Stop = never) -> Bdd:
        """``<group>G``."""
        space = self.space
        step = space.iteration("<g>G")
        if not self.fairness:
            inside = inside & space.reachable
            return always(space.algebra, lambda z: self.enforces(group, z), inside, (), False, stop, step)
        violation = self._fair_for_others(group) & ~inside

        def pre(target: Bdd) -> Bdd:
            return self.cannot_prevent(group, target)

        return ~until(space.algebra, pre, space.reachable, violation, False, step=step)

    def _reach(self, group: Group, through: Bdd, target: Bdd, stop: Stop) -> Bdd:
        """Least fixpoint by candidates: a state can only join if some step leads to a state that joined just before.

        A choice without any outcome is good for the group too, so where overflows exist the states with such a choice come first.
        Assumes no fairness.
        """
        assert not self.fairness
        space, false = self.space, self.space.algebra.false
        step = space.iteration("<g>F")
        alone = self._unopposed(self._of(group))
        found = new = target
        if space.blocked:
            new = new | (self.avoids(group, space.reachable) & through)
            found = found | new
        while new != false and not stop(found):
            candidates = space.pre(new) & through & ~found
            if candidates == false:
                break
            if alone:
                new = candidates
            else:
                bad = space.arrivals(candidates) & ~found
                new = self.avoids(group, bad) & candidates
            found = found | new
            step(found)
        assert not space.self_checks or space.algebra.implies(found, self._reach_slowly(group, through, target))
        assert (
            not space.self_checks
            or stop(found)
            or space.algebra.implies(self._reach_slowly(group, through, target), found)
        )
        return found

    def _reach_slowly(self, group: Group, through: Bdd, target: Bdd) -> Bdd:
        """As `_reach`, by the definition."""
        return until(self.space.algebra, lambda z: self.enforces(group, z), through, target, False)

    # -- fairness ----------------------------------------------------------------------------------------------------

    def _fair_for_others(self, group: Group) -> Bdd:
        """The states from which the others can keep a fair path open, whatever the group does."""
        key = frozenset(group.members)
        if key not in self._fair:
            self._fair[key] = self._forced(group, self.space.reachable, self.space.algebra.false)
        return self._fair[key]

    def _forced(self, group: Group, through: Bdd, target: Bdd) -> Bdd:
        """The others can force: a fair path that stays in ``through``, or a way through it to the target."""
        space = self.space
        step = space.iteration("fair <g>")

        def pre(states: Bdd) -> Bdd:
            return self.cannot_prevent(group, states) | target

        sets = [fair | target for fair in self.fairness]
        additive = not self._of(group).bits
        return always(space.algebra, pre, through | target, sets, additive, step=step)

    def _fair_until(self, group: Group, through: Bdd, target: Bdd) -> Bdd:
        waiting = self.space.reachable & ~target
        violation = waiting & ~through & self._fair_for_others(group)
        return ~self._forced(group, waiting & through, violation)
