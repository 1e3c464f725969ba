"""Strategies with memory on decision diagrams: coalitions over path formulae, and named strategies with one goal.

The game is `epistrat.engines.fixpoints.goals`; here is who can force what.  A group chooses all at once, before everybody else.  Named
strategies choose in the order of their quantifiers, each for all agents that follow it; chance comes last, against the goal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from epistrat.encoding.part import variables_of
from epistrat.engines.fixpoints.goals import Universe, enforced
from epistrat.engines.fixpoints.label import booleans
from epistrat.engines.readings import Refused, no_next_state
from epistrat.engines.symbolic.equilibria import Equilibria
from epistrat.logic import formula as logic
from epistrat.logic.body import Body, split, unsigned
from epistrat.logic.formula import Formula, Group, Prop
from epistrat.logic.rewrite import conjunction, negation
from epistrat.logic.sentences import Crossing, OneGoal, Player, crossing_in_words, one_goal
from epistrat.solvers.bdd import Bdd

if TYPE_CHECKING:
    from epistrat.engines.fixpoints.label import Labelling
    from epistrat.engines.symbolic.linear.tableau import SpareBits
    from epistrat.engines.symbolic.space import SymbolicSpace


class Remembering:
    """What groups and named strategies enforce from the reachable states of one system."""

    def __init__(self, space: SymbolicSpace, spare: SpareBits) -> None:
        self._space, self._spare = space, spare
        self._acting = [agent.name for agent in space.system.agents if agent.actions]

    def coalition(self, labels: Labelling, formula: logic.Coalition) -> Bdd:
        """Where a group enforces a path formula, on fair runs if there is fairness."""
        self.require_next_states()
        body = split(formula.arg, unsigned)
        fair = {Prop(f"fair {number}"): where for number, where in enumerate(labels.fairness)}
        goal = body.formula
        if fair:
            often = [logic.Globally(logic.Finally(leaf)) for leaf in fair]
            goal = logic.Or((logic.Not(conjunction(often)), goal))
        return self._enforced(labels, goal, body, self._group(labels, formula.group), fair)

    def sentence(self, labels: Labelling, sentence: Formula) -> Bdd:
        """Where a sentence with names holds that depends on no strategy from outside, or a claim about equilibria."""
        if isinstance(sentence, logic.SomeEquilibrium):
            return Equilibria(self, self._space, self._spare, labels).some(sentence.arg)
        if isinstance(sentence, logic.EveryEquilibrium):
            return self._space.reachable & ~Equilibria(self, self._space, self._spare, labels).some(
                negation(sentence.arg)
            )
        try:
            shape = one_goal(sentence, self._acting)
        except Crossing as crossing:
            raise Refused(crossing_in_words(crossing)) from None
        if not isinstance(shape, OneGoal):
            return labels.label(shape)
        self.require_next_states()
        body = split(shape.goal, unsigned)
        return self._enforced(labels, body.formula, body, self.in_order(shape.players), {})

    def _enforced(
        self, labels: Labelling, goal: Formula, body: Body, force: Callable[[Bdd], Bdd], more: dict[Prop, Bdd]
    ) -> Bdd:
        reachable = self._space.reachable

        def holds(leaf: Prop) -> Bdd:
            return (more[leaf] if leaf in more else labels.label(body.leaves[leaf])) & reachable

        return enforced(self.universe(), force, goal, holds)

    def universe(self) -> Universe[Bdd]:
        """The reachable states."""
        algebra, reachable = self._space.algebra, self._space.reachable
        of = booleans(algebra)
        within = of._replace(negate=lambda some: reachable & ~some)
        return Universe(
            within,
            reachable,
            lambda some: bool(some == algebra.false),
            lambda one, other: bool(one == other),
            self._space.tick,
        )

    def _group(self, labels: Labelling, group: Group) -> Callable[[Bdd], Bdd]:
        space = self._space
        return lambda target: labels.strategic.avoids(group, space.reachable & ~target)

    def in_order(self, players: Collection[Player]) -> Callable[[Bdd], Bdd]:
        """Where the players, one after the other, can force the next state: those who are ``some`` want it, the others do not."""
        space = self._space
        algebra = space.algebra
        moves = []
        kept = 0
        for player in players:
            bits = 0
            for agent in player.agents:
                bits |= space.choices[agent].choice
            moves.append((player.some, self.together(player.agents), algebra.cube(variables_of(bits))))
            kept |= bits

        def force(target: Bdd) -> Bdd:
            good = ~space.moves_into(space.reachable & ~target, kept)
            for some, allowed, cube in reversed(moves):
                space.tick()
                if some:
                    good = algebra.and_exists(allowed, good, cube)
                else:
                    good = ~algebra.and_exists(allowed, ~good, cube)
            return good & space.reachable

        return force

    def together(self, agents: tuple[str, ...]) -> Bdd:
        """What agents may do who follow one strategy: the same action, which each may do."""
        choices = [self._space.choices[agent] for agent in agents]
        if len(choices) == 1:
            return choices[0].permits.function
        algebra = self._space.algebra
        shared = []
        for act in choices[0].does:
            both = algebra.true
            for one in choices:
                both = both & (one.does[act].function & one.permits.function if act in one.does else algebra.false)
            shared.append(both)
        return reduce(or_, shared, algebra.false)

    def require_next_states(self) -> None:
        """Raises `Refused` where an allowed joint action leads nowhere, or none is allowed."""
        space = self._space
        if space.system.interleaved:
            return
        stuck = space.dead_ends
        if space.blocked:  # perhaps: a line without a move may be one of several
            bits, allowed = 0, space.reachable
            for one in space.choices.values():
                bits |= one.choice
                allowed = allowed & one.permits.function
            without = allowed & ~space.moves_into(space.reachable, bits)
            stuck = stuck | space.algebra.exists(without, space.algebra.cube(variables_of(bits)))
        state = space.encoding.pick(stuck)
        if state is not None:
            raise Refused(no_next_state(space.system, state))
