"""Why a formula fails in a pruned model: which other choices of the followers could change that.

The *blame* is a relation of states and followers' choices such that, as long as a strategy takes none of the choices in it, the formula has
the value it has.  A path that shows a failure puts the blame on the choices along it; a set of states that is never left, on the choices
that would lead out of it.  Where nothing better is known, all choices in all reachable states are to blame.

Assumes formulae that do not look back, and a system whose steps are those of its relation (in interleaved ones agents may wait: there
everything is to blame).  Under fairness only a single state gets a short reason: it needs a fair path that keeps it among the states that
count.
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.encoding.part import variables_of
from epistrat.engines.fixpoints.fixpoint import closure
from epistrat.engines.fixpoints.label import Labelling
from epistrat.engines.symbolic.linear.paths import Paths
from epistrat.engines.symbolic.space import SymbolicSpace
from epistrat.engines.symbolic.uniform.arena import Arena
from epistrat.engines.symbolic.walk import PointWalks
from epistrat.logic import formula as logic
from epistrat.logic.body import past_inside, split
from epistrat.logic.formula import Formula, Group, is_state, subformulae
from epistrat.logic.rewrite import TRUE, opposite
from epistrat.model.conditions import is_condition
from epistrat.solvers.bdd import Bdd


class Blame:
    """Blame in one pruned model, with its states and their labels; ``arena`` are the followers in the full model."""

    def __init__(
        self, arena: Arena, space: SymbolicSpace, labelling: Labelling, paths: Paths, followers: frozenset[str]
    ) -> None:
        self._arena = arena
        self._labelling = labelling
        self._algebra = labelling.algebra
        self._space = space
        self._paths = paths
        self._followers = followers
        self._everywhere = self._space.reachable
        self._walk = PointWalks(self._algebra, self._space.pre, self._space.post, variables_of(space.state_bits))

    def failure(self, formula: Formula, state: Bdd) -> Bdd:
        """The blame for a formula that fails in an initial state; with fairness also for the fair path that makes it count.

        Fairness constraints with operators of time or knowledge change with every choice, so then everything is to blame.
        """
        assert not past_inside(formula) and not self._space.system.interleaved
        if not all(map(is_condition, self._space.system.fairness)):
            return self._everywhere
        return self.blame(formula, False, state) | self._alive(state)

    def blame(self, formula: Formula, holds: bool, states: Bdd) -> Bdd:
        """The blame for the formula's value in the given states, in all of which it has that value."""
        if states == self._algebra.false or self._labelling.condition(formula) is not None:
            return self._algebra.false
        if self._labelling.fairness and self._space.count(states) > 1:
            return self._whatever_follows(formula, states)
        match formula:
            case logic.Not(arg):
                return self.blame(arg, not holds, states)
            case logic.And(args):
                return self._boolean(args, holds, states, decisive=False)
            case logic.Or(args):
                return self._boolean(args, holds, states, decisive=True)
            case logic.Implies(left, right):
                return self._boolean((logic.Not(left), right), holds, states, decisive=True)
            case logic.Iff(left, right) | logic.Xor(left, right):
                return self._both(left, states) | self._both(right, states)
            case logic.Exists(arg, False):
                return self._exists(arg, holds, states)
            case logic.ForAll(arg, False):
                return self._exists(opposite(arg), not holds, states)
            case logic.Coalition(group, arg):
                return self._coalition(group, arg, holds, states)
            case logic.Exists(arg) | logic.ForAll(arg) if not past_inside(arg):
                return self._star(arg, isinstance(formula, logic.ForAll), holds, states)
            case logic.Knows(_, arg) | logic.Everybody(_, arg) | logic.Distributed(_, arg) | logic.Correct(_, arg) if (
                not past_inside(arg)
            ):
                return self._knowledge(formula, arg if is_state(arg) else logic.ForAll(arg, star=True), holds, states)
        return self._everywhere

    # -- Boolean connectives -----------------------------------------------------------------------------------------

    def _boolean(self, args: Sequence[Formula], holds: bool, states: Bdd, decisive: bool) -> Bdd:
        """And, Or: one operand with the decisive value is enough, conditions first; else all are needed."""
        result = self._algebra.false
        if holds is not decisive:
            for arg in args:
                result = result | self.blame(arg, holds, states)
            return result
        for arg in sorted(args, key=lambda arg: self._labelling.condition(arg) is None):
            label = self._labelling.label(arg)
            here = states & (label if holds else ~label)
            result = result | self.blame(arg, holds, here)
            states = states & ~here
        return result

    def _both(self, formula: Formula, states: Bdd) -> Bdd:
        label = self._labelling.label(formula)
        return self.blame(formula, True, states & label) | self.blame(formula, False, states & ~label)

    # -- time --------------------------------------------------------------------------------------------------------

    def _exists(self, shape: Formula, holds: bool, states: Bdd) -> Bdd:
        if self._labelling.fairness and not holds:
            return self._whatever_follows(shape, states)
        match shape:
            case logic.Next(arg):
                label = self._labelling.label(arg) & self._labelling.universe
                if holds and self._space.count(states) == 1:
                    end = self._walk.pick(self._space.post(states) & label)
                    return states | self._alive(end) | self.blame(arg, True, end)
                return states | self.blame(arg, holds, self._space.post(states) & (label if holds else ~label))
            case logic.Finally(arg):
                return self._until(None, arg, holds, states)
            case logic.Until(left, right):
                return self._until(left, right, holds, states)
            case logic.Globally(arg):
                return self._always(arg, holds, states)
        return self._weak(shape, holds, states)

    def _until(self, left: Formula | None, right: Formula, holds: bool, states: Bdd) -> Bdd:
        through = self._algebra.true if left is None else self._labelling.label(left)
        target = self._labelling.label(right) & self._labelling.universe
        if not holds:
            seen = self._closure(states, through)
            leaving = self._arena.into(self._arena.universe & ~seen) & seen & through
            blamed = leaving | self.blame(right, False, seen)
            return blamed if left is None else blamed | self.blame(left, False, seen & ~through)
        way, end = self._ways(states, through, target)
        blamed = way | self._alive(end) | self.blame(right, True, end)
        return blamed if left is None else blamed | self.blame(left, True, way)

    def _always(self, arg: Formula, holds: bool, states: Bdd) -> Bdd:
        label = self._labelling.label(arg)
        if not holds:
            seen = self._closure(states, label)
            return (seen & label) | self.blame(arg, False, seen & ~label)
        inside = self._labelling.temporal.eg(label)
        seen = self._lasso(states, inside) if self._space.count(states) == 1 else self._closure(states, inside) & inside
        return seen | self.blame(arg, True, seen)

    def _star(self, arg: Formula, universal: bool, holds: bool, states: Bdd) -> Bdd:
        """Over path formulae: a lasso shows that E holds or A fails; else everything that can still happen is to blame."""
        if holds is universal or self._space.count(states) > 1:
            return self._whatever_follows(arg, states)
        if is_state(arg):
            return self._exists(logic.Globally(TRUE), True, states) | self.blame(arg, holds, states)
        seen = result = self._paths.shown(self._labelling, arg, universal, states)
        for leaf in split(arg).leaves.values():
            result = result | self._both(leaf, seen)
        return result

    def _weak(self, shape: Formula, holds: bool, states: Bdd) -> Bdd:
        """W and R: right where left stays, or until both."""
        match shape:
            case logic.WeakUntil(left, right):
                through, target = left, right
            case logic.Release(left, right):
                through, target = right, logic.And((left, right))
            case _:
                return self._everywhere
        parts = logic.Exists(logic.Until(through, target)), logic.Exists(logic.Globally(through))
        return self._boolean(parts, holds, states, decisive=True)

    def _coalition(self, group: Group, shape: Formula, holds: bool, states: Bdd) -> Bdd:
        """A coalition all of whose members follow strategies has no choice left: it enforces what happens anyway.

        Not where nobody can act: without fairness a coalition enforces nothing there, while every path from there is good.
        """
        protocols = self._space.encoding.choices
        choosing = {member for member in group.members if member in protocols and protocols[member].choice}
        able = bool(self._labelling.fairness) or self._algebra.implies(self._everywhere, self._arena.able)
        if choosing <= self._followers and able:
            return self._exists(opposite(shape), not holds, states)
        return self._whatever_follows(shape, states)

    def _whatever_follows(self, formula: Formula, states: Bdd) -> Bdd:
        """All choices that can still be made; with knowledge, which looks elsewhere, all choices at all."""
        if any(isinstance(part, logic.KNOWING) for part in subformulae(formula)):
            return self._everywhere
        return self._closure(states, self._algebra.true)

    # -- knowledge ---------------------------------------------------------------------------------------------------

    def _knowledge(self, formula: Formula, arg: Formula, holds: bool, states: Bdd) -> Bdd:
        """Ignorance is shown by a state that looks the same and a way to it; knowledge depends on all reachable states."""
        doubtful = self._labelling.universe & ~self._labelling.label(arg) & self._look_alikes(formula, states)
        if holds or self._space.count(states) > 1 or doubtful == self._algebra.false:
            return self._everywhere
        way, end = self._ways(self._space.initial, self._algebra.true, doubtful, one=True)
        return way | self._alive(end) | self.blame(arg, False, end)

    def _look_alikes(self, formula: Formula, states: Bdd) -> Bdd:
        knowledge = self._labelling.knowledge
        match formula:
            case logic.Knows(agent):
                return knowledge.look_alikes((agent,), states)
            case logic.Everybody(group):
                result = self._algebra.false
                for member in group.members:
                    result = result | knowledge.look_alikes((member,), states)
                return result
            case logic.Distributed(group):
                return knowledge.look_alikes(group.members, states)
            case logic.Correct(agent):
                return self._labelling.label(logic.Colour(agent, True))
        return self._algebra.false

    # -- walks in the pruned model -----------------------------------------------------------------------------------

    def _alive(self, state: Bdd) -> Bdd:
        """With fairness, a fair lasso from a state of the universe: it keeps the state in the universe."""
        if not self._labelling.fairness:
            return self._algebra.false
        return self._lasso(self._walk.pick(state), self._labelling.universe)

    def _lasso(self, state: Bdd, inside: Bdd) -> Bdd:
        """The states of a (fair) lasso inside a set from all of whose states such a path starts."""
        stem, cycle = self._walk.lasso([self._walk.pick(state)], inside, self._labelling.fairness)
        seen = self._algebra.false
        for point in (*stem, *cycle):
            seen = seen | point
        return seen

    def _closure(self, states: Bdd, through: Bdd) -> Bdd:
        """The given states and all that ways through the set lead to, the first state outside it included."""
        return closure(self._algebra, lambda new: self._space.post(new & through), states)

    def _ways(self, states: Bdd, through: Bdd, target: Bdd, one: bool = False) -> tuple[Bdd, Bdd]:
        """States on ways through the set to the target, without their ends; and the ends.

        From a single state (or with ``one``) a shortest way, else all states that some way may pass.
        """
        encoding = self._space.encoding
        if not one and self._space.count(states) > 1:
            inside = self._labelling.temporal.eu(through, target)
            seen = self._closure(states, inside & through & ~target) & inside
            return seen & ~target, seen & target
        layers, seen = [states], states
        while layers[-1] & target == self._algebra.false:
            layers.append(self._space.post(layers[-1] & through) & ~seen)
            seen = seen | layers[-1]
            assert layers[-1] != self._algebra.false, "the target can be reached"
        state = encoding.pick(layers[-1] & target)
        assert state is not None
        end = here = encoding.singleton(state)
        way = self._algebra.false
        for layer in reversed(layers[:-1]):
            state = encoding.pick(self._space.pre(here) & layer & through)
            assert state is not None
            here = encoding.singleton(state)
            way = way | here
        return way, end
